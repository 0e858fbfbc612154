//go:build linux

package run

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"weft/lab/plan"
)

func TestMain(m *testing.M) {
	Launcher()
	if len(os.Args) > 2 && os.Args[1] == "helper" {
		os.Exit(helper(os.Args[2], os.Args[3:]))
	}
	os.Exit(m.Run())
}

var ballast []byte

// helper is the program that the tests measure.
func helper(what string, args []string) int {
	n := 0
	if len(args) > 0 {
		n, _ = strconv.Atoi(args[0])
	}
	switch what {
	case "nothing":
	case "exit":
		return n
	case "print":
		fmt.Println(args)
	case "env":
		fmt.Print(os.Getenv(args[0]))
	case "errors":
		fmt.Fprintln(os.Stderr, "it went wrong")
		return 1
	case "allocate": // MiB
		ballast = make([]byte, n<<20)
		for i := 0; i < len(ballast); i += 4096 {
			ballast[i] = 1
		}
		time.Sleep(50 * time.Millisecond) // long enough for a look from outside
	case "spin": // milliseconds of CPU time
		for busy() < time.Duration(n)*time.Millisecond {
		}
	case "forever":
		select {}
	case "orphan": // leaves a process behind that says its pid in a file, in a session of its own
		exe, _ := os.Executable()
		c := exec.Command(exe, "helper", "pid", args[0])
		c.SysProcAttr = detached()
		if err := c.Start(); err != nil {
			return 1
		}
		for {
			if _, err := os.Stat(args[0]); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		if len(args) > 1 {
			select {}
		}
	case "pid":
		os.WriteFile(args[0]+".new", []byte(strconv.Itoa(os.Getpid())), 0o644)
		os.Rename(args[0]+".new", args[0])
		time.Sleep(time.Hour)
	case "talk": // n bytes over loopback
		return talk(n)
	case "bench": // the measuring process of tests that kill it
		return bench(args)
	}
	return 0
}

func busy() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func talk(n int) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 1
	}
	go func() {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			os.Exit(2)
		}
		c.Write(make([]byte, n))
		c.Close()
	}()
	c, err := l.Accept()
	if err != nil {
		return 1
	}
	got, b := 0, make([]byte, 4096)
	for {
		m, err := c.Read(b)
		got += m
		if err != nil {
			break
		}
	}
	if got != n {
		return 3
	}
	return 0
}

func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// command is the helper as a command of a plan.
func command(args ...string) plan.Command {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return plan.Command{Args: append([]string{exe, "helper"}, args...)}
}

func spec(args ...string) Spec {
	c := command(args...)
	return Spec{Path: c.Args[0], Args: c.Args, Env: os.Environ()}
}

// two is a plan of two arms that do nothing.
func two() *plan.Plan {
	p := plan.Default()
	p.Seed, p.Blocks = 11, 2
	p.Arms = []plan.Arm{{Name: "old", Command: command("nothing")}, {Name: "new", Command: command("nothing")}}
	return p
}
