package npmrc

import (
	"net/url"
	"strings"
)

// RegistryFor gives the registry that a package is asked for at, ending in a
// slash: the scope's own ("@scope:registry"), the one of the setting scope
// for packages that have none, or the setting registry. An empty name asks for
// the default one. The text is as it was set and may be no address.
func (c *Config) RegistryFor(pkg string) string {
	scope, _, scoped := strings.Cut(pkg, "/")
	if !scoped || !strings.HasPrefix(scope, "@") {
		scope = ""
	}
	for _, candidate := range []string{scope, c.scope()} {
		if candidate == "" {
			continue
		}
		if registry := c.registryAt(candidate + ":registry"); registry != "" {
			return registry
		}
	}
	return c.Registry()
}

// Registry is the default registry, ending in a slash.
func (c *Config) Registry() string {
	if registry := c.registryAt("registry"); registry != "" {
		return registry
	}
	return DefaultRegistry
}

// Scopes gives the registries of scopes that have their own.
func (c *Config) Scopes() map[string]string {
	scopes := map[string]string{}
	for _, key := range c.Keys() {
		scope, found := strings.CutSuffix(key, ":registry")
		if found && strings.HasPrefix(scope, "@") {
			if registry := c.registryAt(key); registry != "" {
				scopes[scope] = registry
			}
		}
	}
	return scopes
}

func (c *Config) scope() string {
	scope := c.Get("scope")
	if scope != "" && !strings.HasPrefix(scope, "@") {
		scope = "@" + scope
	}
	return scope
}

func (c *Config) registryAt(key string) string {
	v, _ := c.Value(key)
	s, _ := v.Str()
	s = strings.TrimRight(trimJS(s), "/")
	if s == "" {
		return ""
	}
	return s + "/"
}

// ReplaceHost gives the address that a resolved tarball is fetched from: the
// setting replace-registry-host names hosts whose addresses stand for "the
// registry that is configured". It is "npmjs" (the public registry's host, the
// default), "always", "never", a host name, or an address whose path is
// replaced too. The registry's path is put before the tarball's unless it is
// there already.
func (c *Config) ReplaceHost(resolved string) string {
	return replaceHost(resolved, c.Registry(), c.Get("replace-registry-host"))
}

func replaceHost(resolved, registry, setting string) string {
	from, err := url.Parse(resolved)
	if err != nil || from.Host == "" {
		return resolved
	}
	to, err := url.Parse(registry)
	if err != nil || to.Host == "" {
		return resolved
	}
	if setting == "" || setting == "npmjs" {
		setting = defaultHost
	}
	host, prefix := setting, ""
	if m, err := url.Parse(setting); err == nil && m.Scheme != "" && m.Host != "" {
		host, prefix = m.Hostname(), strings.TrimSuffix(m.EscapedPath(), "/")
	}
	path := from.EscapedPath()
	if setting != "always" && !strings.EqualFold(host, from.Hostname()) || prefix != "" && !hasPathPrefix(path, prefix) {
		return resolved
	}
	base := strings.TrimSuffix(to.EscapedPath(), "/")
	switch {
	case prefix != "":
		path = base + path[len(prefix):]
	case base != "" && !hasPathPrefix(path, base):
		path = base + path
	}
	out := *from
	out.Scheme, out.Host = to.Scheme, to.Host
	out.RawPath = path
	if out.Path, err = url.PathUnescape(path); err != nil {
		return resolved
	}
	return out.String()
}

func hasPathPrefix(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, prefix+"/")
}
