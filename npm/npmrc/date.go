package npmrc

import (
	"fmt"
	"strings"
	"time"
)

// dateLayouts are the forms that people and npm write; those without an offset
// are local time, except a date alone, which is UTC, as in JavaScript.
var dateLayouts = []struct {
	layout string
	utc    bool
}{
	{time.RFC3339Nano, true},
	{"2006-01-02T15:04Z07:00", true},
	{"2006-01-02T15:04:05.999999999Z0700", true},
	{"2006-01-02", true},
	{"2006-01", true},
	{"2006", true},
	{"2006-01-02T15:04:05.999999999", false},
	{"2006-01-02T15:04", false},
	{"2006-01-02 15:04:05.999999999Z07:00", true},
	{"2006-01-02 15:04:05 Z0700", true},
	{"2006-01-02 15:04:05.999999999", false},
	{"2006-01-02 15:04", false},
	{time.RFC1123, true},
	{time.RFC1123Z, true},
	{"Mon Jan _2 2006 15:04:05 GMT-0700", true},
	{"Mon Jan _2 2006 15:04:05", false},
	{"Mon Jan _2 2006", false},
	{"Mon Jan _2 15:04:05 2006", false},
	{"Jan 2, 2006 15:04:05", false},
	{"Jan 2, 2006", false},
	{"January 2, 2006", false},
	{"2 Jan 2006", false},
	{"2 January 2006", false},
	{"1/2/2006", false},
	{"2006/1/2", false},
}

// ParseDate reads a moment in the forms that npm's documentation and
// JavaScript's Date print: ISO 8601, RFC 1123, "Jan 2, 2006", "1/2/2006".
// Text in brackets, such as a zone's name, is passed over.
func ParseDate(s string) (time.Time, error) {
	plain := trimJS(s)
	if open := strings.IndexByte(plain, '('); open > 0 {
		plain = trimJS(plain[:open])
	}
	for _, form := range dateLayouts {
		zone := time.Local
		if form.utc {
			zone = time.UTC
		}
		if t, err := time.ParseInLocation(form.layout, plain, zone); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("read date %q: not a form that is known; write 2006-01-02 or 2006-01-02T15:04:05Z", s)
}
