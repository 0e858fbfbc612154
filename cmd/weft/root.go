package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"weft/install/report"
)

// failure is an error that a verb has already reported; run only takes its
// exit status.
type failure struct{ exit int }

func (f failure) Error() string { return fmt.Sprintf("exit status %d", f.exit) }

// run executes one command line and returns the exit status.
func run(args []string, w world) int {
	ctx, stop := interruptible(context.Background())
	defer stop()
	root := newRoot(w, args)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var reported failure
	switch {
	case err == nil:
		return report.ExitOK
	case errors.As(err, &reported):
		return reported.exit
	default:
		return report.New(w.display(root).options()).Fail(err).Exit
	}
}

func newRoot(w world, args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "weft",
		Short: "Install what package.json asks for, and measure programs",
		Long: `weft installs what package.json asks for: the tree and the lockfile that npm would make, sooner.
weft bench says which of two programs is faster, and how sure that is.`,
		Example: `  weft install                       install the project in this folder
  weft install --dir examples/webapp
  weft ci                            install exactly what the lockfile says
  weft bench './old' './new'         compare two programs`,
		Annotations:   map[string]string{footer: exitCodes},
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       versionText(),
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownVerb(cmd, args[0])
			}
			return cmd.Help()
		},
	}
	flags := root.PersistentFlags()
	flags.BoolP("help", "h", false, "show this help")
	flags.Bool("quiet", false, "print errors alone")
	flags.Bool("verbose", false, "print details, every warning and every deprecation")
	flags.Bool("no-color", false, "print without colours (so does NO_COLOR)")
	root.Flags().BoolP("version", "v", false, "print the version")
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpTemplate(helpTemplate)
	root.SetUsageTemplate(helpTemplate)
	root.SetOut(w.stdout)
	root.SetErr(w.stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return flagError(cmd, args, err)
	})
	root.AddCommand(newInstall(w), newCI(w), newBench(w), newVersion(w))
	root.SetHelpCommand(newHelp(root))
	root.InitDefaultCompletionCmd()
	return root
}

// newHelp is `weft help VERB`, which is `weft VERB -h`.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB]",
		Short: "Show the help of a verb",
		RunE: func(_ *cobra.Command, args []string) error {
			verb, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownVerb(root, strings.Join(args, " "))
			}
			return verb.Help()
		},
	}
}

// usage is a Problem with the command line.
func usage(cmd *cobra.Command, what, hint string) error {
	if hint == "" {
		hint = "`" + cmd.CommandPath() + " -h` shows what there is"
	}
	return &report.Problem{Code: report.CodeUsage, What: what, Hint: hint, Exit: report.ExitUsage}
}

func unknownVerb(root *cobra.Command, word string) error {
	hint := ""
	if near := root.SuggestionsFor(word); len(near) > 0 {
		hint = "did you mean `weft " + strings.Join(near, "` or `weft ") + "`?"
	}
	return usage(root, fmt.Sprintf("weft has no verb %q", word), hint)
}

// flagError tells a flag that does not exist from one with a bad value. A
// request for help wins, wherever it stands; before the verb is known an
// unknown flag is no clue, so the verb is looked at first.
func flagError(cmd *cobra.Command, args []string, err error) error {
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	if slices.Contains(args, "-h") || slices.Contains(args, "--help") {
		if err := cmd.Help(); err != nil {
			return err
		}
		return failure{report.ExitOK}
	}
	if !cmd.HasParent() {
		for _, word := range args {
			if !strings.HasPrefix(word, "-") {
				return unknownVerb(cmd, word)
			}
		}
	}
	return usage(cmd, err.Error(), "")
}

// footer is the annotation whose text ends a command's help.
const footer = "footer"

const exitCodes = `Exit status:
  0    done
  1    failed
  2    the command line or a setting is wrong
  3    the lockfile and package.json disagree (ci), or a gate said no (bench)
  4    the network or the registry failed
  5    something was not what its hash says
  130  interrupted`

// helpTemplate puts examples first: that is what most people look for.
const helpTemplate = `{{with or .Long .Short}}{{. | trimTrailingWhitespaces}}
{{end}}{{if .HasExample}}
Examples:
{{.Example}}
{{end}}
Usage:
{{if .Runnable}}  {{.UseLine}}
{{end}}{{if .HasAvailableSubCommands}}  {{.CommandPath}} VERB [flags]

Verbs:
{{range .Commands}}{{if or .IsAvailableCommand (eq .Name "help")}}  {{rpad .Name .NamePadding}}  {{.Short}}
{{end}}{{end}}{{end}}{{with .Aliases}}
Also spelled:
{{range .}}  weft {{.}}
{{end}}{{end}}{{if .HasAvailableLocalFlags}}
Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}{{if .HasAvailableInheritedFlags}}
Flags of every verb:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}{{with index .Annotations "footer"}}
{{.}}
{{end}}`
