package packument

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"
)

func TestCacheRejectsDamage(t *testing.T) {
	p := mustParse(t, string(fullDocument(12, "")))
	good := p.AppendCache(nil)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	head := len(good) - p.Compact().manifestBytes()
	for range 3000 {
		bad := append([]byte(nil), good...)
		switch r.IntN(3) {
		case 0:
			bad = bad[:r.IntN(len(bad))]
		case 1:
			bad[r.IntN(head)] ^= byte(1 + r.IntN(255))
		case 2:
			bad = append(bad, make([]byte, 1+r.IntN(9))...)
		}
		if _, err := FromCache(bad); !errors.Is(err, ErrCacheFormat) {
			t.Fatalf("damage was not found: %v", err)
		}
	}
	if _, err := FromCache([]byte(`{"name":"x"}`)); !errors.Is(err, ErrCacheFormat) {
		t.Errorf("JSON passed: %v", err)
	}
}

// manifestBytes returns how long all manifests are together.
func (p *Packument) manifestBytes() (n int) {
	for _, set := range p.sets() {
		for _, e := range set.list {
			n += int(e.end - e.start)
		}
	}
	return n
}

func TestDates(t *testing.T) {
	for s, want := range map[string]int64{
		"1970-01-01T00:00:00.001Z": 1, "1970-01-01T00:00:01Z": 1000, "1969-12-31T23:59:59.000Z": -1000, "2024-02-29T12:34:56.789Z": 1709210096789,
		"1970-01-02": 86400000, "1971": 31536000000, "1970-01-01T01:00:00+01:00": 0, "Thu, 01 Jan 1970 00:00:05 GMT": 5000,
		"nonsense": badTime, "2024-13-01T00:00:00.000Z": badTime, "": noTime, "1970-01-01T00:00:0x.000Z": badTime,
	} {
		if got := timeOfText(s); got != want {
			t.Errorf("%q is %d, want %d", s, got, want)
		}
	}
}
