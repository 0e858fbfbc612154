// Package resolve decides which version of which package goes where in
// node_modules, exactly as npm 11 decides it.
//
// # The model
//
// A [Tree] is a set of [Node]s: the project at its root, packages in
// node_modules folders below it, links to directories and the directories they
// lead to. A [Node] has a parent (the node in whose node_modules it lies) or,
// for a directory that only a link leads to, a file-system parent. An [Edge] is
// one dependency that a package declares. Its end is never chosen: it is
// whatever Node's own lookup finds from there, walking up the parents. So after
// every change to the tree the edges that may look elsewhere now are asked
// again; that an edge's end is what the lookup finds is the invariant of the
// whole package (see attach.go).
//
// # Three ways to a tree
//
//   - [Virtual] reads it from a lockfile.
//   - [Actual] reads it from the disk.
//   - [Ideal] makes it: it starts from the lockfile's tree, or from the one on
//     disk where there is no lockfile, and places what is missing or wrong.
//
// # Placement
//
// One serial loop takes nodes from a queue, shallow ones first and then by
// path. For each it picks a version for every edge that is missing or wrong,
// together with the peers that this version brings (peerset.go: a virtual root
// stands in for the dependent, so that the set can be tried out without touching
// the tree), then places each, in the order of their names, at the highest
// folder where it is not in anybody's way (canplace.go asks, place.go acts).
// What a placement breaks is queued again; what it makes superfluous is pruned.
// The order of all this decides the result, which is why nothing here runs
// concurrently. Speed comes from elsewhere: packuments are announced to an
// [Observer] long before they are needed, parsed ranges and their verdicts are
// kept (want.go), and the edges of a tree are indexed by name.
//
// # After placement
//
// Flags (dev, optional, peer, extraneous) are computed over the graph
// (flags.go), what failed to load and is optional, or is not for this platform,
// becomes inert together with what only it needs (optional.go), and
// [Tree.Lockfile] writes the result down.
//
// # Rejected
//
// A solver that looks for the fewest or newest versions: people's lockfiles and
// node_modules are npm's, and a better tree that is not the same tree is a
// different install. Placing concurrently and sorting afterwards: what an early
// placement holds decides where later ones go.
package resolve
