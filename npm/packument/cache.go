package packument

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
)

// ErrCacheFormat is the condition of bytes that AppendCache has not written, or not in this version.
var ErrCacheFormat = errors.New("not a cached packument")

// cacheMagic begins the cached form; its last character is the version of the format:
//
//	magic
//	uvarint length of the head, 4 bytes CRC-32C of the head
//	head: name, modified, message of the policy
//	      tags: count, then name and version each
//	      engines: count, then node, npm and a byte of flags each
//	      three sets (versions, staged, restricted): count, then key, length of the manifest, and facts each
//	      a byte: whether there are times; if so a time a version, then count, key and time of others
//	text: the manifests, one after another in the order of the head
//
// Numbers are uvarints; a string is its length and its bytes; a time is 0 for none, 1 for nonsense, else 2 more
// than its zigzag form.
const cacheMagic = "weftpkm1"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AppendCache appends the compact form of p to dst, for FromCache. Equal packuments give equal bytes.
func (p *Packument) AppendCache(dst []byte) []byte {
	p = p.Compact()
	head := p.appendHead(nil)
	dst = append(dst, cacheMagic...)
	dst = binary.AppendUvarint(dst, uint64(len(head)))
	dst = binary.LittleEndian.AppendUint32(dst, crc32.Checksum(head, castagnoli))
	dst = append(dst, head...)
	for _, set := range p.sets() {
		for i := range set.list {
			dst = append(dst, set.raw(p, i)...)
		}
	}
	return dst
}

// sets returns the three sets of versions.
func (p *Packument) sets() [3]*versions { return [3]*versions{&p.versions, &p.staged, &p.restricted} }

func appendString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

func (p *Packument) appendHead(dst []byte) []byte {
	dst = appendString(dst, p.Name)
	dst = appendString(dst, p.Modified)
	dst = appendString(dst, p.restriction)
	dst = binary.AppendUvarint(dst, uint64(len(p.tags)))
	for _, t := range p.tags {
		dst = appendString(appendString(dst, t.Name), t.Version)
	}
	list := p.engines.list
	dst = binary.AppendUvarint(dst, uint64(max(len(list), 1)-1))
	for i := 1; i < len(list); i++ {
		e := list[i]
		dst = append(appendString(appendString(dst, e.node), e.npm), flag(e.nodeBad, 1)|flag(e.npmBad, 2))
	}
	for _, set := range p.sets() {
		dst = binary.AppendUvarint(dst, uint64(len(set.list)))
		for _, e := range set.list {
			dst = appendString(dst, e.key)
			dst = binary.AppendUvarint(dst, uint64(e.end-e.start))
			dst = binary.AppendUvarint(dst, uint64(e.facts))
		}
	}
	return p.published().append(dst)
}

func flag(on bool, bit byte) byte {
	if on {
		return bit
	}
	return 0
}

func (t *timeTable) append(dst []byte) []byte {
	if !t.stated {
		return append(dst, 0)
	}
	dst = append(dst, 1)
	for _, ms := range t.millis {
		dst = appendTime(dst, ms)
	}
	dst = binary.AppendUvarint(dst, uint64(len(t.others)))
	for _, key := range slices.Sorted(maps.Keys(t.others)) {
		dst = appendTime(appendString(dst, key), t.others[key])
	}
	return dst
}

func appendTime(dst []byte, ms int64) []byte {
	switch ms {
	case noTime, badTime:
		return append(dst, byte(ms-noTime))
	}
	return binary.AppendUvarint(dst, (uint64(ms)<<1^uint64(ms>>63))+2)
}

// FromCache reads what AppendCache wrote. The Packument keeps data, which must not change from then on.
// Manifests are not looked at. The error wraps ErrCacheFormat.
func FromCache(data []byte) (*Packument, error) {
	whole := share(data)
	r := cacheReader{s: whole}
	if len(data) > MaxSize || !r.magic() {
		return nil, fmt.Errorf("read cached packument: %w", ErrCacheFormat)
	}
	p := &Packument{compact: true, text: whole}
	text := r.head(p)
	if r.bad || text != len(r.text) {
		return nil, fmt.Errorf("read cached packument of %q: %w", p.Name, ErrCacheFormat)
	}
	return p, nil
}

// cacheReader takes a cached form apart. What it meets beyond the end or beyond sense makes it bad, and zero from then on.
type cacheReader struct {
	s    string // what is left of the head
	text string // the manifests
	bad  bool
}

// magic checks the frame and leaves the head in s.
func (r *cacheReader) magic() bool {
	if len(r.s) < len(cacheMagic) || r.s[:len(cacheMagic)] != cacheMagic {
		return false
	}
	r.s = r.s[len(cacheMagic):]
	n := r.number(len(r.s))
	if r.bad || len(r.s) < 4+n {
		return false
	}
	sum := binary.LittleEndian.Uint32(bytesOf(r.s[:4]))
	r.s, r.text = r.s[4:4+n], r.s[4+n:]
	return crc32.Checksum(bytesOf(r.s), castagnoli) == sum
}

// uvarint takes a number.
func (r *cacheReader) uvarint() uint64 {
	n, size := binary.Uvarint(bytesOf(r.s[:min(len(r.s), binary.MaxVarintLen64)]))
	if size <= 0 {
		r.bad, r.s = true, ""
		return 0
	}
	r.s = r.s[size:]
	return n
}

// number takes a number that must not exceed most.
func (r *cacheReader) number(most int) int {
	n := r.uvarint()
	if n > uint64(most) {
		r.bad, r.s = true, ""
		return 0
	}
	return int(n)
}

// count takes the number of things of which each fills at least size bytes of the head.
func (r *cacheReader) count(size int) int { return r.number(len(r.s) / size) }

func (r *cacheReader) string() string {
	n := r.number(len(r.s))
	s := r.s[:n]
	r.s = r.s[n:]
	return s
}

func (r *cacheReader) byte() byte {
	if r.s == "" {
		r.bad = true
		return 0
	}
	b := r.s[0]
	r.s = r.s[1:]
	return b
}

// head fills p and returns the length of text that its manifests take.
func (r *cacheReader) head(p *Packument) (text int) {
	p.Name, p.Modified, p.restriction = r.string(), r.string(), r.string()
	if n := r.count(2); n > 0 {
		p.tags = make([]Tag, n)
		for i := range p.tags {
			p.tags[i] = Tag{r.string(), r.string()}
		}
	}
	if n := r.count(3); n > 0 {
		p.engines.list = make([]engines, n+1)
		for i := 1; i <= n; i++ {
			e := engines{node: r.string(), npm: r.string()}
			flags := r.byte()
			e.nodeBad, e.npmBad = flags&1 != 0, flags&2 != 0
			p.engines.list[i] = e
		}
	}
	base := len(p.text) - len(r.text)
	for _, set := range p.sets() {
		text = r.set(set, max(len(p.engines.list), 1), base, text)
	}
	r.times(p)
	return text
}

// set reads one set of versions whose manifests begin at text.
func (r *cacheReader) set(v *versions, engines, base, text int) int {
	n := r.count(3)
	if n == 0 {
		return text
	}
	v.list = make([]entry, n)
	for i := range v.list {
		key := r.string()
		size := r.number(len(r.text) - text)
		word := r.uvarint()
		f := facts(word)
		if uint64(f) != word || f.engines() >= engines || f&factsKnown == 0 {
			r.bad = true
		}
		v.list[i] = entry{key: key, start: uint32(base + text), end: uint32(base + text + size), facts: uint32(f)}
		text += size
	}
	if !r.bad {
		v.index.grow(v.list)
	}
	return text
}

func (r *cacheReader) times(p *Packument) {
	if r.byte() == 0 {
		return
	}
	p.times.stated = true
	p.times.millis = make([]int64, len(p.versions.list))
	for i := range p.times.millis {
		p.times.millis[i] = r.time()
	}
	n := r.count(2)
	if n > 0 {
		p.times.others = make(map[string]int64, n)
	}
	for range n {
		key := r.string()
		p.times.others[key] = r.time()
	}
}

func (r *cacheReader) time() int64 {
	n := r.uvarint()
	if n < 2 {
		return noTime + int64(n)
	}
	n -= 2
	return int64(n>>1) ^ -int64(n&1)
}
