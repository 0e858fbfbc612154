// Package checker is a model checker for code that takes its atomics, locks,
// threads and parking from package sy: it runs a few threads one at a time and
// switches between them at the operations of sy, in every order that matters.
// All of it needs the build tag weftsim.
//
// # What a run is
//
// A model's threads are goroutines. Each stands before its next operation; the
// explorer chooses one, which performs that operation and everything up to its
// next. An operation that has to wait (a Lock, a Park, Await) has a gate, and the
// thread cannot be chosen before the gate is open. So nothing spins, and a state
// in which threads are left and none can be chosen is a deadlock, reported with
// who waits for what. The run then ends, or when all threads have; the rest are
// ended by Goexit, and the model's check looks at what is left.
//
// It explores what sequentially consistent atomics can do, which is what
// sync/atomic promises. Plain variables belong to the step around them: a model
// that records something for its check in plain variables must not depend on the
// order of two steps that have no object in common (use sy's types there), and
// data races between plain variables are left to the race detector.
//
// # Which orders matter
//
// Two operations are dependent if they belong to one thread, or touch one object
// and are not both reads. Runs that differ by swapping neighbours which are
// independent lead to the same states, and one of them is enough. The reduction
// is dynamic: vector clocks give the order that the operations of a run really
// have; where two dependent ones could have come the other way round, the
// other thread is put down to be tried at that point (reduce.go); and sleep sets
// keep a thread from being tried again until something it depends on happened.
// This is the algorithm of Flanagan and Godefroid, Dynamic partial-order reduction
// for model checking software (POPL 2005), with the sleep sets of Godefroid's
// thesis. The package's test compares what it reaches on random programs with all
// interleavings.
//
// Where even that is too much, Options.Preemptions bounds how often a run takes
// the processor from a thread that could go on. Switches where a thread waits or
// ends are free. Bounded runs use no sleep sets; the last dependent operation of
// every other thread is a point to try, not only the last of all; and each comes
// with another where the thread that moved there got its turn, for the bound may
// allow the switch at that point only. This is after Coons, Musuvathi and McKinley,
// Bounded partial-order reduction (OOPSLA 2013).
//
// # Faults
//
// A model that never failed proves little. Model.Fault lets a test spoil single
// operations of the code under test: one is left out, or a compare-and-swap does
// not compare, or a lock does not exclude. The model must fail then.
package checker
