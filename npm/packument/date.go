package packument

import (
	"strings"
	"time"
)

// parseDate reads a date as JavaScript's Date.parse does, in milliseconds since 1970: the ISO form that registries
// write without further ado, other forms by the layouts that are found in the wild.
func parseDate(s string) (millis int64, ok bool) {
	if ms, ok := parseISO(s); ok {
		return ms, true
	}
	s = strings.TrimSpace(s)
	for _, layout := range dateLayouts {
		if t, err := time.ParseInLocation(layout, s, time.Local); err == nil {
			return t.UnixMilli(), true
		}
	}
	for _, layout := range [...]string{"2006-01-02", "2006-01", "2006"} { // a date without a time is in UTC
		if t, err := time.Parse(layout, s); err == nil {
			return t.UnixMilli(), true
		}
	}
	return 0, false
}

var dateLayouts = [...]string{
	time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05.999999999", "2006-01-02T15:04",
	"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999 -0700", "2006-01-02 15:04:05.999999999", "2006-01-02 15:04",
	time.RFC1123, time.RFC1123Z, "Mon, 2 Jan 2006 15:04:05 MST", "Mon, 2 Jan 2006 15:04:05 -0700",
	"Mon Jan 2 2006 15:04:05 GMT-0700 (MST)", "Mon Jan 2 2006 15:04:05 GMT-0700", "Mon Jan 2 2006 15:04:05",
	"Mon Jan 2 2006", "Jan 2, 2006", "January 2, 2006", "2 Jan 2006", "1/2/2006", "2006/1/2", time.ANSIC, time.UnixDate, time.RubyDate,
}

// parseISO reads "2006-01-02T15:04:05.000Z", with the fraction of three digits or absent.
func parseISO(s string) (millis int64, ok bool) {
	if (len(s) != 24 && len(s) != 20) || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' ||
		s[len(s)-1] != 'Z' {
		return 0, false
	}
	fraction := 0
	good := true
	number := func(from, to int) int {
		n := 0
		for _, c := range []byte(s[from:to]) {
			good = good && c >= '0' && c <= '9'
			n = n*10 + int(c-'0')
		}
		return n
	}
	if len(s) == 24 {
		good = s[19] == '.'
		fraction = number(20, 23)
	}
	year, month, day := number(0, 4), number(5, 7), number(8, 10)
	hour, minute, second := number(11, 13), number(14, 16), number(17, 19)
	if !good || month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	t := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
	return t.UnixMilli() + int64(fraction), true
}
