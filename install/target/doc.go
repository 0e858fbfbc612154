// Package target says for which Node.js and which platform a tree is installed.
//
// npm's choices depend on the Node that runs npm: a version whose engines
// reject that Node is avoided where another one satisfies, and an optional
// package made for another operating system, processor or C library stays out
// of the tree. weft is no Node program, so it has to find out which Node the
// project will meet. Detect asks, in this order:
//
//  1. the --node-version flag;
//  2. node on PATH (its answer is cached by path, size and modification time);
//  3. devEngines.runtime in package.json;
//  4. .nvmrc, then .node-version, in the project's folder;
//  5. DefaultNodeVersion, a constant: the current LTS release.
//
// The platform is that of the node binary where it can be read (an x64 Node on
// an arm64 Mac wants x64 packages, as npm has it), else that of weft itself.
// The C library is found as npm finds it: by what /usr/bin/ldd says, and where
// that file is missing by the program interpreter of node.
//
// CheckPlatform and CheckEngine are npm's verdicts over a Target, as pure
// functions that any goroutine may call.
package target
