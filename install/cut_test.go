package install

import (
	"testing"

	"weft/install/state"
	"weft/internal/regtest"
)

// TestCutFirstInstallLosesNoHash cuts a first install when some packages are in
// place and no lockfile is written, and wants the lockfile of the next run to be
// that of a run that was not cut: nothing in node_modules says where it came from
// and what its hash was.
func TestCutFirstInstallLosesNoHash(t *testing.T) {
	reg := regtest.New(t)
	reg.Add(tower()...)
	s := siteAt(t, reg, towerProject("1"))
	s.run()
	want := s.read("package-lock.json")
	s.remove("package-lock.json", hiddenLock, state.File, "node_modules/common")
	if err := state.Suspend(s.dir); err != nil { // as an install leaves it that was killed
		t.Fatal(err)
	}
	s.run()
	if got := s.read("package-lock.json"); got != want {
		t.Errorf("after a cut:\n%s\nwant\n%s", got, want)
	}
	s.has("node_modules/common")
}
