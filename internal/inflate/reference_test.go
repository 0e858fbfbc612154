package inflate

import (
	"encoding/binary"
	"hash/crc32"
)

// The reference reads RFC 1951 and 1952 a bit at a time, with zlib's judgement of codes, and stops with the same
// conditions. It shares nothing with the decoder but the names of errors.

// referenceGunzip is Gunzip.
func referenceGunzip(src []byte, limit int) (out, rest []byte, err error) {
	for rest = src; ; {
		n, err := referenceHeader(rest)
		if err != nil {
			return nil, nil, err
		}
		member, after, err := referenceInflate(rest[n:], limit-len(out))
		if err != nil {
			return nil, nil, err
		}
		out = append(out, member...)
		if len(after) >= 4 && binary.LittleEndian.Uint32(after) != crc32.ChecksumIEEE(member) {
			return nil, nil, ErrChecksum
		}
		if len(after) < 8 {
			return nil, nil, ErrTruncated
		}
		if binary.LittleEndian.Uint32(after[4:]) != uint32(len(member)) {
			return nil, nil, ErrChecksum
		}
		if rest = after[8:]; len(rest) == 0 || rest[0] == 0 {
			return out, rest, nil
		}
	}
}

func referenceHeader(b []byte) (n int, err error) {
	next := func() (c int) {
		if n < len(b) {
			c = int(b[n])
		} else if err == nil {
			err = ErrTruncated
		}
		n++
		return c
	}
	want := func(ok bool) {
		if err == nil && !ok {
			err = ErrHeader
		}
	}
	want(next() == 0x1f)
	want(next() == 0x8b)
	want(next() == 8)
	flags := next()
	want(flags < 32)
	for range 6 {
		next()
	}
	if flags&4 != 0 {
		for range next() + 256*next() {
			next()
		}
	}
	for _, flag := range []int{8, 16} {
		for flags&flag != 0 && next() != 0 {
		}
	}
	if flags&2 != 0 && err == nil {
		sum := crc32.ChecksumIEEE(b[:n])
		low, high := next(), next()
		want(uint32(low+256*high) == sum&0xffff)
	}
	return n, err
}

// referenceBits gives one bit after the other; past the end it panics with ErrTruncated.
type referenceBits struct {
	b  []byte
	at int
}

func (r *referenceBits) bits(n int) (v int) {
	for i := range n {
		if r.at >= 8*len(r.b) {
			panic(ErrTruncated)
		}
		v |= int(r.b[r.at/8]>>(r.at%8)&1) << i
		r.at++
	}
	return v
}

// referenceCode maps a code, with a 1 before its first bit, to its symbol.
type referenceCode struct {
	symbols map[int]int
	longest int
}

// newReferenceCode panics with ErrCorrupt where zlib refuses lens.
func newReferenceCode(lens []int, mayBeIncomplete bool) referenceCode {
	c := referenceCode{symbols: map[int]int{}}
	used, code := 0, 0
	for l := 1; l <= 15; l++ {
		code <<= 1
		for s, sl := range lens {
			if sl == l {
				c.symbols[1<<l|code] = s
				code++
				used += 1 << (15 - l)
				c.longest = l
			}
		}
	}
	if used > 1<<15 || used < 1<<15 && c.longest > 0 && (!mayBeIncomplete || c.longest > 1) {
		panic(ErrCorrupt)
	}
	return c
}

func (c referenceCode) read(r *referenceBits) int {
	for code, l := 1, 1; ; l++ {
		code = code<<1 | r.bits(1)
		if s, ok := c.symbols[code]; ok {
			return s
		}
		if l >= c.longest {
			panic(ErrCorrupt)
		}
	}
}

// referenceInflate decodes one DEFLATE stream. On an error out is what came before it.
func referenceInflate(src []byte, limit int) (out, rest []byte, err error) {
	r := &referenceBits{b: src}
	defer func() {
		if e, ok := recover().(error); ok {
			rest, err = nil, e
		}
	}()
	put := func(b byte) {
		if len(out) >= limit {
			panic(ErrTooLarge)
		}
		out = append(out, b)
	}
	for final := 0; final == 0; {
		final = r.bits(1)
		switch r.bits(2) {
		case 0:
			r.at = (r.at + 7) / 8 * 8
			if size := r.bits(16); size^0xffff != r.bits(16) {
				panic(ErrCorrupt)
			} else {
				for range size {
					put(byte(r.bits(8)))
				}
			}
		case 1:
			lit, dist := fixedLens()
			referenceBlock(r, newReferenceCode(lit, false), newReferenceCode(dist, false), &out, put)
		case 2:
			lit, dist := referenceCodes(r)
			referenceBlock(r, lit, dist, &out, put)
		default:
			panic(ErrCorrupt)
		}
	}
	return out, src[(r.at+7)/8:], nil
}

func referenceCodes(r *referenceBits) (lit, dist referenceCode) {
	counts := r.bits(14)
	lits, dists, lengths := counts&31+257, counts>>5&31+1, counts>>10+4
	if lits > 286 || dists > 30 {
		panic(ErrCorrupt)
	}
	lens := make([]int, 19)
	for _, s := range []int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}[:lengths] {
		lens[s] = r.bits(3)
	}
	code := newReferenceCode(lens, false)
	if code.longest == 0 {
		panic(ErrCorrupt)
	}
	var all []int
	for len(all) < lits+dists {
		s, value, times := code.read(r), 0, 1
		switch {
		case s < 16:
			value = s
		case s == 16 && len(all) == 0:
			panic(ErrCorrupt)
		case s == 16:
			value, times = all[len(all)-1], 3+r.bits(2)
		case s == 17:
			times = 3 + r.bits(3)
		case s == 18:
			times = 11 + r.bits(7)
		}
		for range times {
			all = append(all, value)
		}
	}
	if len(all) > lits+dists || all[256] == 0 {
		panic(ErrCorrupt)
	}
	return newReferenceCode(all[:lits], true), newReferenceCode(all[lits:], true)
}

func referenceBlock(r *referenceBits, lit, dist referenceCode, out *[]byte, put func(byte)) {
	for {
		s := lit.read(r)
		switch {
		case s < 256:
			put(byte(s))
			continue
		case s == 256:
			return
		case s > 285:
			panic(ErrCorrupt)
		}
		length := 3
		for t := 257; t < s; t++ {
			length += 1 << max(0, (t-261)/4)
		}
		if s == 285 {
			length = 258
		} else {
			length += r.bits(max(0, (s-261)/4))
		}
		s = dist.read(r)
		if s > 29 {
			panic(ErrCorrupt)
		}
		distance := 1
		for t := range s {
			distance += 1 << max(0, t/2-1)
		}
		if distance += r.bits(max(0, s/2-1)); distance > len(*out) {
			panic(ErrCorrupt)
		}
		for range length {
			put((*out)[len(*out)-distance])
		}
	}
}
