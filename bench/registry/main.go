// Command registry records what a package registry answers to a project's
// install, and serves the recording on loopback.
//
//	go run ./bench/registry record --fixture M --out DIR [--reuse DIR,DIR]
//	go run ./bench/registry serve --data DIR [--addr 127.0.0.1:0] [--delay 25ms]
//	go run ./bench/registry trim --fixture M --data DIR
//
// The recording is made once; comparisons then run without the network. trim
// makes the small universe beside a fixture from a recording of it.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) < 2 {
		usage()
	}
	var err error
	switch os.Args[1] {
	case "record":
		err = recordCommand(os.Args[2:])
	case "serve":
		err = serveCommand(os.Args[2:])
	case "trim":
		err = trimCommand(os.Args[2:])
	default:
		usage()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "registry:", err)
		os.Exit(1)
	}
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: registry record|serve|trim [flags]   (-h after each lists its flags)")
	os.Exit(2)
}
