package inflate

import "sync"

// Sizes that DEFLATE fixes (RFC 1951).
const (
	maxCodeBits  = 15
	maxLitCodes  = 288 // 286 and 287 have codes in the fixed set and stand for nothing
	maxDistCodes = 32  // as do 30 and 31
	endOfBlock   = 256
	maxMatch     = 258
)

// Sizes of the tables: the bits that index the root, and entries in all. With every code complete, subtables behind a
// root of 11 bits fill at most 294 entries and those behind 8 bits at most 146; the sizes are the next powers of two so
// that a mask proves an index to be in range.
const (
	litBits  = 11
	litSize  = 4096
	litMask  = 1<<litBits - 1
	distBits = 8
	distSize = 512
	distMask = 1<<distBits - 1
)

// tables are the decoding tables of one block.
type tables struct {
	lit  [litSize]litEntry
	dist [distSize]distEntry
}

// litEntry is what the literal/length table says about the next bits. All kinds have
//
//	0-5    bits to drop for the whole entry, extra bits included; 6 and 7 are zero (see fast.go)
//	8-13   bits of the codes without extra bits
//	48-49  number of literals: 0, 1 or 2
//	50-53  bits of the first code
//
// and then, by kind,
//
//	literals only:         32-39 the first, 40-47 the second, 63 set
//	a length, perhaps
//	after one literal:     14-18 mask of the extra bits, 19-27 base, 32-39 the literal
//	end of the block:      30 and 28 set
//	link to a subtable:    30 and 29 set, 8-13 its index bits, 14-26 its start
//	no symbol:             30 set
type litEntry uint64

const (
	litOnly    litEntry = 1 << 63
	litSpecial litEntry = 1 << 30
	litLink    litEntry = 1 << 29
	litEnd     litEntry = 1 << 28
	litOne     litEntry = 1 << 48
	litTwo     litEntry = 2 << 48
	litPerBit  litEntry = 1 | 1<<8 | 1<<50 // times a code's bits, to be added to its symbol's entry
)

func (e litEntry) onlyLiterals() bool  { return int64(e) < 0 }
func (e litEntry) special() bool       { return e&litSpecial != 0 }
func (e litEntry) link() bool          { return e&litLink != 0 }
func (e litEntry) end() bool           { return e&litEnd != 0 }
func (e litEntry) drop() uint          { return uint(e & 63) }
func (e litEntry) literals() uint      { return uint(e>>48) & 3 }
func (e litEntry) literal() byte       { return byte(e >> 32) }
func (e litEntry) firstBits() uint     { return uint(e>>50) & 15 }
func (e litEntry) length(b uint64) int { return int(e>>19&0x1ff) + int(b>>(e>>8&63))&int(e>>14&31) }
func (e litEntry) linked(b uint64) uint {
	return (uint(e>>14&(litSize-1)) + uint(b)&(1<<(e>>8&15)-1)) & (litSize - 1)
}

// distEntry is what the distance table says about the next bits:
//
//	0-5    bits to drop, extra bits included; 6 and 7 are zero
//	8-13   bits of the code
//	16-28  mask of the extra bits
//	32-47  base
//	link to a subtable: 63 and 62 set, 8-13 its index bits, 32-47 its start
//	no symbol:          63 set
type distEntry uint64

const (
	distSpecial distEntry = 1 << 63
	distLink    distEntry = 1 << 62
	distPerBit  distEntry = 1 | 1<<8
)

func (e distEntry) special() bool { return int64(e) < 0 }
func (e distEntry) link() bool    { return e&distLink != 0 }
func (e distEntry) drop() uint    { return uint(e & 63) }
func (e distEntry) distance(b uint64) uint {
	return uint(e>>32) + uint(b>>(e>>8&63))&uint(e>>16&0x1fff)
}
func (e distEntry) linked(b uint64) uint {
	return (uint(e>>32&0xffff) + uint(b)&(1<<(e>>8&15)-1)) & (distSize - 1)
}

// litSymbols and distSymbols are the entries of the symbols before the bits of their codes are added.
var (
	litSymbols  = makeLitSymbols()
	distSymbols = makeDistSymbols()
)

func makeLitSymbols() (symbols [maxLitCodes]litEntry) {
	for s := range endOfBlock {
		symbols[s] = litOnly | litOne | litEntry(s)<<32
	}
	symbols[endOfBlock] = litSpecial | litEnd
	base := 3
	for s := endOfBlock + 1; s < 285; s++ {
		extra := max(0, (s-261)/4)
		symbols[s] = litEntry(base)<<19 | litEntry(1<<extra-1)<<14 | litEntry(extra)
		base += 1 << extra
	}
	symbols[285] = maxMatch << 19
	symbols[286], symbols[287] = litSpecial, litSpecial
	return symbols
}

func makeDistSymbols() (symbols [maxDistCodes]distEntry) {
	base := 1
	for s := range 30 {
		extra := max(0, s/2-1)
		symbols[s] = distEntry(base)<<32 | distEntry(1<<extra-1)<<16 | distEntry(extra)
		base += 1 << extra
	}
	symbols[30], symbols[31] = distSpecial, distSpecial
	return symbols
}

// fixedTables gives the tables of blocks that bring no codes of their own.
var fixedTables = sync.OnceValue(func() *tables {
	var lens [maxLitCodes + maxDistCodes]uint8
	for i := range lens {
		switch {
		case i < 144:
			lens[i] = 8
		case i < 256:
			lens[i] = 9
		case i < 280:
			lens[i] = 7
		case i < maxLitCodes:
			lens[i] = 8
		default:
			lens[i] = 5
		}
	}
	t := new(tables)
	var c codes
	if !t.setLit(&c, lens[:maxLitCodes]) || !t.setDist(&c, lens[maxLitCodes:]) {
		panic("inflate: the fixed codes are not complete")
	}
	return t
})
