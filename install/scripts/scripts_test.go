package scripts

import (
	"fmt"
	"strings"
	"testing"
)

type object map[string]string

func (o object) Get(event string) (string, bool) { v, ok := o[event]; return v, ok }

func TestOf(t *testing.T) {
	tests := []struct {
		name string
		p    Package
		want string // event=command, separated by spaces
	}{
		{"nothing", Package{}, ""},
		{"no install script among scripts", Package{Scripts: object{"test": "x", "prepublishOnly": "y"}}, ""},
		{"all, in npm's order", Package{Scripts: object{Postinstall: "c", Install: "b", Preinstall: "a"}}, "preinstall=a install=b postinstall=c"},
		{"an empty command is none", Package{Scripts: object{Install: ""}}, ""},
		{"prepare from a registry", Package{Scripts: object{Prepare: "p"}}, ""},
		{"prepare from elsewhere", Package{Scripts: object{Prepare: "p"}, OffRegistry: true}, "prepare=p"},
		{"binding.gyp", Package{BindingGyp: true}, "install=node-gyp_rebuild"},
		{"binding.gyp before postinstall", Package{BindingGyp: true, Scripts: object{Postinstall: "c"}}, "install=node-gyp_rebuild postinstall=c"},
		{"binding.gyp with its own install", Package{BindingGyp: true, Scripts: object{Install: "b"}}, "install=b"},
		{"binding.gyp with a preinstall", Package{BindingGyp: true, Scripts: object{Preinstall: "a"}}, "preinstall=a"},
		{"gypfile: false", Package{BindingGyp: true, NoGyp: true}, ""},
		{"the lockfile's word alone", Package{HasInstallScript: true}, "install="},
		{"the lockfile's word and the text", Package{HasInstallScript: true, Scripts: object{Postinstall: "c"}}, "postinstall=c"},
	}
	for _, tt := range tests {
		tt.p.Name, tt.p.Version, tt.p.Location = "a", "1.0.0", "node_modules/a"
		note, ok := Of(tt.p)
		if got := text(note.Scripts); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: %q, %v; want %q", tt.name, got, ok, tt.want)
		}
		if note.Name != "a" || note.Version != "1.0.0" || note.Location != "node_modules/a" {
			t.Errorf("%s: the note is of %+v", tt.name, note)
		}
	}
}

func TestRoot(t *testing.T) {
	got := text(Root(object{Prepare: "p", Postinstall: "c", "test": "t", "postprepare": "q"}))
	if want := "postinstall=c prepare=p postprepare=q"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Root(nil); got != nil {
		t.Errorf("no scripts: %v", got)
	}
}

func text(scripts []Script) string {
	var words []string
	for _, s := range scripts {
		words = append(words, fmt.Sprintf("%s=%s", s.Event, strings.ReplaceAll(s.Command, " ", "_")))
	}
	return strings.Join(words, " ")
}
