package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
)

// The index of a package lies beside its files and says all that linking needs, so that no folder is listed and no file
// is looked at. It is read in one go and used as it is: records of fixed size that point into one run of text.
//
//	0   magic "weftidx1", the version in its last byte
//	8   checksum of everything from byte 16 on
//	16  length of the whole index
//	20  number of files
//	24  number of folders
//	28  length of the key, of the text and of package.json, 4 bytes each
//	40  files: 24 bytes each: path offset 4, path length 2, mode 2, size 8, checksum 8
//	    folders: 8 bytes each: path offset 4, path length 2, zero 2; parents come before what is in them
//	    key, text (all paths), package.json
//
// Numbers are little-endian.
const (
	indexMagic   = "weftidx1"
	headerBytes  = 40
	fileBytes    = 24
	folderBytes  = 8
	maxIndexSize = 1 << 30
)

var errIndex = errors.New("the index is not whole")

// indexPath is one path while an index is being made.
type indexPath struct{ offset, length int }

// indexWriter collects what goes into an index.
type indexWriter struct {
	files   []File
	folders []string
	text    []byte
	at      []indexPath // of files, then of folders
}

// encode lays the index out. manifest is package.json, or nil.
func (w *indexWriter) encode(key string, manifest []byte) []byte {
	w.text, w.at = w.text[:0], w.at[:0]
	for _, f := range w.files {
		w.addText(f.Path)
	}
	for _, dir := range w.folders {
		w.addText(dir)
	}
	size := headerBytes + fileBytes*len(w.files) + folderBytes*len(w.folders) + len(key) + len(w.text) + len(manifest)
	out := make([]byte, headerBytes, size)
	copy(out, indexMagic)
	le := binary.LittleEndian
	for i, n := range []int{size, len(w.files), len(w.folders), len(key), len(w.text), len(manifest)} {
		le.PutUint32(out[16+4*i:], uint32(n))
	}
	for i, f := range w.files {
		out = le.AppendUint32(out, uint32(w.at[i].offset))
		out = le.AppendUint16(out, uint16(w.at[i].length))
		out = le.AppendUint16(out, uint16(f.Mode.Perm()))
		out = le.AppendUint64(out, uint64(f.Size))
		out = le.AppendUint64(out, f.Hash)
	}
	for _, at := range w.at[len(w.files):] {
		out = le.AppendUint32(out, uint32(at.offset))
		out = le.AppendUint32(out, uint32(at.length))
	}
	out = append(out, key...)
	out = append(out, w.text...)
	out = append(out, manifest...)
	le.PutUint64(out[8:], checksum(out[16:]))
	return out
}

func (w *indexWriter) addText(path string) {
	w.at = append(w.at, indexPath{len(w.text), len(path)})
	w.text = append(w.text, path...)
}

// decode reads an index into p, which keeps nothing of data. Paths are cut from one copy of the text.
func (p *Package) decode(data []byte) error {
	if len(data) < headerBytes || string(data[:8]) != indexMagic {
		return errIndex
	}
	le := binary.LittleEndian
	if checksum(data[16:]) != le.Uint64(data[8:]) {
		return errIndex
	}
	var n [6]uint64
	for i := range n {
		n[i] = uint64(le.Uint32(data[16+4*i:]))
	}
	size, files, folders, keyLen, textLen, manifestLen := n[0], n[1], n[2], n[3], n[4], n[5]
	tail := headerBytes + fileBytes*files + folderBytes*folders
	if size != uint64(len(data)) || size != tail+keyLen+textLen+manifestLen {
		return errIndex
	}
	p.Key = string(data[tail : tail+keyLen])
	text := string(data[tail+keyLen : tail+keyLen+textLen])
	p.manifest = bytes.Clone(data[size-manifestLen:])
	cut := func(record []byte) (string, bool) {
		offset, length := uint64(le.Uint32(record)), uint64(le.Uint16(record[4:]))
		if offset+length > textLen {
			return "", false
		}
		return text[offset : offset+length], true
	}
	records := data[headerBytes:tail]
	p.Files = make([]File, files)
	for i := range p.Files {
		path, ok := cut(records)
		if !ok {
			return errIndex
		}
		p.Files[i] = File{
			Path: path,
			Mode: fs.FileMode(le.Uint16(records[6:])) & fs.ModePerm,
			Size: int64(le.Uint64(records[8:])),
			Hash: le.Uint64(records[16:]),
		}
		records = records[fileBytes:]
	}
	p.Folders = make([]string, folders)
	for i := range p.Folders {
		var ok bool
		if p.Folders[i], ok = cut(records); !ok {
			return errIndex
		}
		records = records[folderBytes:]
	}
	return nil
}
