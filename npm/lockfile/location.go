package lockfile

import (
	"errors"
	"fmt"
	"strings"
)

// ErrLocation is in the chain of the error for a location that is no clean relative slash path, or
// under which nothing may be installed.
var ErrLocation = errors.New("bad location")

// checkLocation returns an error for a location that npm does not write: absolute, with a drive or
// backslashes, not in its shortest form, or with a package folder that is no package name. A leading
// ".." is allowed, since linked folders may lie outside the project; whoever installs decides
// whether anything goes there.
func checkLocation(location string) error {
	if location == "" {
		return nil
	}
	bad := func(why string) error {
		return fmt.Errorf("%w %q: %s", ErrLocation, clip(location), why)
	}
	if strings.ContainsAny(location, "\\\x00") || len(location) > 1 && location[1] == ':' {
		return bad("not a portable path")
	}
	parts := strings.Split(location, "/")
	climbing := true
	for i, part := range parts {
		switch part {
		case "", ".":
			return bad("not a clean relative path")
		case "..":
			if !climbing {
				return bad("not a clean relative path")
			}
			continue
		}
		climbing = false
		if i > 0 && parts[i-1] == "node_modules" && strings.HasPrefix(part, ".") && part != ".store" {
			return bad("not a package's folder")
		}
	}
	return nil
}

// clip shortens foreign text for messages.
func clip(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return s[:most] + "..."
}

// NameFromLocation returns the name that a package has by its folder: the last part of the
// location, with the one before it if that is a scope.
func NameFromLocation(location string) string {
	slash := strings.LastIndexByte(location, '/')
	if slash < 0 {
		return location
	}
	parent := location[:slash]
	parent = parent[strings.LastIndexByte(parent, '/')+1:]
	if strings.HasPrefix(parent, "@") {
		return parent + location[slash:]
	}
	return location[slash+1:]
}
