package regtest

import (
	"errors"
	"fmt"
	"strings"

	"weft/internal/jsonval"
	"weft/internal/regtest/document"
)

// AddText publishes packages written as a text archive, each file under a line
// "-- NAME@VERSION/PATH --". PATH is the file's path in the tarball, and
// package.json, if there, is the manifest (name and version may be left out of
// it). Two paths mean something else:
//
//	-- NAME@VERSION/.packument --   as Package.Packument
//	-- NAME@VERSION/.tags --        dist-tags, separated by spaces
//
// A package without files needs at least one such line. Text before the first
// line is a comment.
func (r *Registry) AddText(text string) error {
	var order []*Package
	byID := map[string]*Package{}
	for _, f := range splitText(text) {
		id, path, err := splitID(f.name)
		if err != nil {
			return err
		}
		p := byID[id]
		if p == nil {
			at := strings.LastIndexByte(id, '@')
			p = &Package{Name: id[:at], Version: id[at+1:], Files: map[string]string{}}
			byID[id] = p
			order = append(order, p)
		}
		switch path {
		case "package.json":
			p.Manifest = f.body
		case ".packument":
			p.Packument = f.body
		case ".tags":
			p.Tags = strings.Fields(f.body)
		case "":
		default:
			p.Files[path] = f.body
		}
	}
	for _, p := range order {
		if err := r.publish(*p); err != nil {
			return err
		}
	}
	return nil
}

type textFile struct{ name, body string }

// splitText cuts a text archive at its marker lines.
func splitText(text string) []textFile {
	var files []textFile
	for line := range strings.Lines(text) {
		trimmed := strings.TrimRight(line, "\r\n")
		if name, ok := strings.CutPrefix(trimmed, "-- "); ok {
			if name, ok = strings.CutSuffix(name, " --"); ok {
				files = append(files, textFile{name: strings.TrimSpace(name)})
				continue
			}
		}
		if len(files) > 0 {
			files[len(files)-1].body += line
		}
	}
	return files
}

// splitID cuts "@scope/name@1.0.0/lib/a.js" into package and path.
func splitID(name string) (id, path string, err error) {
	from := 0
	if strings.HasPrefix(name, "@") {
		from = strings.IndexByte(name, '/') + 1
	}
	id, path, _ = strings.Cut(name[from:], "/")
	id = name[:from] + id
	if at := strings.LastIndexByte(id, '@'); at <= 0 || at == len(id)-1 {
		return "", "", fmt.Errorf("regtest: %q is not NAME@VERSION/PATH", name)
	}
	return id, path, nil
}

// AddJSON publishes the packages of a JSON array. Each is an object: a
// package.json whose member "files", if there, is an object of further files
// by path.
func (r *Registry) AddJSON(data []byte) error {
	list, err := jsonval.Parse(data)
	if err != nil {
		return fmt.Errorf("regtest: %w", err)
	}
	if list.Kind() != jsonval.Array {
		return errors.New("regtest: not an array of packages")
	}
	for _, v := range list.Elems() {
		text := jsonval.AppendJSON(nil, v, "", "")
		members, err := document.Members(text)
		if err != nil {
			return fmt.Errorf("regtest: %w", err)
		}
		var p Package
		for _, m := range v.Members() {
			switch m.Key {
			case "name":
				p.Name, _ = m.Value.Str()
			case "version":
				p.Version, _ = m.Value.Str()
			case "files":
				p.Files = map[string]string{}
				for _, f := range m.Value.Members() {
					p.Files[f.Key], _ = f.Value.Str()
				}
			}
		}
		members = document.Merge(members, []document.Member{{Key: "files"}})
		p.Manifest = string(document.AppendObject(nil, members))
		if err := r.publish(p); err != nil {
			return err
		}
	}
	return nil
}
