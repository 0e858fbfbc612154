package main

import "github.com/spf13/cobra"

func newCI(w world) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "ci [flags]",
		Aliases: []string{"clean-install"},
		Short:   "Install exactly what the lockfile says",
		Long: `ci makes node_modules anew from the lockfile and never writes one. It fails with
status 3 where package.json asks for something else.`,
		Example: `  weft ci
  weft ci --dir examples/webapp --omit=dev`,
		RunE: func(cmd *cobra.Command, args []string) error { return installVerb(w, cmd, args, true) },
	}
	addInstallFlags(cmd)
	return cmd
}
