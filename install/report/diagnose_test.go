package report

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"
	"unicode"
)

// errCanceled is what a runtime's own cancellation looks like.
type errCanceled struct{}

func (errCanceled) Error() string        { return "canceled" }
func (errCanceled) Is(target error) bool { return target == context.Canceled }

func TestDiagnoseChooses(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "f", Err: syscall.ENOSPC}
	own := &Problem{Code: "ERR_OWN", What: "own words", Exit: ExitIntegrity}
	tests := []struct {
		name string
		err  error
		code string
		pkg  string
		exit int
	}{
		{"own words", fmt.Errorf("outer: %w", own), "ERR_OWN", "", ExitIntegrity},
		{"own words get the package", ForPackage(own, "a@1"), "ERR_OWN", "a@1", ExitIntegrity},
		{"the innermost package", ForPackage(fmt.Errorf("x: %w", ForPackage(full, "b@1", "a@1")), "a@1"), CodeNoSpace, "b@1", ExitFailure},
		{"plain cancellation", context.Canceled, CodeInterrupted, "", ExitInterrupted},
		{"a runtime's cancellation", errCanceled{}, CodeInterrupted, "", ExitInterrupted},
		{"a file operation that was cancelled", &fs.PathError{Op: "read", Path: "f", Err: context.Canceled}, CodeInterrupted, "", ExitInterrupted},
		{"joined: known beats cancelled", errors.Join(ForPackage(context.Canceled, "a@1"), ForPackage(full, "b@1")), CodeNoSpace, "b@1", ExitFailure},
		{"joined: known beats unknown", errors.Join(errors.New("x"), full), CodeNoSpace, "", ExitFailure},
		{"joined: unknown beats cancelled", errors.Join(context.Canceled, errors.New("x")), CodeUnknown, "", ExitFailure},
		{"joined: the first of two", errors.Join(ForPackage(full, "a@1"), ForPackage(full, "b@1")), CodeNoSpace, "a@1", ExitFailure},
		{"joined under a package", ForPackage(errors.Join(context.Canceled, full), "a@1"), CodeNoSpace, "a@1", ExitFailure},
		{"two causes in one message", fmt.Errorf("%w: %w", errors.New("stage"), full), CodeNoSpace, "", ExitFailure},
		{"two unknown causes in one message", fmt.Errorf("%w: %w", errors.New("a"), errors.New("b")), CodeUnknown, "", ExitFailure},
		{"nothing joined", joined{}, CodeUnknown, "", ExitFailure},
	}
	for _, tt := range tests {
		p := Diagnose(tt.err)
		if p.Code != tt.code || p.Package != tt.pkg || p.Exit != tt.exit {
			t.Errorf("%s: %s %q exit %d, want %s %q exit %d", tt.name, p.Code, p.Package, p.Exit, tt.code, tt.pkg, tt.exit)
		}
	}
	if p := Diagnose(fmt.Errorf("%w: then %w", errors.New("a"), errors.New("b"))); p.What != "a: then b" {
		t.Errorf("two causes in one message became %q", p.What)
	}
	if own.Err != nil || own.Package != "" {
		t.Errorf("Diagnose changed the caller's Problem: %+v", own)
	}
}

type joined struct{}

func (joined) Error() string   { return "empty" }
func (joined) Unwrap() []error { return nil }

func TestProblemIsAnError(t *testing.T) {
	p := &Problem{Package: "a@1", What: "it broke", Why: "age", Err: fs.ErrExist}
	if want := "a@1: it broke: age"; p.Error() != want || !errors.Is(p, fs.ErrExist) {
		t.Errorf("%q, want %q", p, want)
	}
	if err := ForPackage(nil, "a@1"); err != nil {
		t.Errorf("no error became %v", err)
	}
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{"plain", "\x1b[31m", "\x9b1A", "a\u202eb", "\xff\xfe", "\r\n\t\x00", "\u2028"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := clean(s)
		for _, c := range got {
			if unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) {
				t.Errorf("clean(%q) = %q", s, got)
			}
		}
		if again := clean(got); again != got {
			t.Errorf("clean(%q) = %q, again %q", s, got, again)
		}
	})
}
