// Package store keeps unpacked packages on disk, shared by all projects of a user, so that installing one a second time
// is a matter of hard links.
//
// # Layout
//
//	<dir>/v1/<2 hex>/<hex>/index      what the package consists of (see index.go)
//	<dir>/v1/<2 hex>/<hex>/package/   its files
//	<dir>/v1/tmp/<random>/            a package that is being written, or was when its process died
//	<dir>/v1/lock                     taken by Clean
//
// hex is the digest in the tarball's integrity. A package is a folder of its own, not a set of files named by their
// content: identical files of a thousand packages would share one inode, and file systems limit links to one.
//
// # Atomicity
//
// Put writes a package below tmp, the index last, and renames the finished folder into place. A package is therefore
// either whole or absent, for every process and after a kill at any instruction; two processes that put the same one
// race for the rename, and the loser takes the winner's. Nothing is flushed to the disk: after a power failure a file may be
// empty, which Verify finds.
//
// # Trust
//
// Integrity is verified before Put. The store is private to its user (mode 0700), its files have the modes that npm
// would give them (0644, 0755), because projects hold hard links to the very same files. Whoever edits a file inside
// node_modules edits it here too and in every other project: Verify compares every file with the checksum taken when
// it was written. That checksum is chosen for accidents and for speed; it is not cryptographic, since somebody who
// means harm and can write the file can write the index as well.
package store
