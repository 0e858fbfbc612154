package packument

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"weft/internal/jsonval"
	"weft/npm/spec"
)

// fullDocument makes a document as registries send them in full: manifests with everything that a publisher wrote, a
// readme and times, pretty-printed or not.
func fullDocument(versions int, space string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"_id":"pkg","_rev":"7-abc","name":"pkg","description":"a \"thing\"","dist-tags":{"latest":"1.%d.0","next":"2.0.0-rc.1"},"versions":{`, versions-1)
	b.WriteString(space)
	for i := range versions {
		if i > 0 {
			b.WriteString("," + space)
		}
		fmt.Fprintf(&b, `"1.%d.0":{%s"name":"pkg",%s"version":"1.%d.0","description":"d","main":"index.js","scripts":{"test":"make \\\"x\\\"","%s":"node build"},`,
			i, space, space, i, [...]string{"postinstall", "prepare", "build", "install", "preinstall"}[i%5])
		fmt.Fprintf(&b, `"dependencies": {"a":%s"^1.%d.0","b":"*"},"devDependencies":{"mocha":"^9","x":"1"},"engines":{"node":%s">=%d"},"bin":{"pkg":"./cli.js"},`, space, i, space, 4+i%5)
		fmt.Fprintf(&b, `"license":"MIT","maintainers":[{"name":"n","email":"n@x.y"}],"dist":{"integrity":"sha512-%dAA==","shasum":"%040x","tarball":"https://host/pkg/-/pkg-1.%d.0.tgz","fileCount":%d,"unpackedSize":%d,"signatures":[{"keyid":"k","sig":"s"}]},`, i, i, i, i, i*1000)
		if i%4 == 1 {
			b.WriteString(`"deprecated":"use \u00e9 2",`)
		}
		b.WriteString(`"_npmUser":{"name":"n"},"directories":{},"_hasShrinkwrap":false,"funding":"https://fund"}`)
	}
	b.WriteString(space + `},"time":{"created":"2020-01-01T00:00:00.000Z","modified":"2024-01-01T00:00:00.000Z","0.0.1":"2019-01-01T00:00:00.000Z"`)
	for i := range versions {
		fmt.Fprintf(&b, `,"1.%d.0":"20%02d-0%d-01T00:00:00.000Z"`, i, 10+i%14, 1+i%9)
	}
	b.WriteString(`},"readme":"` + strings.Repeat(`# Text \\ with \"quotes\" and } braces {\n`, 50) + `"}`)
	return b.Bytes()
}

func mustParse(t testing.TB, doc string) *Packument {
	t.Helper()
	p, err := Parse([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sameAnswers checks that q says of every version what p says, but for what Compact drops.
func sameAnswers(t *testing.T, p, q *Packument) {
	t.Helper()
	if p.Name != q.Name || p.Modified != q.Modified || fmt.Sprint(p.DistTags()) != fmt.Sprint(q.DistTags()) || p.HasTimes() != q.HasTimes() {
		t.Fatalf("%+v and %+v differ", p, q)
	}
	if !reflect.DeepEqual(p.Versions(), q.Versions()) {
		t.Fatalf("versions %v and %v", p.Versions(), q.Versions())
	}
	for i, version := range p.Versions() {
		m, err1 := p.Manifest(version)
		n, err2 := q.Manifest(version)
		if (err1 == nil) != (err2 == nil) {
			t.Fatalf("%s: %v and %v", version, err1, err2)
		}
		at1, ok1 := p.Time(version)
		at2, ok2 := q.Time(version)
		if !at1.Equal(at2) || ok1 != ok2 {
			t.Fatalf("%s: times %v and %v", version, at1, at2)
		}
		f, g := p.versions.facts(p, i), q.versions.facts(q, i)
		if f.deprecated() != g.deprecated() || p.engines.at(f.engines()) != q.engines.at(g.engines()) {
			t.Fatalf("%s: facts %x and %x", version, f, g)
		}
		if err1 != nil {
			continue
		}
		for _, field := range m.Raw.Members() {
			kept, _ := n.Raw.Get(field.Key)
			if keep(field.Key) == asIs && field.Key != "hasInstallScript" && !kept.Equal(field.Value) {
				t.Fatalf("%s: %s differs", version, field.Key)
			}
		}
		a, b := *m, *n
		for _, x := range []*jsonval.Value{&a.License, &a.Funding, &a.Overrides, &b.License, &b.Funding, &b.Overrides} {
			*x = jsonval.OfString(string(jsonval.AppendJSON(nil, *x, "", "")))
		}
		a.Raw, b.Raw = jsonval.Value{}, jsonval.Value{}
		a.Scripts, b.Scripts, a.DevDependencies, b.DevDependencies = nil, nil, nil, nil
		a.Overrides, b.Overrides = jsonval.Value{}, jsonval.Value{}
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("%s: manifests differ:\n%+v\n%+v", version, a, b)
		}
	}
}

func TestForms(t *testing.T) {
	for _, space := range []string{"", " ", "\n\t"} {
		doc := fullDocument(40, space)
		p, err := Parse(doc)
		if err != nil {
			t.Fatal(err)
		}
		if p.Len() != 40 || !p.Has("1.39.0") || p.Has("2.0.0") {
			t.Fatalf("versions are %v", p.Versions())
		}
		compact := p.Compact()
		direct, err := ParseCompact(bytes.Clone(doc))
		if err != nil {
			t.Fatal(err)
		}
		if direct.text != compact.text {
			t.Errorf("ParseCompact gives\n%s\nCompact gives\n%s", direct.text, compact.text)
		}
		cache := compact.AppendCache([]byte("before"))[len("before"):]
		cached, err := FromCache(cache)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range []*Packument{compact, direct, cached} {
			sameAnswers(t, p, q)
		}
		if again := cached.AppendCache(nil); !bytes.Equal(again, cache) {
			t.Error("the cached form changes when it is read and written")
		}
		if compact.Size() > len(doc)*2/3 {
			t.Errorf("%d bytes are compacted to %d only", len(doc), compact.Size())
		}
		if m, err := compact.Manifest("1.1.0"); err != nil || m.Deprecated != "use é 2" || m.HasInstallScript {
			t.Errorf("1.1.0 is %+v, %v", m, err)
		}
		if m, err := compact.Manifest("1.0.0"); err != nil || !m.HasInstallScript {
			t.Errorf("1.0.0 is %+v, %v", m, err)
		}
	}
}

// TestDetached sees to it that a compact packument does not look at its document any more.
func TestDetached(t *testing.T) {
	doc := fullDocument(20, " ")
	want := mustParse(t, string(doc))
	one, err := ParseCompact(doc)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := Parse(doc)
	if err != nil {
		t.Fatal(err)
	}
	two := parsed.Compact()
	for i := range doc {
		doc[i] = 'X'
	}
	sameAnswers(t, want, one)
	sameAnswers(t, want, two)
}

func TestHostileDocuments(t *testing.T) {
	for doc, want := range map[string]error{
		``: nil, `<html>no</html>`: nil, `{`: nil, `{"versions":{"1.0.0":{}`: nil, `{}x`: nil, `{"a" 1}`: nil, "\x1f\x8b\x08": nil,
		`[]`: ErrNotObject, `"x"`: ErrNotObject, `null`: ErrNotObject, `12`: ErrNotObject,
	} {
		for _, parse := range []func([]byte) (*Packument, error){Parse, ParseCompact} {
			_, err := parse([]byte(doc))
			if err == nil || (want != nil && !errors.Is(err, want)) {
				t.Errorf("%q: error %v, want %v", doc, err, want)
			}
		}
	}
	nested := strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20)
	for doc, want := range map[string]string{
		`{}`: "  []",
		`{"name":5,"dist-tags":[1],"versions":7,"time":"x","modified":{}}`:                                      "  []",
		`{"name":"a","versions":null}`:                                                                          "a  []",
		`{"versions":{"1.0.0":null,"1.1.0":"x","1.2.0":[{}],"1.3.0":{}}}`:                                       "  [1.3.0]",
		`{"dist-tags":{"latest":"9.9.9","bad":4,"__proto__":"1.0.0"},"versions":{"1.0.0":{"version":"2.0.0"}}}`: " latest=9.9.9 __proto__=1.0.0 [1.0.0]",
		`{"versions":{"__proto__":{"version":"1.0.0"},"constructor":{},"2":{},"1":{},"1.0.0":{}}}`:              "  [1 2 __proto__ constructor 1.0.0]",
		`{"versions":{"1.0.0":{"x":1},"1.1.0":{},"1.0.0":{"x":2}}}`:                                             "  [1.0.0 1.1.0]",
		`{"versions":{"1.0.0":{},"1.1.0":{},"1.0.0":null}}`:                                                     "  [1.1.0]",
		`{"versions":{"1.0.0":{}},"versions":{"2.0.0":{}},"name":"a","name":"b"}`:                               "b  [2.0.0]",
		"\ufeff{\"n\\u0061me\":\"\\u0061\",\"versions\":{\"1.\\u0030.0\":{}}}":                                  "a  [1.0.0]",
		`{"readme":` + nested + `,"name":"deep"}`:                                                               "deep  []",
	} {
		for _, parse := range []func([]byte) (*Packument, error){Parse, ParseCompact} {
			p, err := parse([]byte(doc))
			if err != nil {
				t.Errorf("%.80q: %v", doc, err)
				continue
			}
			got := p.Name + " "
			for _, tag := range p.DistTags() {
				got += tag.Name + "=" + tag.Version + " "
			}
			if len(p.DistTags()) == 0 {
				got += " "
			}
			if got += fmt.Sprint(p.Versions()); got != want {
				t.Errorf("%.80q is %q, want %q", doc, got, want)
			}
		}
	}
}

func TestBrokenManifests(t *testing.T) {
	p := mustParse(t, `{"name":"pkg","dist-tags":{"latest":"1.1.0"},"versions":{
		"1.0.0":{"name":"pkg" "version":1}, "1.1.0":{"engines":{"node":}}, "1.2.0":{"name":"pkg","version":"1.2.0","x":[1 2]}, "1.3.0":{"version":"1.3.0"}}}`)
	direct, err := ParseCompact([]byte(p.text))
	if err != nil {
		t.Fatal(err)
	}
	for name, q := range map[string]*Packument{"parsed": p, "compact": p.Compact(), "direct": direct} {
		for _, version := range []string{"1.0.0", "1.1.0"} {
			var syntax *jsonval.SyntaxError
			if _, err := q.Manifest(version); !errors.As(err, &syntax) || !strings.Contains(err.Error(), "pkg@"+version) {
				t.Errorf("%s: %s: %v", name, version, err)
			}
		}
		if _, err := q.Manifest("1.3.0"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := q.Manifest("4.0.0"); !errors.Is(err, ErrNoVersion) {
			t.Errorf("%s: %v", name, err)
		}
		s, _ := spec.Resolve("pkg", "1.0.0", "/")
		if _, err := Pick(q, s, PickOptions{}); err == nil {
			t.Errorf("%s: a broken manifest was picked", name)
		}
	}
}

// TestPickLooksAtFew holds Pick to its promise: of a thousand manifests it decodes the one it picks.
func TestPickLooksAtFew(t *testing.T) {
	p, err := Parse(fullDocument(1000, ""))
	if err != nil {
		t.Fatal(err)
	}
	s, _ := spec.Resolve("pkg", "^1.5.0", "/")
	for range 3 {
		if _, err := Pick(p, s, PickOptions{NodeVersion: "20.0.0", DefaultTag: "next"}); err != nil {
			t.Fatal(err)
		}
	}
	decoded, known := 0, 0
	for i := range p.versions.list {
		if p.versions.manifests[i].Load() != nil {
			decoded++
		}
		if p.versions.list[i].facts != 0 {
			known++
		}
	}
	if decoded != 1 || known > 3 {
		t.Errorf("%d manifests were decoded and %d looked at", decoded, known)
	}
}

func TestConcurrentUse(t *testing.T) {
	p, err := Parse(fullDocument(60, ""))
	if err != nil {
		t.Fatal(err)
	}
	s, _ := spec.Resolve("pkg", "^1.5.0", "/")
	seen := make([]any, 8)
	var wg sync.WaitGroup
	for g := range seen {
		wg.Go(func() {
			for _, v := range p.Versions() {
				if _, err := p.Manifest(v); err != nil {
					t.Error(err)
				}
				p.Time(v)
			}
			m, err := Pick(p, s, PickOptions{NodeVersion: fmt.Sprintf("%d.0.0", 4+g%3)})
			if err != nil {
				t.Error(err)
			}
			p.Compact().AppendCache(nil)
			again, _ := p.Manifest(m.Version)
			if again != m {
				t.Error("a manifest was decoded twice")
			}
			seen[g] = p.DistTags()
		})
	}
	wg.Wait()
}
