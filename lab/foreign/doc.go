// Package foreign reads measurements that other tools made: hyperfine's
// --export-json and the text of `go test -bench`.
//
// They come without blocks, so that only an unpaired analysis is possible, and
// without a record of the machine. Parse tells the two formats apart. Values
// are in the lab's units: times in nanoseconds, sizes in bytes.
//
// What the files hold is foreign: sizes and counts are limited, values that
// are no finite number are refused.
package foreign
