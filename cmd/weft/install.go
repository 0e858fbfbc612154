package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft/install"
	"weft/install/report"
)

func newInstall(w world) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "install [flags]",
		Aliases: []string{"i"},
		Short:   "Install what package.json asks for",
		Long: `install reads package.json and the lockfile, if there is one, makes node_modules
what npm would make it, and writes package-lock.json.`,
		Example: `  weft install
  weft install --dir examples/webapp
  weft install --omit=dev
  weft install --package-lock-only   write the lockfile, leave node_modules alone
  weft install --json                one JSON document on stdout`,
		RunE: func(cmd *cobra.Command, args []string) error { return installVerb(w, cmd, args, false) },
	}
	addInstallFlags(cmd)
	cmd.Flags().Bool("package-lock-only", false, "write the lockfile and leave node_modules alone")
	cmd.Flags().Bool("no-package-lock", false, "neither read nor write a lockfile")
	cmd.Flags().Bool("package-lock", true, "")
	hide(cmd.Flags(), "package-lock")
	return cmd
}

// addInstallFlags declares what install and ci share.
func addInstallFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringP("dir", "C", ".", "the project's `folder`")
	flags.String("node-version", "", "install for this Node `version`, whatever is on PATH")
	flags.String("store-dir", "", "keep unpacked packages in this `folder`")
	flags.String("cache-dir", "", "keep metadata in this `folder`")
	flags.Bool("json", false, "print one JSON document to stdout")
	flags.Bool("no-progress", false, "show no progress")
	flags.String("prefix", "", "")
	hide(flags, "prefix")
	addNpmFlags(flags)
	for _, name := range []string{"dir", "store-dir", "cache-dir"} {
		if err := cmd.MarkFlagDirname(name); err != nil {
			panic(err) // declared above
		}
	}
	listWords(cmd)
}

// installVerb runs install and ci: flags in, pipeline, report out.
func installVerb(w world, cmd *cobra.Command, args []string, ci bool) error {
	if len(args) > 0 {
		return usage(cmd, fmt.Sprintf("%s takes no package names, and %q looks like one", cmd.CommandPath(), args[0]),
			"write it into package.json, then run `weft install`")
	}
	o, err := installRequest(w, cmd, ci)
	if err != nil {
		return err
	}
	settled := onInterrupt(cmd.Context(), func() {
		o.Report.Notice("interrupted: finishing what is half done; once more stops at once")
	})
	o.Report.Start()
	summary, err := w.install(cmd.Context(), o)
	settled()
	if err != nil {
		if cause := cmd.Context().Err(); cause != nil {
			err = cause // what fails after Ctrl-C fails because of it
		}
		return failure{o.Report.Fail(err).Exit}
	}
	return o.Report.Finish(*summary)
}

func installRequest(w world, cmd *cobra.Command, ci bool) (install.Options, error) {
	flags := cmd.Flags()
	if err := npmLoudness(cmd); err != nil {
		return install.Options{}, err
	}
	settings := npmSettings(flags)
	if flags.Lookup("package-lock") != nil && (on(flags, "no-package-lock") || !on(flags, "package-lock")) {
		settings["package-lock"] = "false"
	}
	text := func(name string) string { s, _ := flags.GetString(name); return s }
	dir := text("dir")
	if prefix := text("prefix"); prefix != "" && !flags.Changed("dir") {
		dir = prefix
	}
	display := w.display(cmd)
	return install.Options{
		Dir: dir, Flags: settings, Env: w.env,
		CI: ci, LockOnly: on(flags, "package-lock-only"),
		StoreDir: text("store-dir"), CacheDir: text("cache-dir"), NodeVersion: text("node-version"),
		Report: report.New(display.options()),
	}, nil
}

// on reads a boolean flag; one that the verb does not have is off.
func on(flags *pflag.FlagSet, name string) bool {
	v, err := flags.GetBool(name)
	return err == nil && v
}
