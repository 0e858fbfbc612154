package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	install "weft/install/report"
	"weft/lab/compare"
	"weft/lab/experiment"
	"weft/lab/foreign"
	"weft/lab/report"
)

func newBenchVerify(w world) *cobra.Command {
	return &cobra.Command{
		Use:     "verify [flags] DIR",
		Short:   "Recompute every figure from the raw data, and compare",
		Long:    "verify compares a run directory with its manifest, computes every figure anew\nfrom runs.csv, and exits with 3 where anything differs from the stored report.",
		Example: "  weft bench verify .weft-bench/2026-12-01T10-30-00",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(cmd, "verify takes one run directory", "")
			}
			found, err := experiment.Verify(args[0])
			if err != nil {
				return benchFail(w, cmd, err)
			}
			if len(found.Wrong) > 0 {
				return benchFail(w, cmd, &install.Problem{
					Code: codeVerify, What: args[0] + " is not what was measured", Why: strings.Join(firstOf(found.Wrong, 12), "\n"),
					Hint: "a report can be made again by `weft bench report`; a record that was changed cannot be repaired", Exit: install.ExitNegative,
				})
			}
			fmt.Fprintf(w.stdout, "%s: all files, %d runs and %d comparisons are as recorded\n", args[0], found.Runs, found.Comparisons)
			return nil
		},
	}
}

// firstOf shortens a list that people are to read.
func firstOf(lines []string, most int) []string {
	if len(lines) <= most {
		return lines
	}
	return append(lines[:most:most], fmt.Sprintf("and %d more", len(lines)-most))
}

func newBenchReport(w world) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "report [flags] DIR",
		Short:   "Make the reports of a run directory again",
		Example: "  weft bench report --markdown .weft-bench/2026-12-01T10-30-00",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(cmd, "report takes one run directory", "")
			}
			out, err := newBenchOutput(w, cmd)
			if err != nil {
				return benchFail(w, cmd, err)
			}
			e, err := experiment.Load(args[0])
			if err == nil {
				err = e.Write()
			}
			if err == nil {
				err = out.experiment(e, true)
			}
			if err != nil {
				return benchFail(w, cmd, err)
			}
			return nil
		},
	}
	addBenchForms(cmd.Flags())
	return cmd
}

func newBenchHistory(w world) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "history [flags] DIR...",
		Short: "Follow comparisons through many run directories",
		Example: `  weft bench history .weft-bench/*
  weft bench history --html .weft-bench/* > history.html`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(cmd, "history takes run directories", "")
			}
			out, err := newBenchOutput(w, cmd)
			if err == nil && out.form == "markdown" {
				err = usage(cmd, "history has no Markdown", "--html makes a page")
			}
			if err != nil {
				return benchFail(w, cmd, err)
			}
			var points []report.Point
			for _, dir := range args {
				e, err := experiment.Load(dir)
				if err != nil {
					return benchFail(w, cmd, err)
				}
				points = append(points, e.Point())
			}
			if err := out.history(points); err != nil {
				return benchFail(w, cmd, err)
			}
			return nil
		},
	}
	addBenchForms(cmd.Flags())
	return cmd
}

func newBenchCompare(w world) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compare [flags] BEFORE [AFTER]",
		Short: "Compare two run directories, or files of other tools",
		Long: `compare sets two run directories against each other, or files that hyperfine
(--export-json) or go test -bench made. One file by itself is compared within: its
first program is the baseline. What was measured at different times is compared
with less right than what ran side by side, and the report says so.`,
		Example: `  weft bench compare before.txt after.txt
  weft bench compare hyperfine.json
  weft bench compare .weft-bench/2026-11-01T10-30-00 .weft-bench/2026-12-01T10-30-00`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return usage(cmd, "compare takes two run directories or files, or one file", "")
			}
			if err := compareVerb(w, cmd, args); err != nil {
				return benchFail(w, cmd, err)
			}
			return nil
		},
	}
	addBenchForms(cmd.Flags())
	cmd.Flags().String("min-effect", "", "smallest difference of interest, as a `share` or with % (default 2%)")
	cmd.Flags().StringSlice("fail-on", nil, "exit with 3 on these `verdict`s: slower, inconclusive, ...")
	return cmd
}

func compareVerb(w world, cmd *cobra.Command, args []string) error {
	out, err := newBenchOutput(w, cmd)
	if err != nil {
		return err
	}
	gate, _ := cmd.Flags().GetStringSlice("fail-on")
	if err := experiment.CheckGate(gate); err != nil {
		return err
	}
	var o compare.Options
	if o.MinEffect, err = minEffect(cmd.Flags()); err != nil {
		return err
	}
	data, err := compared(args, o)
	if err != nil {
		return err
	}
	if err := out.data(data); err != nil {
		return err
	}
	if caught := experiment.Caught(gate, data.Result); len(caught) > 0 {
		return &install.Problem{Code: codeGate, What: "the gate says no", Why: strings.Join(caught, "\n"), Exit: install.ExitNegative}
	}
	return nil
}

func compared(args []string, o compare.Options) (report.Data, error) {
	if len(args) == 1 {
		f, err := foreignFile(args[0])
		if err != nil {
			return report.Data{}, err
		}
		return compare.Within(f, o)
	}
	var sides [2]compare.Side
	for i, name := range args {
		info, err := os.Stat(name)
		if err != nil {
			return report.Data{}, err
		}
		if info.IsDir() {
			e, err := experiment.Load(name)
			if err != nil {
				return report.Data{}, err
			}
			sides[i] = e.Side(name)
			continue
		}
		f, err := foreignFile(name)
		if err != nil {
			return report.Data{}, err
		}
		sides[i] = compare.FromFile(name, f)
	}
	return compare.Sides(sides[0], sides[1], o)
}

// foreignFile reads a file of another tool, no more of it than is allowed.
func foreignFile(name string) (*foreign.File, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%w: %s is a folder; a run directory needs a second one to be compared with", compare.ErrNothing, name)
	}
	data, err := readUpTo(name, foreign.BytesMax+1)
	if err != nil {
		return nil, err
	}
	f, err := foreign.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}
