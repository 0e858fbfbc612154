// Package dirfd works on files by folder handle: open a folder once, then name things below it by short relative paths.
//
// The store and the linker create and link tens of thousands of files. By handle the kernel walks two or three
// components a file instead of ten, and a folder that is renamed or swapped for a symlink in the meantime cannot send a
// write somewhere else. On Linux and macOS a [Dir] holds a descriptor and uses the *at calls; elsewhere it holds a path.
//
// Two kinds of argument name things below a Dir. A name is one component; it never follows a symlink. A rel is a
// slash-separated path that the kernel resolves: it is for folders that the caller has just made itself. [Dir.Sub] is
// the way to open a rel of unknown provenance, since it refuses symlinks in every component.
//
// Every error is an *fs.PathError or *os.LinkError with the full path, so errors.Is finds fs.ErrNotExist, fs.ErrExist
// and the system's numbers. A Dir may be used by any number of goroutines, and must be closed once.
package dirfd
