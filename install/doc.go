// Package install makes a project's node_modules and lockfile what npm would
// make them.
//
//	summary, err := install.Run(ctx, install.Options{Dir: ".", Env: os.Environ(), Report: rep})
//
// One install goes through these stages, each a folder of this one:
//
//	state     is there anything to do at all?
//	target    for which Node and platform?
//	resolve   which version of what goes where (serial, npm's own order)
//	plan      what must be added, changed and removed for that
//	fetch     packuments and tarballs, verified and unpacked into
//	store     a directory per package, shared by the user's projects
//	link      folders and commands in node_modules, out of the store
//	scripts   the lifecycle scripts that were not run
//	report    what is said about it
//
// They overlap wherever one does not need the other's whole result: while
// placement goes on, the documents and tarballs that it will ask for are fetched
// ahead of it; a package is linked as soon as it is in the store and the folder
// above it is in place. Everything that overlaps is a job of one scheduler
// (schedule), which is the only one to know what is under way.
//
// The files here are the pipeline: run.go its order, project.go what is read from
// the project, settings.go what steers it, ideal.go the tree to be made,
// assemble.go how node_modules becomes it, save.go what is written last.
package install
