package plan

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// Blocks of a plan that leaves them open.
const (
	BlocksFewest = 10
	BlocksMost   = 30
	FillTime     = time.Minute // what the main series is to take, about
)

// Options are the settings of [FromCommands]. The zero value is the default.
type Options struct {
	Names     []string // of the arms; missing and empty ones are made from the commands
	Shell     bool     // the commands are for the shell
	Blocks    int      // 0 lets [BlocksFor] decide
	Seed      uint64   // 0 draws one
	MinEffect float64  // 0 stands for [DefaultMinEffect]
}

// FromCommands makes the plan of commands from a command line: the first is the
// baseline, with its repeat; one warm-up of each. Braces in the commands mean
// themselves. It fails with an [*Error] on a command that cannot be split, and
// where there is none or the plan would be past a limit.
func FromCommands(commands []string, o Options) (*Plan, error) {
	p := Default()
	p.Blocks, p.Seed = o.Blocks, o.Seed
	if o.MinEffect != 0 {
		p.MinEffect = o.MinEffect
	}
	for i, text := range commands {
		arm := Arm{Shell: o.Shell, Command: Command{Args: []string{literal(text)}}}
		if !o.Shell {
			args, err := Split(text)
			if err != nil {
				return nil, &Error{Name: fmt.Sprintf("command %d", i+1), Problem: fmt.Sprintf("%q: %v", text, err), Expected: "a program and its arguments", Hint: "quotes come in pairs; a backslash keeps the next character"}
			}
			for j := range args {
				args[j] = literal(args[j])
			}
			arm.Command.Args = args
		}
		if i < len(o.Names) {
			arm.Name = o.Names[i]
		}
		p.Arms = append(p.Arms, arm)
	}
	nameArms(p.Arms)
	p.Fill()
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return p, nil
}

// nameArms names those that have no name: by the program's file name where
// that tells all arms apart, else by their letters A, B, ...
func nameArms(arms []Arm) {
	names := make([]string, len(arms))
	seen := map[string]bool{}
	apart := true
	for i, a := range arms {
		names[i] = a.Name
		if a.Name == "" && !a.Command.None() {
			names[i] = strings.TrimSuffix(filepath.Base(a.Command.Args[0]), ".exe")
		}
		apart = apart && !a.Shell && validName(names[i]) && !seen[names[i]]
		seen[names[i]] = true
	}
	for i := range arms {
		switch {
		case arms[i].Name != "":
		case apart:
			arms[i].Name = names[i]
		case i < 26:
			arms[i].Name = string(rune('A' + i))
		default:
			arms[i].Name = fmt.Sprintf("arm%d", i+1)
		}
	}
}

// BlocksFor decides how many blocks fill [FillTime] when one block takes so
// long: an even number from [BlocksFewest] to [BlocksMost]. It sees durations
// and nothing else, so that the number cannot depend on which arm is faster.
func BlocksFor(block time.Duration) int {
	if block <= 0 {
		return BlocksMost
	}
	n := int(FillTime / block)
	return min(BlocksMost, max(BlocksFewest, n/2*2))
}
