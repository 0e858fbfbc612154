package spec

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// NameReport is what CheckName has to say of a package name.
type NameReport struct {
	// Errors are why no package can have the name.
	Errors []string
	// Warnings are why no new package may have it, though old ones do.
	Warnings []string
}

// Usable reports whether some package, however old, may have the name.
func (r NameReport) Usable() bool { return len(r.Errors) == 0 }

// Publishable reports whether a new package may have the name.
func (r NameReport) Publishable() bool { return len(r.Errors) == 0 && len(r.Warnings) == 0 }

// maxNewName is how many UTF-16 code units the name of a new package may have.
const maxNewName = 214

// CheckName judges the name of a package by the rules of validate-npm-package-name 7.
func CheckName(name string) NameReport {
	var r NameReport
	fail := func(format string, args ...any) { r.Errors = append(r.Errors, fmt.Sprintf(format, args...)) }
	warn := func(format string, args ...any) { r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...)) }
	lower := strings.ToLower(name)
	switch {
	case name == "":
		fail("name is empty")
	case name[0] == '.', name[0] == '-', name[0] == '_':
		fail("name begins with %q", name[:1])
	}
	if strings.TrimFunc(name, isSpace) != name {
		fail("name begins or ends with white space")
	}
	if lower == "node_modules" || lower == "favicon.ico" {
		fail("%s is a reserved name", lower)
	}
	if coreModules[lower] {
		warn("%s is the name of a core module", name)
	}
	if len(name) > maxNewName && len(utf16.Encode([]rune(name))) > maxNewName {
		warn("name has more than %d characters", maxNewName)
	}
	if lower != name {
		warn("name has capital letters")
	}
	if strings.ContainsAny(name[strings.LastIndexByte(name, '/')+1:], "~'!()*") {
		warn("name has special characters (~'!()*)")
	}
	if !uriSafe(name) {
		scope, base, scoped := splitScope(name)
		if scoped && strings.HasPrefix(base, ".") {
			fail("name after its scope begins with a period")
		}
		if !scoped || !uriSafe(scope) || !uriSafe(base) {
			fail("name has characters that are not friendly to URLs")
		}
	}
	return r
}

// splitScope splits "@scope/base"; ok is false where name has another form.
func splitScope(name string) (scope, base string, ok bool) {
	if !strings.HasPrefix(name, "@") {
		return "", "", false
	}
	scope, base, ok = strings.Cut(name[1:], "/")
	return scope, base, ok && scope != "" && base != "" && strings.IndexByte(base, '/') < 0
}

// UsableName is CheckName(name).Usable() without the prose, and allocates nothing.
func UsableName(name string) bool {
	if name == "" || name[0] == '.' || name[0] == '-' || name[0] == '_' {
		return false
	}
	if len(name) == len("node_modules") && strings.EqualFold(name, "node_modules") ||
		len(name) == len("favicon.ico") && strings.EqualFold(name, "favicon.ico") {
		return false
	}
	if uriSafe(name) {
		return true
	}
	scope, base, ok := splitScope(name)
	return ok && base[0] != '.' && uriSafe(scope) && uriSafe(base)
}

// coreModules are Node's modules, whose names new packages may not take.
var coreModules = func() map[string]bool {
	const list = `_http_agent _http_client _http_common _http_incoming _http_outgoing _http_server _stream_duplex
		_stream_passthrough _stream_readable _stream_transform _stream_wrap _stream_writable _tls_common _tls_wrap
		assert assert/strict async_hooks buffer child_process cluster console constants crypto dgram
		diagnostics_channel dns dns/promises domain events fs fs/promises http http2 https inspector
		inspector/promises module net os path path/posix path/win32 perf_hooks process punycode querystring readline
		readline/promises repl stream stream/consumers stream/promises stream/web string_decoder sys timers
		timers/promises tls trace_events tty url util util/types v8 vm wasi worker_threads zlib
		node:sea node:sqlite node:test node:test/reporters`
	set := make(map[string]bool)
	for _, name := range strings.Fields(list) {
		set[name] = true
	}
	return set
}()
