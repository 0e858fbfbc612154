package install

import (
	"os"
	"strings"
	"testing"
)

// TestUpgradesMoveNestedPackages: what nests in a package goes, stays, comes and
// moves as that package changes.
func TestUpgradesMoveNestedPackages(t *testing.T) {
	const packages = `
-- host@1.0.0/package.json --
{"dependencies": {"part": "1", "@s/bit": "1"}}
-- host@2.0.0/package.json --
{"dependencies": {"part": "2", "@s/bit": "1"}}
-- host@3.0.0/package.json --
{}
-- host@4.0.0/package.json --
{"dependencies": {"part": "1"}, "bundleDependencies": ["part"]}
-- host@4.0.0/node_modules/part/package.json --
{"name": "part", "version": "1.0.9"}
-- host@4.0.0/node_modules/part/bundled.js --
x
-- part@1.0.0/package.json --
{"bin": {"part": "index.js"}}
-- part@1.0.9/package.json --
{"bin": {"part": "index.js"}}
-- part@2.0.0/package.json --
{"bin": {"part": "index.js", "part-two": "index.js"}}
-- @s/bit@1.0.0/package.json --
{}
-- @s/bit@2.0.0/package.json --
{"bin": "index.js"}
`
	project := func(host, part string) string {
		return `{"name": "p", "dependencies": {"host": "` + host + `", "part": "` + part + `", "@s/bit": "2"}}`
	}
	states := []struct{ name, manifest, has string }{
		{"nested", project("1", "2"), "node_modules/host/node_modules/part node_modules/host/node_modules/.bin/part !node_modules/host/node_modules/.bin/part-two node_modules/host/node_modules/@s/bit"},
		{"shared", project("2", "2"), "!node_modules/host/node_modules/part !node_modules/host/node_modules/.bin/part node_modules/host/node_modules/@s/bit"},
		{"nothing nested", project("3", "2"), "!node_modules/host/node_modules/part !node_modules/host/node_modules/@s"},
		{"bundled", project("4", "2"), "node_modules/host/node_modules/part/bundled.js !node_modules/host/node_modules/part/index.js"},
		{"the other way", project("2", "1"), "node_modules/host/node_modules/part/index.js !node_modules/host/node_modules/part/bundled.js node_modules/host/node_modules/.bin/part-two"},
		{"no host", `{"name": "p", "dependencies": {"part": "2", "@s/bit": "2"}}`, "!node_modules/host node_modules/.bin/part-two"},
		{"no scope", `{"name": "p", "dependencies": {"part": "1"}}`, "!node_modules/@s !node_modules/.bin/bit !node_modules/.bin/part-two node_modules/.bin/part"},
	}
	for _, from := range states {
		for _, to := range states {
			t.Run(from.name+" to "+to.name, func(t *testing.T) {
				if from.name == "bundled" && to.name == "nested" {
					t.Skip("npm keeps the copy that the old version brought, and so does weft: TestAgainstNpm")
				}
				s := newSite(t, from.manifest, packages)
				s.run()
				s.has(strings.Fields(from.has)...)
				s.settled()
				s.write("package.json", to.manifest)
				sum := s.run()
				s.has(strings.Fields(to.has)...)
				s.settled()
				got := s.snapshot()

				fresh := s.sibling(to.manifest)
				fresh.write("package-lock.json", s.read("package-lock.json"))
				fresh.run(ci)
				want := fresh.snapshot()
				for name := range got { // folders that emptied may stay
					if got[name] == "folder" && (strings.HasSuffix(name, "/node_modules") || strings.HasSuffix(name, "/.bin")) && want[name] == "" {
						delete(got, name)
					}
				}
				if diff := difference(want, got); diff != "" {
					t.Errorf("not what a fresh install gives (%+v):\n%s", *sum, diff)
				}
			})
		}
	}
}

// TestCommandsOfOneName: the first package in npm's order has the command, and
// when it goes the next one gets it.
func TestCommandsOfOneName(t *testing.T) {
	s := newSite(t, `{"name": "p", "dependencies": {"a": "1", "b": "1"}}`, `
-- a@1.0.0/package.json --
{"bin": {"run": "index.js", "only-a": "index.js"}}
-- a@2.0.0/package.json --
{"bin": {"other": "index.js"}}
-- b@1.0.0/package.json --
{"bin": {"run": "index.js"}}
`)
	leads := func(want string) {
		t.Helper()
		if end, err := os.Readlink(s.at("node_modules/.bin/run")); err != nil || end != want {
			t.Errorf("run leads to %q, %v; want %q", end, err, want)
		}
	}
	s.run()
	leads("../a/index.js")
	s.write("package.json", `{"name": "p", "dependencies": {"a": "2", "b": "1"}}`)
	s.run()
	leads("../b/index.js")
	s.has("!node_modules/.bin/only-a", "node_modules/.bin/other")
	s.settled()
	s.write("package.json", `{"name": "p", "dependencies": {"b": "1"}}`)
	s.run()
	leads("../b/index.js")
	s.has("!node_modules/.bin/other")
	s.write("package.json", `{"name": "p", "dependencies": {"a": "1", "b": "1"}}`)
	s.run()
	leads("../a/index.js")
	s.settled()
	s.write("package.json", `{"name": "p", "dependencies": {"a": "1"}}`)
	s.run()
	leads("../a/index.js")
	s.write("package.json", `{"name": "p"}`)
	s.run()
	s.has("!node_modules/.bin/run", "!node_modules/.bin/only-a")
}

// TestFolderOfCommands: directories.bin is a folder of commands, of which the
// registry says nothing.
func TestFolderOfCommands(t *testing.T) {
	s := newSite(t, `{"name": "p", "dependencies": {"many": "1"}}`, `
-- many@1.0.0/package.json --
{"directories": {"bin": "tools"}}
-- many@1.0.0/tools/one.js --
#!/usr/bin/env node
-- many@1.0.0/tools/two.js --
#!/usr/bin/env node
-- many@2.0.0/package.json --
{"directories": {"bin": "tools"}}
-- many@2.0.0/tools/two.js --
#!/usr/bin/env node
-- leaf@1.0.0/package.json --
{"bin": "index.js"}
-- rival@1.0.0/package.json --
{"bin": {"one.js": "index.js"}}
`)
	s.run()
	s.has("node_modules/.bin/one.js", "node_modules/.bin/two.js")
	s.settled()
	s.write("package.json", `{"name": "p", "dependencies": {"many": "1", "leaf": "1", "rival": "1"}}`)
	s.run() // the folder of commands is touched, many is kept
	s.has("node_modules/.bin/one.js", "node_modules/.bin/two.js", "node_modules/.bin/leaf")
	s.settled()
	s.remove("node_modules/.bin/two.js")
	s.write("package.json", `{"name": "p", "dependencies": {"many": "1", "leaf": "1"}}`)
	s.run()
	s.has("node_modules/.bin/one.js", "node_modules/.bin/two.js")
	if end, err := os.Readlink(s.at("node_modules/.bin/one.js")); err != nil || end != "../many/tools/one.js" {
		t.Errorf("one.js leads to %q, %v", end, err)
	}
	s.settled()
	s.write("package.json", `{"name": "p", "dependencies": {"many": "2", "leaf": "1"}}`)
	s.run()
	s.has("!node_modules/.bin/one.js", "node_modules/.bin/two.js")
	s.settled()
	s.write("package.json", `{"name": "p", "dependencies": {"leaf": "1"}}`)
	s.run()
	s.has("!node_modules/.bin/one.js", "!node_modules/.bin/two.js", "node_modules/.bin/leaf")
	s.settled()
}

func TestNoBinLinks(t *testing.T) {
	s := newSite(t, basicProject, basics)
	off := flag("bin-links", "false")
	s.run(off)
	s.has("!node_modules/.bin")
	s.settled(off)
	s.run()
	s.has("node_modules/.bin/tool")
	s.settled()
}

// TestWorkspacesAndDirectories: members and file: dependencies are links, and what
// they need is installed for them.
func TestWorkspacesAndDirectories(t *testing.T) {
	s := newSite(t, `{"name": "p", "workspaces": ["packages/*"], "dependencies": {"near": "file:near", "packed": "file:packed.tgz"}}`, basics+`
-- packed@1.0.0/package.json --
{"dependencies": {"leaf": "2"}}
`)
	s.write("packages/one/package.json", `{"name": "one", "version": "1.0.0", "bin": "cli.js", "dependencies": {"app": "1", "two": "1"}}`)
	s.write("packages/one/cli.js", "#!/usr/bin/env node\n")
	s.write("packages/two/package.json", `{"name": "@ws/two", "version": "1.0.0", "dependencies": {"leaf": "1.0.0"}}`)
	s.write("near/package.json", `{"name": "near", "version": "2.0.0", "dependencies": {"lone": "3"}}`)
	tgz, err := s.reg.Tarball("packed", "1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	s.write("packed.tgz", string(tgz))
	s.write("packages/one/package.json", `{"name": "one", "version": "1.0.0", "bin": "cli.js", "dependencies": {"app": "1", "@ws/two": "1"}}`)
	s.run()
	s.has("node_modules/near", "node_modules/lone", "node_modules/packed/package.json", "node_modules/.bin/one")
	for name, want := range map[string]string{"node_modules/one": "../packages/one", "node_modules/@ws/two": "../../packages/two", "node_modules/near": "../near"} {
		if end, err := os.Readlink(s.at(name)); err != nil || end != want {
			t.Errorf("%s leads to %q, %v", name, end, err)
		}
	}
	s.settled()
	s.run(ci)
	s.settled()

	// An edit of a member's package.json is noticed.
	s.write("packages/two/package.json", `{"name": "@ws/two", "version": "1.0.0"}`)
	if s.run().UpToDate {
		t.Error("the edit of a workspace went unnoticed")
	}
	s.settled()
	// One that goes takes its link along, and its folder stays.
	s.write("package.json", `{"name": "p", "workspaces": ["packages/one"], "dependencies": {"packed": "file:packed.tgz"}}`)
	s.write("packages/one/package.json", `{"name": "one", "version": "1.0.0", "bin": "cli.js"}`)
	s.run()
	s.has("!node_modules/near", "!node_modules/lone", "!node_modules/@ws", "near/package.json", "packages/two/package.json", "node_modules/one")
	s.settled()

	// A link whose place a package takes, and back.
	s.write("package.json", `{"name": "p", "dependencies": {"leaf": "file:leaf"}}`)
	s.write("leaf/package.json", `{"name": "leaf", "version": "9.0.0"}`)
	s.run()
	s.settled()
	s.write("package.json", `{"name": "p", "dependencies": {"leaf": "1"}}`)
	s.run()
	s.has("node_modules/leaf/index.js", "leaf/package.json", "!leaf/index.js")
	s.settled()
	s.write("package.json", `{"name": "p", "dependencies": {"leaf": "file:leaf"}}`)
	s.run()
	s.has("!leaf/index.js", "leaf/package.json")
	s.settled()
}

// TestANewWorkspaceIsNoticed although no file that was read changed.
func TestANewWorkspaceIsNoticed(t *testing.T) {
	s := newSite(t, `{"name": "p", "workspaces": ["packages/*"]}`, basics)
	s.write("packages/one/package.json", `{"name": "one", "version": "1.0.0"}`)
	s.run()
	s.settled()
	s.write("packages/two/package.json", `{"name": "two", "version": "1.0.0", "dependencies": {"leaf": "1"}}`)
	if s.run().UpToDate {
		t.Error("a new workspace went unnoticed")
	}
	s.has("node_modules/two", "node_modules/leaf")
	s.settled()
}
