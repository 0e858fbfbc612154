package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"weft/install/report"
)

// version is the release that this source becomes.
const version = "0.1.0"

func newVersion(w world) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  weft version",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(cmd, "version takes no arguments", "")
			}
			if _, err := fmt.Fprintln(w.stdout, versionText()); err != nil {
				return failure{report.ExitFailure}
			}
			return nil
		},
	}
}

// versionText names the release, the revision it was built from where the
// build knows it, the Go release and the platform.
func versionText() string {
	text := "weft " + version
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				text += " (" + s.Value[:12] + ")"
			}
		}
	}
	return text + " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
}
