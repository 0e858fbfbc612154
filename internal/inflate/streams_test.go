package inflate

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"
)

// bitWriter writes DEFLATE by hand, right or wrong. The zero value is an empty stream.
type bitWriter struct {
	b    []byte
	bits int
}

// put writes the low n bits of v, lowest first.
func (w *bitWriter) put(v, n int) *bitWriter {
	for i := range n {
		if w.bits%8 == 0 {
			w.b = append(w.b, 0)
		}
		w.b[w.bits/8] |= byte(v>>i&1) << (w.bits % 8)
		w.bits++
	}
	return w
}

// code writes a Huffman code of n bits, highest first.
func (w *bitWriter) code(v, n int) *bitWriter {
	for i := n - 1; i >= 0; i-- {
		w.put(v>>i&1, 1)
	}
	return w
}

// symbol writes the code that s has under lens.
func (w *bitWriter) symbol(lens []int, s int) *bitWriter {
	code := 0
	for l := 1; l <= lens[s]; l++ {
		code <<= 1
		for t, tl := range lens {
			if tl == l && (l < lens[s] || t < s) {
				code++
			}
		}
	}
	return w.code(code, lens[s])
}

func (w *bitWriter) align() *bitWriter {
	w.bits = (w.bits + 7) / 8 * 8
	return w
}

func (w *bitWriter) stored(final int, data string) *bitWriter {
	w.put(final, 1).put(0, 2).align().put(len(data), 16).put(^len(data), 16)
	w.b = append(w.b, data...)
	w.bits += 8 * len(data)
	return w
}

func (w *bitWriter) fixed(final int) *bitWriter { return w.put(final, 1).put(1, 2) }

// fixedLens are the code lengths of fixed blocks.
func fixedLens() (lit, dist []int) {
	lit, dist = make([]int, 288), make([]int, 32)
	for i := range lit {
		lit[i] = 8
		if i >= 144 && i < 256 {
			lit[i] = 9
		} else if i >= 256 && i < 280 {
			lit[i] = 7
		}
	}
	for i := range dist {
		dist[i] = 5
	}
	return lit, dist
}

// flatLengths gives the symbols 0 to 15 of the length code 4 bits each, and leaves repetitions out.
var flatLengths = []int{4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 0, 0, 0}

// head writes the begin of a dynamic block up to its code lengths. Counts are what is written, not what is right.
func (w *bitWriter) head(final, lits, dists int, lengths []int) *bitWriter {
	w.put(final, 1).put(2, 2).put(lits-257, 5).put(dists-1, 5).put(19-4, 4)
	for _, s := range []int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15} {
		w.put(lengths[s], 3)
	}
	return w
}

// dynamic writes a whole head of a dynamic block.
func (w *bitWriter) dynamic(final int, lit, dist []int) *bitWriter {
	w.head(final, len(lit), len(dist), flatLengths)
	for _, l := range append(append([]int(nil), lit...), dist...) {
		w.symbol(flatLengths, l)
	}
	return w
}

// lens makes n code lengths, all 0 but for the pairs of symbol and length.
func lens(n int, pairs ...int) []int {
	l := make([]int, n)
	for i := 0; i < len(pairs); i += 2 {
		l[pairs[i]] = pairs[i+1]
	}
	return l
}

// lengthCode and distCode are the symbol, number of extra bits and base of a length or distance.
func lengthCode(length int) (symbol, extra, base int) {
	if length == maxMatch {
		return 285, 0, maxMatch
	}
	symbol, base = 257, 3
	for {
		if extra = max(0, (symbol-261)/4); length < base+1<<extra {
			return symbol, extra, base
		}
		symbol, base = symbol+1, base+1<<extra
	}
}

func distCode(distance int) (symbol, extra, base int) {
	base = 1
	for {
		if extra = max(0, symbol/2-1); distance < base+1<<extra {
			return symbol, extra, base
		}
		symbol, base = symbol+1, base+1<<extra
	}
}

func (w *bitWriter) match(lit, dist []int, length, distance int) *bitWriter {
	s, extra, base := lengthCode(length)
	w.symbol(lit, s).put(length-base, extra)
	s, extra, base = distCode(distance)
	return w.symbol(dist, s).put(distance-base, extra)
}

// framed puts a body into a member whose trailer is right if the body is.
func framed(body []byte) []byte {
	out, rest, _ := referenceInflate(body, 1<<22)
	b := append(plainHeader(), body[:len(body)-len(rest)]...)
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(out))
	return binary.LittleEndian.AppendUint32(b, uint32(len(out)))
}

func plainHeader() []byte { return []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3} }

func gz(data []byte, level int) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, level)
	if err != nil {
		panic(err)
	}
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// stream is a named gzip input.
type stream struct {
	name string
	data []byte
}

func bodies() []stream {
	fl, fd := fixedLens()
	var all []stream
	add := func(name string, w *bitWriter) { all = append(all, stream{name, framed(w.b)}) }
	begin := func() *bitWriter { return new(bitWriter) }
	zeros := func(n int) string { return string(make([]byte, n)) }

	add("stored/empty", begin().stored(1, ""))
	add("stored/full", begin().stored(0, zeros(65535)).stored(1, "x"))
	add("stored/after-bits", begin().fixed(0).symbol(fl, 'a').symbol(fl, 256).stored(1, "b"))
	add("stored/complement", begin().put(1, 3).align().put(3, 16).put(3, 16).put(0, 24))
	add("stored/cut", begin().put(1, 3).align().put(3, 16).put(^3, 16).put(0, 16))
	add("reserved", begin().put(7, 3).put(0, 64))
	add("none", begin())

	add("fixed/empty", begin().fixed(1).symbol(fl, 256))
	every := begin().fixed(1)
	for s := range 256 {
		every.symbol(fl, s)
	}
	add("fixed/literals", every.symbol(fl, 256))
	for _, s := range []int{286, 287} {
		add(fmt.Sprint("fixed/symbol-", s), begin().fixed(1).symbol(fl, 'a').symbol(fl, s).symbol(fl, 256).put(0, 64))
	}
	for _, s := range []int{30, 31} {
		add(fmt.Sprint("fixed/distance-", s), begin().fixed(1).symbol(fl, 'a').symbol(fl, 257).symbol(fd, s).put(0, 64))
	}
	extremes := begin().stored(0, zeros(100)+"abcdefghijklmnopqrstuvwxyz"+zeros(32768-126)).fixed(1)
	for s := range 29 {
		for _, last := range []int{0, 1} {
			extra := max(0, (s-4)/4)
			if s == 28 {
				extra = 0
			}
			extremes.symbol(fl, 257+s).put(-last, extra).symbol(fd, 29).put(-1, 13)
			extremes.symbol(fl, 257+s).put(-last, extra).symbol(fd, s).put(-last, max(0, s/2-1))
		}
	}
	add("fixed/extremes", extremes.symbol(fl, 256))
	for d := range 40 {
		w := begin().fixed(1)
		for i := range d + 1 {
			w.symbol(fl, 'a'+i)
		}
		for length := 3; length <= maxMatch; length++ {
			w.match(fl, fd, length, d+1).symbol(fl, length&127)
		}
		add(fmt.Sprint("fixed/period-", d+1), w.symbol(fl, 256))
		add(fmt.Sprint("fixed/too-far-", d+1), begin().stored(0, zeros(d)).fixed(1).match(fl, fd, 9, d+1).symbol(fl, 256))
	}
	add("fixed/no-history", begin().fixed(1).match(fl, fd, 3, 1).symbol(fl, 256))
	add("fixed/farthest", begin().stored(0, zeros(32768)).fixed(1).match(fl, fd, 258, 32768).symbol(fl, 256))
	add("fixed/farthest-but-one", begin().stored(0, zeros(32767)).fixed(1).match(fl, fd, 258, 32768).symbol(fl, 256))
	run := begin().fixed(1).symbol(fl, 'r')
	for range 4000 {
		run.match(fl, fd, 258, 1)
	}
	add("fixed/long-run", run.symbol(fl, 256))
	return append(all, dynamicBodies()...)
}

func dynamicBodies() []stream {
	var all []stream
	add := func(name string, w *bitWriter) { all = append(all, stream{"dynamic/" + name, framed(w.put(0, 16).b)}) }
	begin := func() *bitWriter { return new(bitWriter) }
	two := lens(257, 'a', 1, 256, 1)
	none, one := lens(1), lens(1, 0, 1)
	match := lens(258, 'a', 1, 256, 2, 257, 2)

	add("two-codes", begin().dynamic(1, two, none).symbol(two, 'a').symbol(two, 256))
	add("end-only", begin().dynamic(1, lens(257, 256, 1), none).put(0, 1))
	add("end-only/other-bit", begin().dynamic(1, lens(257, 256, 1), none).put(1, 1))
	add("end-only/two-bits", begin().dynamic(1, lens(257, 256, 2), none).put(0, 2))
	add("no-end", begin().dynamic(1, lens(257, 'a', 1, 'b', 1), none).put(0, 99))
	add("one-literal", begin().dynamic(1, lens(257, 'a', 1), none).put(0, 99))
	add("no-codes", begin().dynamic(1, lens(257), none).put(0, 99))
	add("incomplete", begin().dynamic(1, lens(257, 'a', 1, 256, 2), none).put(1, 2))
	add("oversubscribed", begin().dynamic(1, lens(257, 'a', 1, 'b', 1, 256, 1), none).put(1, 2))
	add("oversubscribed/late", begin().dynamic(1, lens(257, 'a', 1, 'b', 2, 'c', 3, 'd', 3, 'e', 15, 256, 15), none).put(1, 2))
	for _, n := range []int{287, 288} {
		add(fmt.Sprint("literals-", n), begin().dynamic(1, lens(n, 'a', 1, 256, 1), none).symbol(two, 256))
	}
	for _, n := range []int{30, 31, 32} {
		add(fmt.Sprint("distances-", n), begin().dynamic(1, two, lens(n, 0, 1)).symbol(two, 256))
	}
	add("no-distances/used", begin().dynamic(1, match, none).symbol(match, 'a').symbol(match, 257).put(0, 1).symbol(match, 256))
	add("one-distance", begin().dynamic(1, match, one).symbol(match, 'a').symbol(match, 257).put(0, 1).symbol(match, 256))
	add("one-distance/other-bit", begin().dynamic(1, match, one).symbol(match, 'a').symbol(match, 257).put(1, 1).symbol(match, 256))
	add("one-distance/two-bits", begin().dynamic(1, match, lens(1, 0, 2)).symbol(match, 256))
	add("distances/incomplete", begin().dynamic(1, match, lens(2, 0, 1, 1, 2)).symbol(match, 256))
	add("distances/oversubscribed", begin().dynamic(1, match, lens(3, 0, 1, 1, 1, 2, 1)).symbol(match, 256))

	long, longDist := lens(286), lens(30)
	for l := 1; l <= 15; l++ {
		long['a'+l], longDist[l] = l, l
	}
	long[256], longDist[29] = 15, 15
	long['a'+15], long[285] = 0, 15
	w := begin().dynamic(1, long, longDist).symbol(long, 'a'+14).symbol(long, 'a'+1)
	for i := range 3000 {
		w.symbol(long, 'a'+1+i%14).match(long, longDist, 258, 2+i%2*2).symbol(long, 'b'+i%13)
	}
	add("long-codes", w.symbol(long, 256))

	// As many bits as a turn of the fast loop can take: two literals that fit no pair, a length and a distance with
	// everything.
	most, mostDist := lens(286, 'x', 11, 'y', 11, 'z', 11, 'a', 12, 'b', 13, 'c', 14, 284, 15, 256, 15), lens(30, 29, 15, 28, 15)
	for l := 1; l <= 14; l++ {
		mostDist[l] = l
		if l <= 9 {
			most['0'+l] = l
		}
	}
	w = begin().stored(0, strings.Repeat("0123456789abcdefghijklmnopqrstuv", 1024)).dynamic(1, most, mostDist)
	for i := range 400 {
		w.symbol(most, 'x').symbol(most, 'y').symbol(most, 284).put(i%32, 5).symbol(mostDist, 29-i%7/6).put(-1-i%2, 13)
		for range i % 5 {
			w.symbol(most, '1')
		}
	}
	add("most-bits", w.symbol(most, 256))

	add("lengths/one", begin().head(1, 257, 1, lens(19, 18, 1)).put(0, 400))
	add("lengths/none", begin().head(1, 257, 1, lens(19)).put(0, 400))
	add("lengths/incomplete", begin().head(1, 257, 1, lens(19, 1, 2, 18, 1)).put(0, 400))
	add("lengths/oversubscribed", begin().head(1, 257, 1, lens(19, 1, 1, 17, 1, 18, 1)).put(0, 400))
	use := lens(19, 0, 2, 1, 2, 16, 3, 17, 3, 18, 2)
	add("lengths/repeat-nothing", begin().head(1, 257, 1, use).symbol(use, 16).put(0, 400))
	zeros := func(w *bitWriter) *bitWriter { // 255 of them, and one code for 255
		return w.symbol(use, 18).put(127, 7).symbol(use, 18).put(106, 7).symbol(use, 1)
	}
	add("lengths/past-end", zeros(begin().head(1, 257, 1, use)).symbol(use, 1).symbol(use, 17).put(0, 400))
	add("lengths/across", zeros(begin().head(1, 257, 2, use)).symbol(use, 16).put(0, 2).put(1, 1).put(0, 400))
	return all
}

func framings() []stream {
	body := new(bitWriter).stored(1, "hello").b
	ok := framed(body)
	empty := framed(new(bitWriter).stored(1, "").b)
	var all []stream
	add := func(name string, parts ...[]byte) {
		all = append(all, stream{"frame/" + name, bytes.Join(parts, nil)})
	}
	for bit := range 8 {
		h := plainHeader()
		h[3] = 1 << bit
		add(fmt.Sprint("flag-", bit), h, ok[10:])
		add(fmt.Sprint("flag-", bit, "/filled"), h, []byte{2, 0, 'x', 0}, ok[10:])
	}
	full := append(plainHeader(), 3, 0, 'a', 'b', 'c')
	full[3] = flagExtra | flagName | flagComment | flagHeaderCRC | 1
	full = append(append(append(full, "name\x00"...), bytes.Repeat([]byte("c"), 3000)...), 0)
	sum := crc32.ChecksumIEEE(full)
	add("full", full, []byte{byte(sum), byte(sum >> 8)}, ok[10:])
	add("full/wrong-sum", full, []byte{byte(sum), byte(sum>>8) ^ 1}, ok[10:])
	extra := append(plainHeader(), 0xff, 0xff)
	extra[3] = flagExtra
	add("extra-long", extra, make([]byte, 65535), ok[10:])
	add("extra-cut", extra, make([]byte, 65534))
	add("two-members", ok, ok)
	add("empty-members", empty, empty, empty)
	add("empty-then-full", empty, ok)
	add("zero", ok, []byte{0})
	add("zero-then-anything", ok, []byte{0, 1, 2}, ok)
	add("zeros-between", ok, make([]byte, 512), ok)
	add("anything", ok, []byte("anything at all"))
	add("magic-only", ok, []byte{0x1f, 0x8b})
	add("one-byte-more", ok, []byte{0x1f})
	add("one-other-byte-more", ok, []byte{'x'})
	add("second-cut", ok, ok[:len(ok)-1])
	add("second-wrong", ok, ok[:len(ok)-9], []byte{1, 2, 3, 4, 5, 6, 7, 8, 9})
	for i := range 8 {
		wrong := bytes.Clone(ok)
		wrong[len(wrong)-1-i] ^= 4
		add(fmt.Sprint("trailer-", i), wrong)
	}
	for i := range 4 {
		wrong := bytes.Clone(ok)
		wrong[i] ^= 0x81
		add(fmt.Sprint("header-", i), wrong)
	}
	// A distance must not reach into the member before.
	fl, fd := fixedLens()
	far := framed(new(bitWriter).fixed(1).match(fl, fd, 3, 1).symbol(fl, 256).b)
	add("into-member-before", ok, far)
	return all
}

// randomDynamic is a dynamic block with code lengths that are just right or just wrong, and random bits behind them.
func randomDynamic(rng *rand.Rand) []byte {
	lit, dist := make([]int, 257+rng.IntN(30)), make([]int, 1+rng.IntN(30))
	randomTree(rng, lit)
	if lit[256] == 0 && rng.IntN(20) > 0 {
		for s, l := range lit {
			if l != 0 {
				lit[256], lit[s] = l, 0
				break
			}
		}
	}
	randomTree(rng, dist)
	w := new(bitWriter)
	if rng.IntN(3) == 0 {
		w.stored(0, "some history to refer to, some history to refer to")
	}
	w.dynamic(rng.IntN(2), lit, dist)
	for range rng.IntN(2000) {
		w.put(rng.IntN(256), 8)
	}
	return w.b
}

// randomTree splits leaves of a tree until some symbols have codes, and now and then spoils it.
func randomTree(rng *rand.Rand, lens []int) {
	n := 1 + rng.IntN(len(lens))
	if rng.IntN(8) == 0 {
		n = 1 + rng.IntN(min(3, len(lens)))
	}
	leaves := []int{0}
	deep := rng.IntN(3)
	for tries := 0; len(leaves) < n && tries < 2000; tries++ {
		i := rng.IntN(len(leaves))
		if rng.IntN(3) < deep {
			i = len(leaves) - 1
		}
		if leaves[i] < 15 {
			leaves[i]++
			leaves = append(leaves, leaves[i])
		}
	}
	if len(leaves) == 1 {
		leaves[0] = rng.IntN(3)
	}
	order := rng.Perm(len(lens))
	for i, l := range leaves {
		lens[order[i]] = l
	}
	if rng.IntN(12) == 0 {
		lens[rng.IntN(len(lens))] = rng.IntN(16)
	}
}
