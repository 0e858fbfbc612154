package tarball

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
)

// item is one entry for writeTar, which writes what it is told, valid or not.
type item struct {
	name   string
	body   string
	mode   int    // 0 means 0644; use rawMode for a real zero
	typ    byte   // 0 means a plain file; use 'z' for a zero byte
	link   string // link name
	prefix string // ustar prefix
	gnu    bool   // GNU's magic
	v7     bool   // no magic at all

	pax      [][2]string // an x header before the entry
	longName string      // an L header before the entry
	longLink string      // a K header before the entry

	rawMode string             // the mode field as it is
	rawSize string             // the size field as it is
	badSum  bool               // a wrong checksum
	raw     string             // bytes in place of the entry
	patch   func(block []byte) // changes the block before the sum is taken
}

func pad(b []byte) []byte {
	return append(b, make([]byte, (blockBytes-len(b)%blockBytes)%blockBytes)...)
}

func writeHeader(it item) []byte {
	block := make([]byte, blockBytes)
	copy(block[0:100], it.name)
	mode := it.mode
	if mode == 0 {
		mode = 0o644
	}
	copy(block[100:108], fmt.Sprintf("%07o\x00", mode))
	if it.rawMode != "" {
		copy(block[100:108], it.rawMode)
	}
	copy(block[108:116], "0000000\x00")
	copy(block[116:124], "0000000\x00")
	copy(block[124:136], fmt.Sprintf("%011o\x00", len(it.body)))
	if it.rawSize != "" {
		copy(block[124:136], it.rawSize+strings.Repeat("\x00", 12))
	}
	copy(block[136:148], "03560116604\x00")
	switch it.typ {
	case 0:
		block[156] = '0'
	case 'z':
	default:
		block[156] = it.typ
	}
	copy(block[157:257], it.link)
	switch {
	case it.v7:
	case it.gnu:
		copy(block[257:265], "ustar  \x00")
	default:
		copy(block[257:265], "ustar\x0000")
	}
	copy(block[345:500], it.prefix)
	if it.patch != nil {
		it.patch(block)
	}
	sum := 8 * ' '
	for i, c := range block {
		if i < 148 || i >= 156 {
			sum += rune(c)
		}
	}
	if it.badSum {
		sum = 1
	}
	copy(block[148:156], fmt.Sprintf("%06o\x00 ", sum))
	return block
}

func paxBody(records [][2]string) string {
	var out strings.Builder
	for _, r := range records {
		rest := " " + r[0] + "=" + r[1] + "\n"
		n := len(rest) + 1
		for len(fmt.Sprint(n))+len(rest) != n {
			n = len(fmt.Sprint(n)) + len(rest)
		}
		out.WriteString(fmt.Sprint(n) + rest)
	}
	return out.String()
}

// writeOpen writes entries without the two blocks that end an archive.
func writeOpen(items ...item) []byte {
	var out []byte
	for _, it := range items {
		if it.raw != "" {
			out = append(out, it.raw...)
			continue
		}
		if it.pax != nil {
			out = append(out, writeOpen(item{name: "PaxHeader/x", typ: 'x', body: paxBody(it.pax)})...)
		}
		if it.longName != "" {
			out = append(out, writeOpen(item{name: "././@LongLink", typ: 'L', gnu: true, body: it.longName + "\x00"})...)
		}
		if it.longLink != "" {
			out = append(out, writeOpen(item{name: "././@LongLink", typ: 'K', gnu: true, body: it.longLink + "\x00"})...)
		}
		out = append(out, writeHeader(it)...)
		out = append(out, pad([]byte(it.body))...)
	}
	return out
}

func writeTar(items ...item) []byte {
	return append(writeOpen(items...), make([]byte, 2*blockBytes)...)
}

// writeGzip makes one member of stored blocks, the same bytes everywhere.
func writeGzip(data []byte) []byte {
	out := []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}
	sum, size := crc32.ChecksumIEEE(data), uint32(len(data))
	for {
		n := min(len(data), 65535)
		last := byte(0)
		if n == len(data) {
			last = 1
		}
		out = append(out, last, byte(n), byte(n>>8), ^byte(n), ^byte(n>>8))
		out = append(out, data[:n]...)
		data = data[n:]
		if last == 1 {
			break
		}
	}
	out = binary.LittleEndian.AppendUint32(out, sum)
	return binary.LittleEndian.AppendUint32(out, size)
}

func repeat(s string, n int) string { return strings.Repeat(s, n) }

func concat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
