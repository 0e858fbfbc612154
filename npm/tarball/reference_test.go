package tarball

import (
	"errors"
	"math"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The slow reference: a second reading of the same rules, with regular expressions for fields, one map for extensions,
// a body that is consumed block by block, and a real tree of folders. It knows Linux only.

type refNode struct {
	children map[string]*refNode // nil for a file
	data     string
	mode     int
}

var (
	refNUL    = regexp.MustCompile("\x00[^\n\r\u2028\u2029]*")
	refOctal  = regexp.MustCompile(`^([+-]?)([0-7]+)`)
	refIntTen = regexp.MustCompile(`^([+-]?)([0-9]+)`)
	refDigits = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)
	refRadix  = regexp.MustCompile(`^0([xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)$`)
	refDrive  = regexp.MustCompile(`^(?:[/\\]{2}[^/\\]+[/\\]+[^/\\]+(?:[/\\]|$)|[/\\]|[A-Za-z]:[/\\]?)`)
	refDots   = regexp.MustCompile(`(^|[/\\])\.\.($|[/\\])`)
)

var errRefNumber = errors.New("number")

func refDecode(b []byte) string {
	var out []rune
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			// The longest prefix that some character starts with.
			for n = 3; n > 1; n-- {
				if i+n <= len(b) && refPrefixes[string(b[i:i+n])] {
					break
				}
			}
		}
		out = append(out, r)
		i += n
	}
	return string(out)
}

// refPrefixes holds every proper prefix, of two and three bytes, of a well-formed character.
var refPrefixes = func() map[string]bool {
	all := make(map[string]bool)
	for r := rune(0x80); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		s := string(r)
		for n := 2; n < len(s); n++ {
			all[s[:n]] = true
		}
	}
	return all
}()

func refText(b []byte) string { return refOnce(refNUL, refDecode(b)) }

func refOnce(re *regexp.Regexp, s string) string {
	if at := re.FindStringIndex(s); at != nil {
		return s[:at[0]] + s[at[1]:]
	}
	return s
}

func refNumber(b []byte) (float64, error) {
	switch {
	case b[0]&0x80 == 0:
		m := refOctal.FindStringSubmatch(strings.TrimLeft(refDecode(b), jsSpace))
		if m == nil {
			return math.NaN(), nil
		}
		n, _ := strconv.ParseInt(m[2], 8, 64)
		if m[1] == "-" {
			n = -n
		}
		return float64(n), nil
	case b[0] == 0x80, b[0] == 0xff:
		value, borrow := 0.0, true
		for i := len(b) - 1; i > 0 || i == 0 && b[0] == 0xff; i-- {
			weight := math.Pow(256, float64(len(b)-1-i))
			switch {
			case b[0] == 0x80:
				value += float64(b[i]) * weight
			case borrow && b[i] == 0:
			case borrow:
				value -= float64(256-int(b[i])) * weight
				borrow = false
			default:
				value -= float64(255-int(b[i])) * weight
			}
		}
		if math.Abs(value) > 1<<53-1 {
			return 0, errRefNumber
		}
		return value, nil
	}
	return 0, errRefNumber
}

func refPax(old map[string]string, body string) map[string]string {
	merged := make(map[string]string)
	for k, v := range old {
		merged[k] = v
	}
	for _, line := range strings.Split(strings.TrimSuffix(body, "\n"), "\n") {
		m := refIntTen.FindStringSubmatch(strings.TrimLeft(line, jsSpace))
		if m == nil {
			continue
		}
		n, err := strconv.Atoi(m[1] + m[2])
		if err != nil || n != len(line)+1 {
			continue
		}
		rest := []rune(line)[min(len([]rune(line)), len(strconv.Itoa(n))+1):]
		key, value, _ := strings.Cut(string(rest), "=")
		value = refOnce(refNUL, value)
		if key == "size" {
			if size := refJSNumber(value); !(size >= 0) {
				continue
			}
		}
		merged[key] = value
	}
	return merged
}

func refJSNumber(s string) float64 {
	s = strings.Trim(s, jsSpace)
	switch {
	case s == "":
		return 0
	case s == "Infinity", s == "+Infinity":
		return math.Inf(1)
	case refRadix.MatchString(s):
		if n, err := strconv.ParseUint(s, 0, 64); err == nil {
			return float64(n)
		}
		return math.NaN()
	case refDigits.MatchString(s):
		n, _ := strconv.ParseFloat(s, 64)
		return n
	}
	return math.NaN()
}

type refReader struct {
	root    *refNode
	ex, gex map[string]string
	ignores map[string]bool
}

// referenceTar returns the tree of a tar at strip 1, or the error that Open gives.
func referenceTar(data []byte) (*refNode, error) {
	r := &refReader{root: &refNode{children: map[string]*refNode{}}, ignores: map[string]bool{}}
	begun, valid, null, open := false, false, false, 0.0
	for pos := 0; pos+512 <= len(data); {
		b := data[pos : pos+512]
		pos += 512
		h, err := r.header(b)
		if err != nil {
			continue
		}
		if h.null {
			if null {
				begun = true
				break
			}
			null = true
			continue
		}
		null = false
		link := h.typ == "1" || h.typ == "2"
		if !h.sumOK || h.path == "" || link && h.link == "" || !link && h.typ != "x" && h.typ != "g" && h.link != "" {
			continue
		}
		path, linkpath, size := r.slurped(h)
		meta := strings.Contains("xXgLNK", h.typ)
		if meta && size <= 0 {
			open = h.size
			valid = valid || h.size == 0
			continue
		}
		begun = true
		body := ""
		for open = 512 * math.Ceil(h.size/512); open > 0 && pos+512 <= len(data); open -= 512 {
			body += string(data[pos : pos+512])
			pos += 512
		}
		if open > 0 {
			break
		}
		valid = true
		body = body[:int(h.size)]
		if !meta {
			r.ex = nil
			if h.typ == "0" || h.typ == "7" {
				r.write(path, linkpath, h, body)
			}
		} else if size <= 1<<20 {
			r.meta(h.typ, refDecode([]byte(body)))
		}
	}
	switch {
	case open > 0:
		return nil, ErrTruncated
	case !begun || !valid:
		return nil, ErrFormat
	}
	return r.root, nil
}

func (r *refReader) meta(typ, body string) {
	set := func(key string) {
		if r.ex == nil {
			r.ex = map[string]string{}
		}
		r.ex[key] = refOnce(refNUL, body)
	}
	switch typ {
	case "x", "X":
		r.ex = refPax(r.ex, body)
	case "g":
		r.gex = refPax(r.gex, body)
	case "L", "N":
		set("path")
	case "K":
		set("linkpath")
	}
}

type refHeader struct {
	path, link, typ string
	size            float64
	mode            int
	sumOK, null     bool
}

func (r *refReader) header(b []byte) (h refHeader, err error) {
	typ := refText(b[156:157])
	ex, gex := r.ex, r.gex
	if typ != "" && !strings.Contains("01234567D", typ) {
		ex, gex = nil, nil
	}
	number := func(key string, from, to int, sets ...map[string]string) float64 {
		for _, set := range sets {
			if v, ok := set[key]; ok {
				return refJSNumber(v)
			}
		}
		n, e := refNumber(b[from:to])
		if e != nil && err == nil {
			err = e
		}
		return n
	}
	h.path = refText(b[0:100])
	if p, ok := ex["path"]; ok {
		h.path = p
	}
	mode := number("", 100, 108)
	if !math.IsNaN(mode) {
		h.mode = int(int64(mode) & 0o7777)
	}
	number("uid", 108, 116, ex, gex)
	number("gid", 116, 124, ex, gex)
	if h.size = number("size", 124, 136, ex, gex); !(h.size > 0) {
		h.size = 0
	}
	number("mtime", 136, 148, ex, gex)
	sum := number("", 148, 160)
	h.typ = typ
	if typ == "" {
		h.typ = "0"
	}
	if h.typ == "0" && strings.HasSuffix(h.path, "/") {
		h.typ = "5"
	}
	if h.typ == "5" {
		h.size = 0
	}
	h.link = refText(b[157:257])
	if string(b[257:265]) == "ustar\x0000" {
		number("", 329, 337)
		number("", 337, 345)
		if b[475] != 0 {
			h.path = refText(b[345:500]) + "/" + h.path
		} else {
			if prefix := refText(b[345:475]); prefix != "" {
				h.path = prefix + "/" + h.path
			}
			number("atime", 476, 488, r.ex, r.gex)
			number("ctime", 488, 500, r.ex, r.gex)
		}
	}
	total := 8 * 32
	for i, c := range b {
		if i < 148 || i >= 156 {
			total += int(c)
		}
	}
	h.sumOK = sum == float64(total)
	h.null = math.IsNaN(sum) && total == 8*32
	return h, err
}

func (r *refReader) slurped(h refHeader) (path, linkpath string, size float64) {
	path, linkpath, size = h.path, h.link, h.size
	if p, ok := r.ex["path"]; ok {
		path = p
	}
	for _, set := range []map[string]string{r.ex, r.gex} {
		if p, ok := set["linkpath"]; ok {
			linkpath = p
		}
		if s, ok := set["size"]; ok {
			size = refJSNumber(s)
		}
	}
	return path, linkpath, size
}

func refStripRoot(s string) string {
	for {
		root := refDrive.FindString(s)
		if strings.HasPrefix(s, "/") && !strings.HasPrefix(s, "//?/") {
			root = "/"
		}
		if root == "" {
			return s
		}
		s = s[len(root):]
	}
}

func (r *refReader) write(path, linkpath string, h refHeader, body string) {
	parts := strings.Split(path, "/")
	base := ""
	for _, p := range parts {
		if p != "" {
			base = p
		}
	}
	if base == ".npmignore" {
		r.ignores[path] = true
	} else if base == ".gitignore" {
		if strings.HasSuffix(path, ".gitignore") {
			path = path[:len(path)-len(".gitignore")] + ".npmignore"
			parts = strings.Split(path, "/")
		}
		if r.ignores[path] {
			return
		}
	}
	parts = parts[1:]
	name := refStripRoot(strings.Join(parts, "/"))
	if len(parts) > 1024 || refDots.MatchString(name) {
		return
	}
	if target := refStripRoot(linkpath); refDots.MatchString(target) {
		depth := 0
		for _, p := range strings.Split(name, "/") {
			if p != "" && p != "." {
				depth++
			}
		}
		depth = max(depth-1, 0)
		for _, p := range strings.FieldsFunc(target, func(r rune) bool { return r == '/' || r == '\\' }) {
			if p == ".." {
				depth--
			} else if p != "." {
				depth++
			}
			if depth < 0 {
				return
			}
		}
	}
	var clean []string
	for _, p := range strings.Split(name, "/") {
		if p != "" && p != "." {
			clean = append(clean, p)
		}
	}
	if joined := strings.Join(clean, "/"); len(clean) == 0 || len(joined) > maxPathBytes || strings.Contains(joined, "\x00") {
		return
	}
	at := r.root
	for _, p := range clean[:len(clean)-1] {
		if len(p) > 255 {
			return
		}
		next := at.children[p]
		if next == nil {
			next = &refNode{children: map[string]*refNode{}}
			at.children[p] = next
		}
		if next.children == nil {
			return
		}
		at = next
	}
	last := clean[len(clean)-1]
	old := at.children[last]
	if len(last) > 255 || old != nil && len(old.children) > 0 {
		return
	}
	mode := (h.mode | 0o666) & 0o777 &^ 0o022
	if old != nil && old.children == nil && h.typ == "0" {
		mode = old.mode
	}
	at.children[last] = &refNode{data: body, mode: mode}
}

// refFiles lists a tree's files by path.
func refFiles(n *refNode, prefix string) []fixtureFile {
	var out []fixtureFile
	for name, child := range n.children {
		if child.children != nil {
			out = append(out, refFiles(child, prefix+name+"/")...)
			continue
		}
		out = append(out, fixtureFile{Path: prefix + name, Mode: strconv.FormatInt(int64(child.mode), 8), Size: len(child.data), SHA1: sha1Hex([]byte(child.data))})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	return out
}
