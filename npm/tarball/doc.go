// Package tarball opens npm package tarballs: it inflates one whole into memory and lists the files that npm would
// write for it, with npm's names, npm's modes and npm's idea of what is broken.
//
// A tarball is attacker-controlled. Nothing here touches the disk; what comes out is a list of [File] whose paths are
// relative, slash-separated, free of "." and "..", never empty, never twice the same and never a file where another
// path needs a folder. A caller that creates exactly these paths below a folder of its own stays inside it.
//
// # What counts as right
//
// The rules are those of npm 11.19 (pacote and node-tar, with the options npm installs with), because lockfiles hash
// tarballs and not trees: two installers that read one tarball differently are how files get smuggled. So this is a
// reader of its own rather than archive/tar, which follows POSIX where npm does not. The differences that matter:
//
//   - A header whose checksum is wrong, or that lacks a path, is skipped, and its body is read as further headers.
//   - Two zero blocks end the archive, one does not. A missing end is fine, an end inside a body is an error, an
//     archive without one valid header is an error.
//   - Everything but plain and contiguous files is dropped: links of both kinds, devices, folders, sparse files.
//   - The first path component is removed whatever it is called; what has only one component is dropped.
//   - A global PAX header may set a size but never a path; GNU long names and PAX paths win over the header's fields.
//   - Roots ("/", `\`, "C:", "//host/share/") are removed, a path with ".." in it is dropped.
//   - A second entry of the same path replaces the content and keeps the first one's mode. A file where a folder
//     already stands is dropped, and so is a file below a file.
//   - .gitignore becomes .npmignore unless one was seen before in the same folder.
//   - Every file is readable and writable by its owner and readable by all: mode|0666, then umask 022. The setuid,
//     setgid and sticky bits, which npm keeps when it runs as root, are removed.
//
// gzip follows node's zlib: several members are read on, a zero byte after a member ends the input whatever follows, any
// other byte must start a whole member, a cut trailer or a wrong CRC is an error, and more than a thousandfold
// expansion is refused. Bytes that are not gzip are taken as a plain tar.
//
// # Memory
//
// [Open] reads the whole archive into one buffer and [File.Data] are slices of it, so a file is never copied. The buffer
// goes back to a pool with [Archive.Release]; fresh pages cost more than inflating into warm ones.
package tarball
