//go:build windows || plan9 || js || wasip1

package run

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

func exitCode(state *os.ProcessState) int { return state.ExitCode() }

func usage(*os.ProcessState, map[string]float64) {}
