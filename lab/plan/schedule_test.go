package plan

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"
)

// arms makes a plan of arms called a, b, c, ...
func arms(n int) *Plan {
	p := Default()
	p.Seed = 7
	for i := range n {
		p.Arms = append(p.Arms, Arm{Name: string(rune('a' + i)), Command: Command{Args: []string{"true"}}})
	}
	return p
}

func TestSquareIsWilliams(t *testing.T) {
	for k := 1; k <= 9; k++ {
		want := 1 + k%2 // squares needed for balance
		rows := balanced(rand.New(rand.NewPCG(uint64(k), 1)), k, k*want)
		after := map[[2]int]int{}
		for place := range k {
			seen := map[int]int{}
			for _, row := range rows {
				seen[row[place]]++
				if place > 0 {
					after[[2]int{row[place-1], row[place]}]++
				}
			}
			for arm := range k {
				if seen[arm] != want {
					t.Errorf("k=%d: arm %d is %d times in place %d", k, arm, seen[arm], place)
				}
			}
		}
		for a := range k {
			for b := range k {
				if a != b && after[[2]int{a, b}] != want {
					t.Errorf("k=%d: %d follows %d %d times, want %d", k, b, a, after[[2]int{a, b}], want)
				}
			}
		}
	}
}

// TestBalance counts, for many sizes, how often each arm is in each place.
func TestBalance(t *testing.T) {
	for n := 1; n <= 7; n++ {
		for _, blocks := range []int{1, 2, 5, 10, 12, 31} {
			p := arms(n)
			p.Warmups, p.Confirmations, p.MemoryRuns = 2, 2, 3
			p.Matrix = []Parameter{{"size", []string{"1", "2"}}}
			checkBalance(t, p, blocks)
		}
	}
}

func checkBalance(t *testing.T, p *Plan, blocks int) {
	t.Helper()
	steps := Schedule(p, blocks)
	k := len(p.ArmNames())
	type where struct {
		series string
		cell   int
		arm    string
	}
	places := map[where][]int{}
	blocksOf := map[where][]int{}
	for _, s := range steps {
		w := where{s.Series, s.Cell, s.Arm}
		if places[w] == nil {
			places[w] = make([]int, k)
		}
		places[w][s.Position]++
		blocksOf[w] = append(blocksOf[w], s.Block)
		if s.Memory != (s.Series == SeriesMemory) {
			t.Fatalf("%+v", s)
		}
	}
	if want := 2 * k * 5; len(places) != want {
		t.Fatalf("%d series, cells and arms, want %d", len(places), want)
	}
	for w, counts := range places {
		n := blocks
		switch w.series {
		case SeriesWarmup:
			n = p.Warmups
		case SeriesMemory:
			n = p.MemoryRuns
		}
		if low, high := slices.Min(counts), slices.Max(counts); low < n/k || high > (n+k-1)/k {
			t.Errorf("%d arms, %d blocks, %+v: places %v", k, n, w, counts)
		}
		for i, b := range blocksOf[w] {
			if b != i {
				t.Errorf("%+v: blocks %v", w, blocksOf[w])
				break
			}
		}
	}
}

func TestScheduleIsDecidedBySeed(t *testing.T) {
	p := arms(3)
	p.Confirmations = 1
	a, b := Schedule(p, 10), Schedule(p, 10)
	if !reflect.DeepEqual(a, b) {
		t.Error("one seed, two orders")
	}
	longer := Schedule(p, 12)
	if !reflect.DeepEqual(a[:4], longer[:4]) {
		t.Error("warm-ups depend on the number of blocks")
	}
	paddings := map[Padding]bool{}
	for _, s := range a {
		paddings[s.Padding] = true
	}
	if len(paddings) != 3 {
		t.Errorf("three series have %d paddings", len(paddings))
	}
	p.Seed++
	if reflect.DeepEqual(a, Schedule(p, 10)) {
		t.Error("two seeds, one order")
	}
	p.Padding = false
	for _, s := range Schedule(p, 10) {
		if s.Padding != (Padding{}) {
			t.Fatalf("padding %+v though it is off", s.Padding)
		}
	}
}

func TestShuffled(t *testing.T) {
	p := arms(2)
	p.Order, p.Warmups = Shuffled, 0
	steps := Schedule(p, 40)
	count := map[string]int{}
	runs := 1
	for i, s := range steps {
		if s.Block != count[s.Arm] || s.Position != 0 {
			t.Fatalf("run %d: %+v", i, s)
		}
		count[s.Arm]++
		if i > 0 && steps[i-1].Arm != s.Arm {
			runs++
		}
	}
	if !reflect.DeepEqual(count, map[string]int{"a": 40, "a'": 40, "b": 40}) {
		t.Error(count)
	}
	if runs < 50 || runs > 110 { // 80 are expected of 120 in random order
		t.Errorf("%d changes of arm do not look shuffled", runs)
	}
}

func TestBlocksFor(t *testing.T) {
	for _, c := range []struct {
		block time.Duration
		want  int
	}{
		{0, 30}, {time.Millisecond, 30}, {2 * time.Second, 30}, {3 * time.Second, 20}, {3500 * time.Millisecond, 16},
		{6 * time.Second, 10}, {time.Hour, 10},
	} {
		if got := BlocksFor(c.block); got != c.want {
			t.Errorf("%v: %d blocks, want %d", c.block, got, c.want)
		}
	}
}

func ExampleSchedule() {
	p := Default()
	p.Seed = 3
	p.Arms = []Arm{{Name: "old"}, {Name: "new"}}
	for _, s := range Schedule(p, 2) {
		fmt.Println(s.Series, s.Block, s.Arm)
	}
	// Output:
	// warmup 0 new
	// warmup 0 old'
	// warmup 0 old
	// main 0 old'
	// main 0 old
	// main 0 new
	// main 1 old
	// main 1 new
	// main 1 old'
}
