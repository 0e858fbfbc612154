package plan

import (
	"errors"
	"reflect"
	"testing"
)

func TestFromCommands(t *testing.T) {
	for _, c := range []struct {
		commands []string
		options  Options
		names    []string
		first    []string
	}{
		{[]string{"./old build", "./new build"}, Options{}, []string{"old", "old'", "new"}, []string{"./old", "build"}},
		{[]string{"./x/app a", "./y/app a"}, Options{}, []string{"A", "A'", "B"}, []string{"./x/app", "a"}},
		{[]string{"sleep 1", "sleep 2"}, Options{Names: []string{"", "two"}}, []string{"sleep", "sleep'", "two"}, []string{"sleep", "1"}},
		{[]string{"a | b", "c"}, Options{Shell: true}, []string{"A", "A'", "B"}, []string{"a | b"}},
		{[]string{"echo {n} '{{m}}'"}, Options{}, []string{"echo", "echo'"}, []string{"echo", "{n}", "{{m}}"}},
	} {
		p, err := FromCommands(c.commands, c.options)
		if err != nil {
			t.Errorf("%q: %v", c.commands, err)
			continue
		}
		if p.Seed == 0 || p.Blocks != 0 || p.Warmups != 1 || !p.Repeat || p.MinEffect != 0.02 {
			t.Errorf("%+v", p)
		}
		if !reflect.DeepEqual(p.ArmNames(), c.names) {
			t.Errorf("%q: arms %q, want %q", c.commands, p.ArmNames(), c.names)
		}
		arm, err := p.Arms[0].In(p.Cells()[0])
		if err != nil || !reflect.DeepEqual(arm.Command.Args, c.first) {
			t.Errorf("%q: %q, %v", c.commands, arm.Command.Args, err)
		}
	}
}

func TestFromCommandsRefuses(t *testing.T) {
	for _, commands := range [][]string{nil, {"'"}, {""}, {"a", " "}, make([]string, ArmsMax+1)} {
		var e *Error
		if _, err := FromCommands(commands, Options{}); !errors.As(err, &e) {
			t.Errorf("%q: %v", commands, err)
		}
	}
}
