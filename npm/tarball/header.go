package tarball

import (
	"bytes"
	"errors"
	"math"
)

const blockBytes = 512

// Entry types that the reader tells apart; the zero byte of old tars is read as typeFile.
const (
	typeFile       = '0'
	typeLink       = '1'
	typeSymlink    = '2'
	typeDirectory  = '5'
	typeContiguous = '7'
	typePax        = 'x'
	typePaxOld     = 'X'
	typePaxGlobal  = 'g'
	typeLongLink   = 'K'
	typeLongPath   = 'L'
	typeLongOld    = 'N'
	typeUnknown    = '?'
)

// known lists every type letter that npm has a name for; typeNormal those of real entries, to which extensions apply.
const (
	known      = "01234567gxADIKLMNSVX"
	typeNormal = "01234567D"
)

var errNumber = errors.New("bad number in a header")

// header is one decoded header block, with the extensions that apply to it.
type header struct {
	path  string // before ReadEntry's overrides; with the ustar prefix
	typ   byte
	size  float64 // of the body; JavaScript's number, since a PAX record may say 1.5
	mode  int64
	link  string // the block's own, whatever an extension says
	valid bool   // the checksum is right
	null  bool   // the block is empty
}

// decodeHeader reads one block. An error means that a number cannot be represented; npm skips such a block unseen.
func decodeHeader(block []byte, ex, gex *extension) (header, error) {
	var h header
	typ := block[156]
	normal := typ == 0 || bytes.IndexByte([]byte(typeNormal), typ) >= 0
	forFields, globalForFields := ex, gex
	if !normal {
		forFields, globalForFields = nil, nil
	}
	if forFields.has(fieldPath) {
		h.path = forFields.path
	} else {
		h.path = text(block[0:100])
	}
	if err := h.decodeNumbers(block, forFields, globalForFields); err != nil {
		return h, err
	}
	h.typ = typeUnknown
	if typ == 0 {
		h.typ = typeFile
	} else if bytes.IndexByte([]byte(known), typ) >= 0 {
		h.typ = typ
	}
	if h.typ == typeFile && h.path != "" && h.path[len(h.path)-1] == '/' {
		h.typ = typeDirectory
	}
	if h.typ == typeDirectory {
		h.size = 0
	}
	h.link = text(block[157:257])
	if string(block[257:265]) == "ustar\x0000" {
		if err := h.decodeUstar(block, ex, gex); err != nil {
			return h, err
		}
	}
	return h, h.checkSum(block)
}

// decodeNumbers reads mode and size, and checks that the numbers nobody needs could be read too.
func (h *header) decodeNumbers(block []byte, ex, gex *extension) error {
	mode, _, err := fieldNumber(block[100:108])
	if err != nil {
		return err
	}
	h.mode = int64(mode)
	for _, n := range []struct {
		field byte
		bytes []byte
	}{{fieldUID, block[108:116]}, {fieldGID, block[116:124]}, {fieldMtime, block[136:148]}} {
		if !ex.has(n.field) && !gex.has(n.field) {
			if _, _, err := fieldNumber(n.bytes); err != nil {
				return err
			}
		}
	}
	switch {
	case ex.has(fieldSize):
		h.size = ex.size
	case gex.has(fieldSize):
		h.size = gex.size
	default:
		size, ok, err := fieldNumber(block[124:136])
		if err != nil {
			return err
		}
		if ok && size > 0 {
			h.size = size
		}
	}
	return nil
}

// decodeUstar applies the prefix field, whose end holds times in old archives.
func (h *header) decodeUstar(block []byte, ex, gex *extension) error {
	for _, field := range [][]byte{block[329:337], block[337:345]} {
		if _, _, err := fieldNumber(field); err != nil {
			return err
		}
	}
	if block[475] != 0 {
		h.path = text(block[345:500]) + "/" + h.path
		return nil
	}
	if prefix := text(block[345:475]); prefix != "" {
		h.path = prefix + "/" + h.path
	}
	for _, n := range []struct {
		field byte
		bytes []byte
	}{{fieldAtime, block[476:488]}, {fieldCtime, block[488:500]}} {
		if !ex.has(n.field) && !gex.has(n.field) {
			if _, _, err := fieldNumber(n.bytes); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkSum compares the unsigned sum of the block, its own field read as spaces. npm reads twelve bytes there where the
// format has eight, which matters to a field without a terminator.
func (h *header) checkSum(block []byte) error {
	want, ok, err := fieldNumber(block[148:160])
	if err != nil {
		return err
	}
	sum := 8 * int(' ')
	for _, c := range block[:148] {
		sum += int(c)
	}
	for _, c := range block[156:] {
		sum += int(c)
	}
	h.valid = ok && want == float64(sum)
	h.null = !ok && sum == 8*int(' ')
	return nil
}

// fieldNumber reads an octal or base-256 field; ok is false where there is no number.
func fieldNumber(field []byte) (value float64, ok bool, err error) {
	if field[0]&0x80 == 0 {
		if value, ok, plain := plainOctal(field); plain {
			return value, ok, nil
		}
		value, ok = parseInt(decodeUTF8(field), 8)
		return value, ok, nil
	}
	switch field[0] {
	case 0x80:
		for _, c := range field[1:] {
			value = value*256 + float64(c)
		}
	case 0xff:
		// Two's complement over the whole field, without the carry beyond the last byte that is not zero.
		last := len(field) - 1
		for last > 0 && field[last] == 0 {
			last--
		}
		for i, c := range field {
			inverted := float64(^c)
			switch {
			case i == last:
				inverted = float64(byte(^c + 1))
			case i > last:
				inverted = 0
			}
			value = value*256 + inverted
		}
		value = -value
	default:
		return 0, false, errNumber
	}
	const maxSafeInteger = 1<<53 - 1
	if math.Abs(value) > maxSafeInteger {
		return 0, false, errNumber
	}
	return value, true, nil
}

// plainOctal reads what nearly every field is: digits up to a NUL or a space. It is not plain if anything else comes
// first, and there is no number if nothing does.
func plainOctal(field []byte) (value float64, ok, plain bool) {
	var n uint64
	for i, c := range field {
		if c < '0' || c > '7' {
			return float64(n), i > 0, i > 0 || c == 0
		}
		n = n<<3 | uint64(c-'0')
	}
	return float64(n), true, true
}
