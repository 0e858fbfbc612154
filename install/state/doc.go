// Package state remembers what an install left behind, so that the next one can
// tell in a few milliseconds that there is nothing to do.
//
// A Record holds three things: a fingerprint of the settings that steer an
// install, the files it read (package.json, the lockfile, every npmrc) with
// their hashes, and every folder and link it put into node_modules with an
// identity that changes when the thing is replaced. Check compares all of it
// with the disk and names the first difference.
//
// An identity is the inode with its time of birth where the system has one:
// removing a folder and making it again gives another birth even when the file
// system hands out the same inode number. Files inside a package are not looked
// at; that is what verifying is for.
//
// The record is one text file, node_modules/.weft-state, one line an item, paths
// quoted. A record that cannot be read whole counts as absent.
package state
