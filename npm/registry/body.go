package registry

import (
	"io"
)

// trusted is how much is allocated on a Content-Length's word alone. More
// comes as bytes do.
const trusted = 8 << 20

// sink says how a body is read.
type sink struct {
	alloc    func(size int) []byte // gives length 0 and at least that capacity
	free     func([]byte)          // takes back what alloc gave; nil to forget it
	limit    int64                 // bytes
	progress func(done, total int64)
}

// readAll reads a body of the given length (-1 if unknown) to its end. On an
// error the buffer is given back. A body that is shorter than promised is
// io.ErrUnexpectedEOF; a longer one than the limit is errTooLarge.
func (s sink) readAll(r io.Reader, length int64) ([]byte, error) {
	if length > s.limit {
		return nil, errTooLarge
	}
	size := int64(32 << 10)
	if length >= 0 {
		size = min(length, trusted)
	}
	b := s.alloc(int(size))
	for {
		if len(b) == cap(b) {
			if length >= 0 && int64(len(b)) >= length {
				break
			}
			b = s.grow(b, length)
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if int64(len(b)) > s.limit {
			return s.fail(b, errTooLarge)
		}
		if n > 0 && s.progress != nil {
			s.progress(int64(len(b)), length)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return s.fail(b, err)
		}
		if length >= 0 && int64(len(b)) >= length {
			break
		}
	}
	if length >= 0 && int64(len(b)) < length {
		return s.fail(b, io.ErrUnexpectedEOF)
	}
	return b, nil
}

func (s sink) grow(b []byte, length int64) []byte {
	size := 2 * int64(cap(b))
	if length >= 0 {
		size = min(size, length)
	}
	size = max(min(size, s.limit+1), int64(cap(b))+1)
	bigger := append(s.alloc(int(size)), b...)
	s.release(b)
	return bigger
}

func (s sink) fail(b []byte, err error) ([]byte, error) {
	s.release(b)
	return nil, err
}

func (s sink) release(b []byte) {
	if s.free != nil {
		s.free(b)
	}
}
