package main

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"weft/bench/internal/peer"
	"weft/bench/registry/archive"
	"weft/bench/registry/record"
	"weft/bench/registry/serve"
	"weft/npm/npmrc"
)

func recordCommand(args []string) error {
	flags := flag.NewFlagSet("record", flag.ExitOnError)
	fixture := flags.String("fixture", "S", "fixture to record: a folder of bench/fixtures or the path of a package.json")
	out := flags.String("out", "", "folder to fill (required)")
	peers := flags.String("peers", "", "folder with bun, pnpm and utoo, such as node_modules/.bin")
	tools := flags.String("tools", "npm,bun,pnpm,utoo", "installers that ask; those not found are left out")
	reuse := flags.String("reuse", "", "other recordings to copy from instead of fetching, separated by commas")
	origin := flags.String("registry", npmrc.DefaultRegistry, "registry to record, with a final slash")
	parallel := flags.Int("parallel", 12, "requests in flight to the registry")
	_ = flags.Parse(args) // exits on error
	if *out == "" {
		return errors.New("record: --out is required")
	}
	manifest, err := readFixture(*fixture)
	if err != nil {
		return err
	}
	a, err := archive.Create(*out, archive.Info{
		Origin: *origin, Fixture: filepath.Base(strings.TrimSuffix(*fixture, "/package.json")),
		Recorded: time.Now().UTC().Format(time.DateOnly), Tools: map[string]string{},
	})
	if err != nil {
		return err
	}
	others, err := openAll(*reuse)
	if err != nil {
		return err
	}
	upstream := record.NewUpstream(a, others, *parallel)
	base, stop, err := listen(serve.New(upstream, *origin, serve.Options{Failed: report}))
	if err != nil {
		return err
	}
	defer stop()
	for _, tool := range peer.FindAll(strings.Split(*tools, ","), "", *peers) {
		began := time.Now()
		if err := record.Run(tool, manifest, base); err != nil {
			return err
		}
		if a.Info.Tools[tool.Name], err = tool.Version(); err != nil {
			return err
		}
		fetched, reused := upstream.Counts()
		fmt.Printf("%-5s %-9s %6.1f s   fetched %d, copied %d so far\n",
			tool.Name, a.Info.Tools[tool.Name], time.Since(began).Seconds(), fetched, reused)
	}
	return a.SaveInfo()
}

// readFixture reads a fixture's package.json by the fixture's name or by path.
func readFixture(name string) ([]byte, error) {
	if strings.HasSuffix(name, ".json") {
		return os.ReadFile(name)
	}
	return os.ReadFile(filepath.Join("bench", "fixtures", name, "package.json"))
}

func openAll(list string) ([]*archive.Archive, error) {
	var all []*archive.Archive
	for _, dir := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' }) {
		a, err := archive.Open(dir)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}

// listen serves h on a free loopback port until stop is called.
func listen(h http.Handler) (base string, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(l) }() // ends when stop closes it
	return "http://" + l.Addr().String() + "/", func() { _ = server.Close() }, nil
}

func report(path string, err error) {
	fmt.Fprintf(os.Stderr, "registry: %s: %v\n", path, err)
}
