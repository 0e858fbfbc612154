// Package sy names the synchronisation that the runtime rooms use.
//
// In ordinary builds every name is an alias of its namesake in sync or
// sync/atomic and costs nothing. With the build tag weftsim each operation
// first tells Hook what it is about to do and to which object, so that a
// deterministic scheduler may switch to another thread of the program there. Code in task, flow and actor takes its atomics
// and locks from here and from nowhere else; that is what lets a simulator drive
// the production code and not a model of it.
//
// All atomic operations are sequentially consistent, as sync/atomic promises.
package sy
