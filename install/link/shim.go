package link

import (
	"bytes"
	"fmt"
	"strings"
)

// Where symlinks need privileges (Windows), a command is a pair of small scripts, one for cmd.exe and PowerShell and one
// for shells: they run the target with the interpreter that its first line names.

// shimMark tells our scripts from files of others.
const shimMark = "made by weft"

// shimScripts returns the scripts for a target, which text reaches from the folder of the command. head is the target's
// beginning.
func shimScripts(head []byte, text string) (cmd, sh string) {
	program, args := interpreter(head)
	windows := `"%~dp0` + strings.ReplaceAll(text, "/", `\`) + `"`
	shell := `"$here/` + text + `"`
	if program != "" {
		windows = strings.Join(append(append([]string{`"%program%"`}, args...), windows), " ")
		shell = strings.Join(append(append([]string{program}, args...), shell), " ")
	}
	var out strings.Builder
	fmt.Fprintf(&out, "@rem %s\r\n@setlocal\r\n", shimMark)
	if program != "" {
		fmt.Fprintf(&out, "@set \"program=%%~dp0%s.exe\"\r\n@if not exist \"%%program%%\" set \"program=%s\"\r\n", program, program)
	}
	fmt.Fprintf(&out, "@%s %%*\r\n", windows)
	return out.String(), fmt.Sprintf("#!/bin/sh\n# %s\nhere=$(dirname \"$0\")\nexec %s \"$@\"\n", shimMark, shell)
}

// interpreter reads a "#!" line: the program's name without a path, and its arguments. Names with characters that a
// script could take for its own are not used.
func interpreter(head []byte) (program string, args []string) {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	rest, found := strings.CutPrefix(string(line), "#!")
	if !found {
		return "", nil
	}
	words := strings.Fields(rest)
	if len(words) > 0 && strings.HasSuffix(words[0], "/env") {
		words = words[1:]
		for len(words) > 0 && (words[0] == "-S" || strings.Contains(words[0], "=")) {
			words = words[1:]
		}
	}
	if len(words) == 0 || strings.ContainsAny(strings.Join(words, ""), "\"'`$%&|<>^()!;*?\\") {
		return "", nil
	}
	return words[0][strings.LastIndexByte(words[0], '/')+1:], words[1:]
}
