package packument

import (
	"math"
	"sync"
	"time"

	"weft/internal/jsonval"
)

// Values of a timeTable beside milliseconds since 1970.
const (
	noTime  = math.MinInt64     // the document gives no time for the version
	badTime = math.MinInt64 + 1 // it gives something that is no date
)

// timeTable has when versions were published. Only full documents say so; the table is made at first use.
type timeTable struct {
	raw    string // the member "time"; "" where there is none or the rest is there already
	stated bool   // whether the document has times
	once   sync.Once
	// millis has an element a version, or is nil where the document says nothing of times.
	millis []int64
	// others has the times of what is no version of the document, such as versions that were unpublished.
	others map[string]int64
}

// published returns the table, reading it where that has not been done.
func (p *Packument) published() *timeTable {
	p.times.once.Do(func() {
		if p.times.raw != "" {
			p.times.read(&p.versions)
		}
	})
	return &p.times
}

// of returns the time of a version that is one of the document or not.
func (t *timeTable) of(v *versions, version string) int64 {
	if i, ok := v.find(version); ok {
		return t.millis[i]
	}
	if ms, ok := t.others[version]; ok {
		return ms
	}
	return noTime
}

// read reads the member "time" for the given versions.
func (t *timeTable) read(v *versions) {
	t.millis = make([]int64, len(v.list))
	for i := range t.millis {
		t.millis[i] = noTime
	}
	next := 0
	s := jsonval.NewScanner(bytesOf(t.raw))
	_ = s.Members(func(key string) error { // a broken rest leaves its versions without times
		ms, err := readTime(s)
		if err != nil {
			return err
		}
		i, ok := next, next < len(v.list) && v.list[next].key == key // times mostly come in the versions' order
		if !ok {
			i, ok = v.find(key)
		}
		if ok {
			t.millis[i], next = ms, i+1
			return nil
		}
		t.other(key, ms)
		return nil
	})
}

// other notes the time of what is no version of the document.
func (t *timeTable) other(key string, ms int64) {
	if t.others == nil {
		t.others = make(map[string]int64)
	}
	t.others[key] = ms
}

func readTime(s *jsonval.Scanner) (int64, error) {
	if kind, _ := s.Kind(); kind == jsonval.String {
		text, err := s.Str()
		return timeOfText(text), err
	}
	v, err := s.Value()
	switch {
	case err != nil || !v.Truthy():
		return noTime, err
	case v.Kind() == jsonval.Number:
		return timeOfText(v.NumText()), nil
	}
	return badTime, nil
}

func timeOfText(text string) int64 {
	if text == "" {
		return noTime
	}
	if ms, ok := parseDate(text); ok {
		return ms
	}
	return badTime
}

// Time returns when a version was published; ok is false where the document does not say or says nonsense.
// Abbreviated documents never say.
func (p *Packument) Time(version string) (t time.Time, ok bool) {
	times := p.published()
	i, found := p.versions.find(version)
	if !times.stated || !found || times.millis[i] <= badTime {
		return time.Time{}, false
	}
	return time.UnixMilli(times.millis[i]).UTC(), true
}

// HasTimes reports whether the document says when versions were published. It does not read what it says.
func (p *Packument) HasTimes() bool { return p.times.stated }
