package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// npmFlag is a setting of npm's that may be given on the command line under
// npm's own name. Its value goes to npmrc as that key, over every file.
type npmFlag struct {
	key   string
	kind  flagKind
	usage string // "" keeps it out of the help
}

type flagKind int

const (
	isText flagKind = iota
	isBool          // --key, --key=false and --no-key
	isList          // may be given several times
)

// npmFlags: first those that the help shows, then those that matter to few,
// then those that scripts written for npm pass and that change nothing here.
// A flag that would change what an install does, and does not yet, is not in
// the list: it must fail rather than be ignored.
var npmFlags = []npmFlag{
	{"registry", isText, "the registry's `address`"},
	{"omit", isList, "leave out dependencies of this `kind`: dev, optional or peer"},
	{"include", isList, "install dependencies of this `kind` in spite of --omit"},
	{"ignore-scripts", isBool, "run no lifecycle scripts"},
	{"legacy-peer-deps", isBool, "treat peer dependencies as npm 6 did: install none"},
	{"strict-peer-deps", isBool, "fail on every conflict of peer dependencies"},
	{"force", isBool, "go on in spite of conflicts and of the wrong platform"},
	{"engine-strict", isBool, "fail on packages that ask for another Node"},
	{"prefer-offline", isBool, "ask the registry only for what is not cached"},
	{"offline", isBool, "never use the network"},
	{"os", isText, "install for this operating `system`"},
	{"cpu", isText, "install for this `processor`"},
	{"libc", isText, "install for this C `library`: glibc or musl"},

	{"prefer-online", isBool, ""},
	{"before", isText, ""},
	{"min-release-age", isText, ""},
	{"tag", isText, ""},
	{"prefer-dedupe", isBool, ""},
	{"install-links", isBool, ""},
	{"install-strategy", isText, ""},
	{"bin-links", isBool, ""},
	{"cache", isText, ""},
	{"userconfig", isText, ""},
	{"globalconfig", isText, ""},
	{"cafile", isText, ""},
	{"strict-ssl", isBool, ""},
	{"proxy", isText, ""},
	{"https-proxy", isText, ""},
	{"noproxy", isText, ""},
	{"maxsockets", isText, ""},
	{"fetch-retries", isText, ""},
	{"fetch-retry-factor", isText, ""},
	{"fetch-retry-mintimeout", isText, ""},
	{"fetch-retry-maxtimeout", isText, ""},
	{"fetch-timeout", isText, ""},
	{"user-agent", isText, ""},
	{"lockfile-version", isText, ""},
	{"omit-lockfile-registry-resolved", isBool, ""},
	{"replace-registry-host", isText, ""},
	{"format-package-lock", isBool, ""},

	{"audit", isBool, ""},
	{"audit-level", isText, ""},
	{"fund", isBool, ""},
	{"update-notifier", isBool, ""},
	{"unicode", isBool, ""},
	{"timing", isBool, ""},
	{"logs-max", isText, ""},
	{"foreground-scripts", isBool, ""},
}

// shorthand is npm's one-letter spelling of a flag.
var shorthand = map[string]string{"force": "f"}

// addNpmFlags declares them on a verb, with npm's words for how loud to be.
func addNpmFlags(flags *pflag.FlagSet) {
	for _, f := range npmFlags {
		switch f.kind {
		case isText:
			flags.String(f.key, "", f.usage)
		case isList:
			flags.StringSlice(f.key, nil, f.usage)
		case isBool:
			flags.BoolP(f.key, shorthand[f.key], false, f.usage)
			flags.Bool("no-"+f.key, false, "")
			hide(flags, "no-"+f.key)
		}
		if f.usage == "" {
			hide(flags, f.key)
		}
	}
	flags.Bool("production", false, "")
	flags.String("only", "", "")
	flags.Bool("progress", true, "")
	flags.String("loglevel", "", "")
	flags.BoolP("silent", "s", false, "")
	flags.String("color", "", "")
	flags.Lookup("color").NoOptDefVal = "always"
	for _, name := range []string{"production", "only", "progress", "loglevel", "silent", "color"} {
		hide(flags, name)
	}
}

func hide(flags *pflag.FlagSet, name string) { flags.Lookup(name).Hidden = true }

// npmSettings are the flags that were given, as npm's keys and values. Values
// of a list are separated by an empty line, as npm has them in its environment.
func npmSettings(flags *pflag.FlagSet) map[string]string {
	set := map[string]string{}
	for _, f := range npmFlags {
		flag := flags.Lookup(f.key)
		switch f.kind {
		case isText:
			if flag.Changed {
				set[f.key] = flag.Value.String()
			}
		case isList:
			if words, err := flags.GetStringSlice(f.key); err == nil && flag.Changed {
				set[f.key] = strings.Join(words, listSeparator)
			}
		case isBool:
			if flag.Changed {
				set[f.key] = flag.Value.String()
			}
			if no := flags.Lookup("no-" + f.key); no.Changed {
				set[f.key] = opposite(no.Value.String())
			}
		}
	}
	if only, _ := flags.GetString("only"); on(flags, "production") || only == "prod" || only == "production" {
		set["omit"] = strings.TrimPrefix(set["omit"]+listSeparator+"dev", listSeparator)
	}
	return set
}

const listSeparator = "\n\n"

func opposite(text string) string {
	if text == "true" {
		return "false"
	}
	return "true"
}

// npmLoudness turns npm's --silent, --loglevel and --progress=false into our
// --quiet, --verbose and --no-progress.
func npmLoudness(cmd *cobra.Command) error {
	flags := cmd.Flags()
	level, _ := flags.GetString("loglevel")
	if on(flags, "silent") {
		level = "silent"
	}
	if !on(flags, "progress") {
		if err := flags.Set("no-progress", "true"); err != nil {
			return err
		}
	}
	switch level {
	case "", "warn", "notice", "http", "info":
		return nil
	case "silent", "error":
		return flags.Set("quiet", "true")
	case "verbose", "silly":
		return flags.Set("verbose", "true")
	default:
		return usage(cmd, "--loglevel "+level+" is no level", "levels are silent, error, warn, notice, http, info, verbose and silly")
	}
}

// listWords completes the values of --omit and --include.
func listWords(cmd *cobra.Command) {
	words := cobra.FixedCompletions([]string{"dev", "optional", "peer"}, cobra.ShellCompDirectiveNoFileComp)
	for _, name := range []string{"omit", "include"} {
		if err := cmd.RegisterFlagCompletionFunc(name, words); err != nil {
			panic(err) // a flag of that name does not exist: a mistake in this file
		}
	}
}
