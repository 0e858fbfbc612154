package npmrc

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"weft/internal/jsonval"
)

// fileSizeMax is the largest npmrc that is read.
const fileSizeMax = 4 << 20

// Layer names a place that settings come from, the weakest first.
type Layer int

// The layers. A later one wins over an earlier one.
const (
	Default Layer = iota
	Builtin
	Global
	User
	Project
	Env
	CLI
	layers int = iota
)

// String gives npm's name of the layer.
func (l Layer) String() string {
	return [...]string{"default", "builtin", "global", "user", "project", "env", "cli"}[l]
}

// Options say where to look. The zero value reads the settings of the working
// directory without any environment.
type Options struct {
	// Dir is the folder the program was started in, absolute. Empty means
	// the working directory. The project's .npmrc is looked for upwards from
	// here.
	Dir string
	// Home replaces the home directory. Empty means HOME of Env, then the
	// user's.
	Home string
	// Env are the variables, as os.Environ gives them.
	Env []string
	// Flags are settings of the command line by long name without dashes:
	// {"registry": "https://…", "offline": ""}. An empty text makes a
	// boolean true. Several values of one flag are joined by an empty line
	// ("dev\n\npeer"), which is how npm writes them in the environment too.
	Flags map[string]string
	// ProjectDir is the folder whose .npmrc counts. Empty means to look for
	// it: the nearest folder upwards with a package.json or node_modules, or
	// the root of the workspace that this belongs to.
	ProjectDir string
	// GlobalPrefix is where global packages live, two folders above node's
	// program. Empty means PREFIX of Env, then the node found on PATH.
	GlobalPrefix string
	// BuiltinFile is npm's own npmrc. Empty means the one in the npm that is
	// installed under the global prefix.
	BuiltinFile string
}

// Load reads all layers. It blocks on the file system. A file that is missing
// counts as empty, one that cannot be read as empty with a warning; the only
// error is a working directory that cannot be told.
func Load(o Options) (*Config, error) {
	env := environ(o.Env)
	if o.Dir == "" {
		dir, err := os.Getwd()
		if err != nil {
			return nil, fmt.Errorf("load settings: %w", err)
		}
		o.Dir = dir
	}
	if o.Home == "" {
		if o.Home = env["HOME"]; o.Home == "" {
			o.Home, _ = os.UserHomeDir()
		}
	}
	if o.GlobalPrefix == "" {
		o.GlobalPrefix = globalPrefix(env)
	}
	if o.BuiltinFile == "" {
		o.BuiltinFile = builtinFile(o.GlobalPrefix)
	}
	c := &Config{env: env, dir: o.Dir, home: o.Home}
	c.defaults(o.GlobalPrefix)
	c.file(Builtin, o.BuiltinFile)
	c.flags(o.Flags)
	c.environment(o.Env)

	c.projectDir, c.workspaceDir = o.ProjectDir, ""
	if c.projectDir == "" {
		c.findProject()
	}
	project := filepath.Join(c.projectDir, ".npmrc")
	user := c.Get("userconfig")
	switch {
	case c.IsGlobal():
		c.sources[Project] = "(global mode, not read)"
	case project == user:
		c.sources[Project] = "(the user's file, not read twice)"
	default:
		c.file(Project, project)
		if at, found := c.sets[Project]["prefix"]; found {
			c.warn(Warning{Layer: Project, Source: project, Line: at.line, Key: "prefix", Reason: "does not belong into a project's file"})
		}
	}
	user = c.Get("userconfig")
	c.file(User, user)
	global := c.Get("globalconfig")
	if global == "" {
		global = filepath.Join(c.Get("prefix"), "etc", "npmrc")
	}
	if global == user {
		c.sources[Global] = "(the user's file, not read twice)"
	} else {
		c.file(Global, global)
	}
	c.globalConfig = global
	return c, nil
}

// environ makes a map of "NAME=value" pairs.
func environ(pairs []string) map[string]string {
	env := make(map[string]string, len(pairs))
	for _, pair := range pairs {
		if name, value, found := strings.Cut(pair, "="); found && name != "" {
			env[name] = value
		}
	}
	return env
}

func globalPrefix(env map[string]string) string {
	if prefix := env["PREFIX"]; prefix != "" {
		return prefix
	}
	node := nodeOnPath(env["PATH"])
	if node == "" {
		return "/usr/local"
	}
	if runtime.GOOS == "windows" {
		return filepath.Dir(node)
	}
	return filepath.Join(env["DESTDIR"], filepath.Dir(filepath.Dir(node)))
}

// nodeOnPath finds node's program with links followed, as process.execPath
// has it.
func nodeOnPath(path string) string {
	name := "node"
	if runtime.GOOS == "windows" {
		name = "node.exe"
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		file, err := exec.LookPath(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		if real, err := filepath.EvalSymlinks(file); err == nil {
			return real
		}
	}
	return ""
}

func builtinFile(prefix string) string {
	if runtime.GOOS == "windows" {
		return filepath.Join(prefix, "node_modules", "npm", "npmrc")
	}
	return filepath.Join(prefix, "lib", "node_modules", "npm", "npmrc")
}

// defaults fills the weakest layer.
func (c *Config) defaults(prefix string) {
	c.sources[Default] = "default values"
	set := make(map[string]setting, len(definitions))
	for key, d := range definitions {
		set[key] = setting{value: d.value}
	}
	set["prefix"] = setting{value: text(prefix)}
	set["cache"] = setting{value: text(filepath.Join(c.home, ".npm"))}
	if local := c.env["LOCALAPPDATA"]; runtime.GOOS == "windows" && local != "" {
		set["cache"] = setting{value: text(filepath.Join(local, "npm-cache"))}
	}
	set["userconfig"] = setting{value: text(filepath.Join(c.home, ".npmrc"))}
	for _, key := range []string{"init-module", "init.module"} {
		set[key] = setting{value: text(filepath.Join(c.home, ".npm-init.js"))}
	}
	if c.env["NODE_ENV"] == "production" {
		set["omit"] = setting{value: list("dev")}
	}
	c.sets[Default] = set
}

// file reads one npmrc into a layer.
func (c *Config) file(layer Layer, path string) {
	c.sources[layer] = path
	data, err := readSmall(path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			c.warn(Warning{Layer: layer, Source: path, Reason: "cannot be read: " + err.Error()})
		}
		return
	}
	ini := ParseINI(data)
	for _, m := range ini.Value().Members() {
		c.set(layer, m.Key, m.Value, ini.Line(m.Key))
	}
}

func readSmall(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, fileSizeMax+1))
	if err != nil {
		return nil, err
	}
	if len(data) > fileSizeMax {
		return nil, fmt.Errorf("read %s: larger than %d bytes", path, fileSizeMax)
	}
	return data, nil
}

func (c *Config) flags(flags map[string]string) {
	c.sources[CLI] = "command line options"
	for key, value := range flags {
		c.set(CLI, key, text(value), 0)
	}
}

var envPrefix = regexp.MustCompile(`(?i)^npm_config_`)

// environment reads npm_config_* in any case. Behind the prefix "_" stands for
// "-", but not at the start, and not in a //host key, which is taken as it is.
func (c *Config) environment(pairs []string) {
	c.sources[Env] = "environment"
	for _, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		if value == "" || !envPrefix.MatchString(name) {
			continue
		}
		key := name[len("npm_config_"):]
		if key == "" {
			continue
		}
		if !strings.HasPrefix(key, "//") {
			key = strings.ToLower(key[:1] + strings.ReplaceAll(key[1:], "_", "-"))
		}
		c.set(Env, key, text(value), 0)
	}
}

// set puts one setting into a layer.
func (c *Config) set(layer Layer, rawKey string, raw jsonval.Value, line int) {
	at := Warning{Layer: layer, Source: c.sources[layer], Line: line}
	parse := fields{dir: c.dir, home: c.home, lookup: c.variable}
	key := expand(rawKey, c.variable, nil)
	parse.missing = func(name string) {
		at.Key, at.Reason = key, "uses ${"+name+"}, which is not set"
		c.warn(at)
	}
	if c.sets[layer] == nil {
		c.sets[layer] = map[string]setting{}
	}
	c.sets[layer][key] = setting{value: parse.parse(key, raw), line: line}
	if reason := doubt(key); reason != "" && layer != Builtin {
		at.Key, at.Reason = key, reason
		c.warn(at)
	}
}

func (c *Config) variable(name string) (string, bool) {
	value, found := c.env[name]
	return value, found
}
