package registry

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"time"
)

// A cache file is a head and a body, integers little-endian:
//
//	8 bytes   cacheMagic
//	4 bytes   CRC-32C of the rest of the head, padding left out
//	4 bytes   room: where the body begins
//	4 bytes   length of the head's content, which is:
//	   8 bytes   time of receipt, Unix milliseconds
//	   4 bytes   CRC-32C of the body
//	   8 bytes   length of the body
//	   texts     address, then validity's texts in the order of its fields,
//	             each with a length of 4 bytes before it
//	padding   up to room
//	body, as the registry sent it, with gzip undone
//
// The head has room to spare, so that an answer of "not modified" rewrites the
// head alone. A body is never changed in place.
const cacheMagic = "weftdoc1"

const (
	headFixed  = 20 // up to the head's content
	bodyFields = 20 // the content up to the texts
	roomSpare  = 128
	roomMax    = 64 << 10
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errCacheFile = errors.New("not a usable cache file")

// entry is a stored document.
type entry struct {
	validity validity
	body     []byte
}

// texts lists the fields in the order in which they are stored.
func (v *validity) texts() []*string {
	return []*string{
		&v.ETag, &v.LastModified, &v.CacheControl, &v.Expires,
		&v.Date, &v.Pragma, &v.Vary, &v.ContentType,
	}
}

// encodeHead writes a head of the given room, or of as much as it needs and
// some to spare where room is 0. It gives nil where room is too small.
func encodeHead(address string, e entry, room int) []byte {
	b := make([]byte, headFixed, 768)
	copy(b, cacheMagic)
	b = binary.LittleEndian.AppendUint64(b, uint64(e.validity.Received.UnixMilli()))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(e.body, castagnoli))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(e.body)))
	for _, text := range append([]*string{&address}, e.validity.texts()...) {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(*text)))
		b = append(b, *text...)
	}
	length := len(b) - headFixed
	if room == 0 {
		room = len(b) + roomSpare
	}
	if len(b) > room || room > roomMax {
		return nil
	}
	binary.LittleEndian.PutUint32(b[12:], uint32(room))
	binary.LittleEndian.PutUint32(b[16:], uint32(length))
	binary.LittleEndian.PutUint32(b[8:], crc32.Checksum(b[12:], castagnoli))
	return append(b, make([]byte, room-len(b))...)
}

// head is what a file says before its body.
type head struct {
	entry   entry // without the body
	address string
	room    int
	bodySum uint32
	bodyLen uint64
}

// decodeHead reads a head from the beginning of a file.
func decodeHead(data []byte) (head, error) {
	if len(data) < headFixed+bodyFields || string(data[:8]) != cacheMagic {
		return head{}, errCacheFile
	}
	room, length := binary.LittleEndian.Uint32(data[12:]), binary.LittleEndian.Uint32(data[16:])
	end := headFixed + uint64(length)
	if room > roomMax || end > uint64(room) || uint64(room) > uint64(len(data)) || length < bodyFields {
		return head{}, errCacheFile
	}
	if crc32.Checksum(data[12:end], castagnoli) != binary.LittleEndian.Uint32(data[8:]) {
		return head{}, errCacheFile
	}
	content := data[headFixed:end]
	h := head{
		room:    int(room),
		bodySum: binary.LittleEndian.Uint32(content[8:]),
		bodyLen: binary.LittleEndian.Uint64(content[12:]),
	}
	h.entry.validity.Received = time.UnixMilli(int64(binary.LittleEndian.Uint64(content)))
	rest := content[bodyFields:]
	for _, text := range append([]*string{&h.address}, h.entry.validity.texts()...) {
		if len(rest) < 4 {
			return head{}, errCacheFile
		}
		n := binary.LittleEndian.Uint32(rest)
		if uint64(n) > uint64(len(rest)-4) {
			return head{}, errCacheFile
		}
		*text = string(rest[4 : 4+n])
		rest = rest[4+n:]
	}
	if len(rest) != 0 {
		return head{}, errCacheFile
	}
	return h, nil
}

// decodeEntry reads a whole file, whose address must be the one asked for. The
// body is a part of data.
func decodeEntry(data []byte, address string) (*entry, error) {
	h, err := decodeHead(data)
	if err != nil {
		return nil, err
	}
	body := data[h.room:]
	if h.address != address || uint64(len(body)) != h.bodyLen || crc32.Checksum(body, castagnoli) != h.bodySum {
		return nil, errCacheFile
	}
	h.entry.body = body
	return &h.entry, nil
}
