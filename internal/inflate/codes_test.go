package inflate

import (
	"math/rand/v2"
	"testing"
)

// Every string of 15 bits is decoded by the tables as by a search among the codes.
func TestTablesAgainstCodes(t *testing.T) {
	rng := newRand(t)
	d := new(decoder)
	tried := 0
	for range 400 {
		lit, dist := make([]int, 257+rng.IntN(30)), make([]int, 1+rng.IntN(30))
		randomTree(rng, lit)
		randomTree(rng, dist)
		ok := d.own.setLit(&d.codes, bytesOf(lit))
		if want := judged(lit); ok != (want && !allZero(lit)) {
			t.Fatalf("literals %v: %v", lit, ok)
		}
		if ok {
			checkLitTable(t, rng, &d.own, newReferenceCode(lit, true))
			tried++
		}
		ok = d.own.setDist(&d.codes, bytesOf(dist))
		if ok != judged(dist) {
			t.Fatalf("distances %v: %v", dist, ok)
		}
		if ok {
			checkDistTable(t, &d.own, newReferenceCode(dist, true))
		}
	}
	if tried < 100 {
		t.Errorf("%d tables try little", tried)
	}
}

func bytesOf(lens []int) (b []uint8) {
	for _, l := range lens {
		b = append(b, uint8(l))
	}
	return b
}

func allZero(lens []int) bool {
	for _, l := range lens {
		if l != 0 {
			return false
		}
	}
	return true
}

// judged is whether the reference takes lens.
func judged(lens []int) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	newReferenceCode(lens, true)
	return true
}

// symbolOf finds the symbol at the head of bits, or -1, and the length of its code.
func symbolOf(c referenceCode, bits uint64) (symbol, n int) {
	code := 1
	for n = 1; n <= 15; n++ {
		code = code<<1 | int(bits>>(n-1)&1)
		if s, ok := c.symbols[code]; ok {
			return s, n
		}
	}
	return -1, 0
}

func checkLitTable(t *testing.T, rng *rand.Rand, tab *tables, c referenceCode) {
	t.Helper()
	for low := range uint64(1 << 15) {
		bits := low | rng.Uint64()<<15
		e, dropped := tab.lit[bits&litMask], uint(0)
		if e.special() && e.link() {
			dropped = e.drop()
			e = tab.lit[e.linked(bits>>dropped)]
		}
		at := uint(0) // how far the symbols have been followed
		for i := range e.literals() {
			s, n := symbolOf(c, bits>>at)
			if s != int(byte(e>>(32+8*i))) {
				t.Fatalf("bits %b: literal %d is %c, want symbol %d", low, i, rune(byte(e>>(32+8*i))), s)
			}
			if at += uint(n); i == 0 && dropped+e.firstBits() != at {
				t.Fatalf("bits %b: first code has %d bits, want %d", low, e.firstBits(), at)
			}
		}
		if e.onlyLiterals() {
			if e.literals() == 0 || dropped+e.drop() != at {
				t.Fatalf("bits %b: %d literals drop %d, want %d", low, e.literals(), e.drop(), at)
			}
			continue
		}
		s, n := symbolOf(c, bits>>at)
		switch {
		case e.special() && e.end():
			if s != 256 || e.literals() > 0 {
				t.Fatalf("bits %b: end of block, want symbol %d", low, s)
			}
		case e.special():
			if s >= 0 && s < 286 {
				t.Fatalf("bits %b: nothing, want symbol %d", low, s)
			}
			continue
		default:
			length := e.length(bits >> dropped)
			symbol, extra, base := lengthCode(length)
			if got := int(bits >> (at + uint(n)) & (1<<extra - 1)); symbol != s && !(s == 284 && length == 258) || s != 284 && got != length-base {
				t.Fatalf("bits %b: length %d, want symbol %d", low, length, s)
			}
			n += max(0, extra)
			if s == 284 {
				n = n - extra + 5
			}
		}
		if dropped+e.drop() != at+uint(n) {
			t.Fatalf("bits %b: symbol %d drops %d, want %d", low, s, dropped+e.drop(), at+uint(n))
		}
	}
}

func checkDistTable(t *testing.T, tab *tables, c referenceCode) {
	t.Helper()
	for low := range uint64(1 << 15) {
		bits := low | 0x5a5a5<<15
		e, dropped := tab.dist[bits&distMask], uint(0)
		if e.special() && e.link() {
			dropped = e.drop()
			e = tab.dist[e.linked(bits>>dropped)]
		}
		s, n := symbolOf(c, bits)
		if e.special() {
			if s >= 0 && s < 30 {
				t.Fatalf("bits %b: nothing, want symbol %d", low, s)
			}
			continue
		}
		symbol, extra, base := distCode(int(e.distance(bits >> dropped)))
		if symbol != s || int(e.distance(bits>>dropped)) != base+int(bits>>n)&(1<<extra-1) || dropped+e.drop() != uint(n+extra) {
			t.Fatalf("bits %b: symbol %d, distance %d, drops %d, want symbol %d", low, symbol, e.distance(bits>>dropped), dropped+e.drop(), s)
		}
	}
}

// All sets of up to five lengths from 0 to 4 are judged as zlib does.
func TestEverySmallCode(t *testing.T) {
	var c codes
	lens := make([]int, 5)
	for {
		got, want := c.assign(bytesOf(lens)), judged(lens)
		if (got != refused) != want || (got == empty) != allZero(lens) {
			t.Fatalf("%v: %v, want %v", lens, got, want)
		}
		i := 0
		for ; i < len(lens) && lens[i] == 4; i++ {
			lens[i] = 0
		}
		if i == len(lens) {
			return
		}
		lens[i]++
	}
}
