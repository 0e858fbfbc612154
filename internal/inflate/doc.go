// Package inflate decodes gzip that lies whole in memory, into memory, as fast as Go allows.
//
// Inflating is the largest cost of CPU time in an install from a cold store. A decoder that is handed a reader must be
// ready to stop after any bit, keeps a window of its own and copies out of it. One that is handed all of the input and
// the room for all of the output needs none of that: it reads eight bytes at a time, and the output is the window.
//
// # What counts as right
//
// A stream is valid exactly where node's zlib says so, because that is what npm unpacks with. That includes the corners:
// code lengths that leave codes unused are an error unless they give a single code of one bit, a block without an
// end-of-block code is an error even if it is never reached, the reserved flags of a header are an error, a header's
// checksum is verified where there is one, its strings may have any length, and after a member a zero byte or nothing
// ends the input while anything else must be a whole member. Checksum and length of every member are compared.
//
// # How it works
//
// A [decoder] holds the state of one call. The bit buffer bb has nb valid bits, the next one lowest. A block's codes
// become two tables (tables.go, build.go): one for literals and lengths, indexed by 11 bits, and one for distances,
// indexed by 8, with subtables behind them for longer codes. An entry of the first holds what one look-up can yield
// within 11 bits: one literal, two, a length, or a literal and a length. Two loops use the tables:
//
//   - careful.go takes one symbol at a time, asks before every bit and byte, and is ordinary Go. It is all there is on
//     architectures that are not named in fast.go, and under the build tag purego.
//   - fast.go takes many, without bounds checks, while both buffers have slack left. Its contract stands there.
//
// The careful loop runs when the fast one cannot: for the last bytes of input and output. Both must give the same
// verdict and the same bytes, and the tests hold them against each other and against other decoders.
//
// # Hostile input
//
// Nothing is allocated on the word of the input alone. The output grows by doubling and never past the caller's limit;
// the length that the last member claims is believed up to an expansion that honest archives have ([SizeHint]). The work
// is linear in input plus output: the most expensive thing to ask for is a pair of tables, a few microseconds for some
// ten bytes, which no decoder of this format avoids.
package inflate
