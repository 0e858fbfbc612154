// Package link makes node_modules: it places packages from the store into a project as hard links, replaces and removes
// them, and links their commands into node_modules/.bin.
//
// A [Tree] is one project. Places in it are named as package-lock.json names them, by location: "node_modules/a",
// "node_modules/@s/b/node_modules/c", "packages/w/node_modules/d". Locations and command names come from lockfiles and
// manifests of unknown origin, so each is checked, and no symlink is followed on the way to one: what the tree writes
// stays inside the project.
//
// # Never half a package
//
// A package is staged beside its place, in the same folder, under a name such as .weft-lodash-4k2j…, and then renamed
// into it. An old package there is exchanged with the new one in one step where the system can (Linux, macOS), and
// otherwise moved aside first and put back if the rename fails. A kill at any instruction thus leaves the old package, the
// new one or none, besides a hidden folder that nothing looks into and [Tree.Clean] removes. Packages nested below the
// old one are packages of their own and move over to the new one.
//
// # Hard links, and when not
//
// Files are hard links to the store's, which costs no space and next to no time. A file with too many links is copied
// (ext4 stops at 65,000). Where the store is on another device, or the file system has no links, everything is copied,
// and the tree remembers. A package that somebody will write to is placed with [Options.Private]: copies that share their
// blocks with the store's where the file system can do that.
//
// # Concurrency
//
// Every method of a Tree may be called by any number of goroutines at once, for any locations: one below another waits
// while that is being replaced. They block on the disk. Processes that work on one project at the same time keep every
// package whole but may undo each other's work; they should take turns.
package link
