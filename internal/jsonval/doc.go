// Package jsonval reads and writes JSON exactly as JavaScript does.
//
// npm's files are made by JSON.parse and JSON.stringify, and what they do beyond the JSON
// standard is visible in them: the order of an object's keys, what becomes of a key given twice,
// how 1e21 or a lone surrogate is written. Every package of weft that reads or writes package.json,
// packuments or lockfiles goes through this door.
//
//   - [Parse] decodes a whole document to a [Value], an immutable tree. Strings without escapes
//     are slices of one copy of the input, so a tree costs little beside the text itself.
//   - [AppendJSON] writes a Value as JSON.stringify would.
//   - [Scanner] walks a document without decoding it and skips what is not wanted at the speed
//     of memory scanning. It checks structure only; what it hands out is checked when parsed.
//
// JavaScript strings are sequences of UTF-16 units and may hold halves of surrogate pairs. Here a
// string is UTF-8 and a lone half is the three bytes that UTF-8's scheme gives its number (a form
// known as WTF-8), so it survives a round trip. Input that is not UTF-8 is decoded as the WHATWG
// decoder does, each maximal ill-formed part becoming U+FFFD.
//
// The rows in testdata were made with Node and hold this package to it.
package jsonval
