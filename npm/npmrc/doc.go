// Package npmrc gives the settings that npm 11 would run with.
//
// Settings come in layers, each over the one before it:
//
//	default   what npm documents (definitions.go)
//	builtin   an npmrc in npm's own folder
//	global    <prefix>/etc/npmrc
//	user      ~/.npmrc
//	project   .npmrc beside the nearest package.json, or beside the workspace root
//	env       npm_config_* variables
//	cli       flags
//
//	cfg, err := npmrc.Load(npmrc.Options{Dir: dir, Home: home, Env: os.Environ()})
//	registry := cfg.RegistryFor("@scope/name")
//	auth := cfg.Auth(registry+"@scope%2fname", "@scope/name")
//
// [Load] reads the files once; a [Config] is never changed afterwards and is
// safe for concurrent use.
//
// Three rules matter more than the rest. A line that cannot be understood is
// skipped and never costs another line. A ${VARIABLE} that is not set stays as
// it is written, so that a token for some other registry breaks nothing. And a
// credential belongs to the host, port and path prefix that its key names
// (//host/path/:_authToken); there is no credential for everybody.
//
// Every layer's value of every key is kept, unknown keys too, with the file and
// line it came from: see [Config.Explain]. What npm would warn about, and a few
// things that it would not, is in [Config.Warnings].
package npmrc
