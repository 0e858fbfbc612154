package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// tiny is the program that bench is tried on:
//
//	tiny print TEXT           prints it
//	tiny sleep DURATION       takes so long
//	tiny exit CODE            fails
//	tiny append FILE TEXT     adds a line to a file
//	tiny stop N COUNTER PIPE  counts its runs in a file; the N-th says "here" into
//	                          the pipe and then waits to be killed
func tiny() {
	code, err := tinyRun(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 99
	}
	os.Exit(code)
}

func tinyRun(args []string) (int, error) {
	if len(args) < 2 {
		return 0, fmt.Errorf("usage: tiny WHAT ARGUMENT...")
	}
	switch args[0] {
	case "print":
		fmt.Println(strings.Join(args[1:], " "))
	case "sleep":
		d, err := time.ParseDuration(args[1])
		if err != nil {
			return 0, err
		}
		time.Sleep(d)
	case "exit":
		return strconv.Atoi(args[1])
	case "append":
		return 0, appendTo(args[1], strings.Join(args[2:], " ")+"\n")
	case "stop":
		return 0, tinyStop(args[1], args[2], args[3])
	default:
		return 0, fmt.Errorf("tiny does not %s", args[0])
	}
	return 0, nil
}

func appendTo(name, text string) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(text); err != nil {
		return err
	}
	return f.Close()
}

func tinyStop(at, counter, pipe string) error {
	n, err := strconv.Atoi(at)
	if err != nil {
		return err
	}
	if err := appendTo(counter, "."); err != nil {
		return err
	}
	info, err := os.Stat(counter)
	if err != nil || info.Size() != int64(n) {
		return err
	}
	if err := os.WriteFile(pipe, []byte("here"), 0); err != nil { // until somebody reads
		return err
	}
	time.Sleep(30 * time.Second) // an orphan ends some time
	return nil
}
