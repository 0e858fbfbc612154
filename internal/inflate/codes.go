package inflate

import "math/bits"

// codes is a canonical prefix code in the order in which tables are built: by length, then by symbol.
type codes struct {
	count  [maxCodeBits + 1]int // how many codes have so many bits; none has 0
	first  [maxCodeBits + 2]int // where the codes of so many bits begin in the two lists
	symbol [maxLitCodes]uint16
	code   [maxLitCodes]uint16 // the first bit of the stream lowest
}

// usage is how much of all bit strings a code covers.
type usage int

const (
	refused  usage = iota // some string begins with two codes, or some with none
	complete              // every string begins with exactly one code
	single                // the only code is "0"; zlib lets it pass, though nothing begins with "1"
	empty                 // there are no codes
)

// assign gives each symbol with a length above zero its code. Unless the result is refused, c is filled.
func (c *codes) assign(lens []uint8) usage {
	c.count = [maxCodeBits + 1]int{}
	for _, l := range lens {
		c.count[l&15]++
	}
	c.count[0] = 0
	left, n := 1, 0
	var next, code [maxCodeBits + 1]int
	for l := 1; l <= maxCodeBits; l++ {
		code[l] = (code[l-1] + c.count[l-1]) << 1
		next[l], c.first[l] = n, n
		n += c.count[l]
		left = left<<1 - c.count[l]
		if left < 0 {
			return refused
		}
	}
	c.first[maxCodeBits+1] = n
	for symbol, l := range lens {
		if l == 0 {
			continue
		}
		at := next[l&15]
		next[l&15] = at + 1
		if at < len(c.symbol) {
			c.symbol[at] = uint16(symbol)
			c.code[at] = bits.Reverse16(uint16(code[l&15])) >> (16 - l)
		}
		code[l&15]++
	}
	switch {
	case left == 0:
		return complete
	case n == 1 && c.count[1] == 1:
		return single
	case n == 0:
		return empty
	}
	return refused
}

// ofLength gives the symbols whose codes have l bits, and those codes.
func (c *codes) ofLength(l int) (symbols, code []uint16) {
	from, to := c.first[l], c.first[l+1]
	return c.symbol[from:to], c.code[from:to]
}
