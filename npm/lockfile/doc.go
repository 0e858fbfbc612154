// Package lockfile reads and writes package-lock.json, npm-shrinkwrap.json and the hidden
// node_modules/.package-lock.json, byte for byte as npm 11 does.
//
// [Parse] takes any of the three versions, also with the conflict markers of an unfinished merge in
// it, and gives a [File]: what is to be installed where, as a map from a location such as
// "node_modules/a/node_modules/b" to an [Entry]. A file of version 1 is upgraded while it is read.
// [File.Marshal] writes a File; the order of everything in it comes from the content alone, so that
// equal installations give equal files.
//
// An entry repeats what the package's manifest says, less what is empty. [FromManifest] applies the
// rules for that. What an entry says about its place in the tree (dev, optional, peer, extraneous)
// is up to the caller.
//
// Lockfiles are foreign input: they arrive with pull requests. Parse refuses locations that npm
// could not have written, see [ErrLocation]; everything else that makes no sense is left out.
package lockfile
