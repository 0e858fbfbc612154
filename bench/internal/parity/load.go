package parity

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"weft/bench/internal/difference"
	"weft/bench/internal/peer"
)

// loadLimit is how long one package may take to load.
const loadLimit = 60 * time.Second

// loadScript loads the package named by its last argument with require and
// with import, and prints what came of each: the kind of value with its keys,
// or the error's code. Messages are left out, since they hold paths.
const loadScript = `
const name = process.argv[process.argv.length - 1]
const seen = v => v === null ? 'null' : typeof v === 'object' || typeof v === 'function'
  ? typeof v + ' ' + Object.keys(v).sort().join(',') : typeof v
const failed = e => 'error ' + (e && (e.code || e.name) || typeof e)
const say = (how, what) => require('fs').writeSync(1, '\u0001' + how + ' ' + what + '\n')
process.on('uncaughtException', e => { say('later', failed(e)); process.exit(0) })
let r; try { r = 'ok ' + seen(require(name)) } catch (e) { r = failed(e) }
say('require', r)
import(name).then(m => 'ok ' + seen(m), failed).then(i => { say('import', i); process.exit(0) })
`

// load loads every direct dependency in both trees and compares the outcomes.
func (o Options) load(report *Report, reference, subject *side) error {
	names, err := direct(o.Manifest)
	if err != nil {
		return err
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return err
	}
	o.step("load %d direct dependencies with node", len(names))
	type outcome struct{ want, got string }
	outcomes := make([]outcome, len(names))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, name := range names {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			outcomes[i] = outcome{
				loadOne(node, reference.tool, reference.place, name),
				loadOne(node, subject.tool, subject.place, name),
			}
		})
	}
	wg.Wait()
	for i, oc := range outcomes {
		if strings.Contains(oc.want, " ok ") {
			report.Loaded++
		}
		if oc.want != oc.got {
			report.add(difference.Difference{Kind: "loads differently", Where: names[i], Want: oc.want, Got: oc.got})
		}
	}
	return nil
}

// loadOne describes how one package loads in a project.
func loadOne(node string, tool peer.Tool, p peer.Place, name string) string {
	ctx, cancel := context.WithTimeout(context.Background(), loadLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, "-e", loadScript, name)
	cmd.Dir, cmd.Env = p.Project, tool.Env(p)
	cmd.WaitDelay = time.Second // a child of the package may hold the output
	out, err := cmd.Output()
	var lines []string
	for line := range strings.Lines(string(out)) {
		// The package may print too; only our own lines count.
		if _, said, ok := strings.Cut(line, "\x01"); ok {
			lines = append(lines, strings.TrimSpace(said))
		}
	}
	if err != nil {
		lines = append(lines, "node ended with "+err.Error())
	}
	return strings.Join(lines, "; ")
}

// direct lists the names of all direct dependencies.
func direct(manifest []byte) ([]string, error) {
	var project struct {
		Dependencies, DevDependencies, OptionalDependencies map[string]string
	}
	if err := json.Unmarshal(manifest, &project); err != nil {
		return nil, fmt.Errorf("package.json: %w", err)
	}
	var names []string
	for _, group := range []map[string]string{project.Dependencies, project.DevDependencies, project.OptionalDependencies} {
		for name := range group {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
