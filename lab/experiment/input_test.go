package experiment

import (
	"slices"
	"testing"

	"weft/lab/analyse"
	"weft/lab/plan"
)

func TestInput(t *testing.T) {
	p, err := plan.Parse("plan.yaml", []byte(`
arms:
  - {name: old, command: ./old}
  - {name: new, command: ./new}
  - {name: newer, command: ./newer}
workloads:
  - {name: big, values: {n: "1"}}
  - {name: small, values: {n: "2"}}
primary: [wall_ns, "m:rate"]
metrics:
  - {name: "m:rate", direction: more, min_effect: 0.1}
  - {name: minor_faults, direction: neither, min_difference: 5}
min_effect: 0.03
order: shuffled
`))
	if err != nil {
		t.Fatal(err)
	}
	in := Input(p, []analyse.Run{{Values: map[string]float64{"m:z": 1, "m:a": 1, "wall_ns": 1}}})
	if err := in.Validate(); err != nil {
		t.Fatal(err)
	}
	if in.Baseline != "old" || in.Repeat != "old'" || !slices.Equal(in.Candidates, []string{"new", "newer"}) ||
		!slices.Equal(in.Workloads, []string{"big", "small"}) || in.Design != analyse.Unpaired || in.MinEffect != 0.03 {
		t.Errorf("%+v", in)
	}
	byName := map[string]analyse.Metric{}
	var names []string
	for _, m := range in.Metrics {
		byName[m.Name] = m
		names = append(names, m.Name)
	}
	for name, want := range map[string]analyse.Metric{
		"wall_ns":      {Name: "wall_ns", Primary: true, Time: true},
		"user_ns":      {Name: "user_ns", Time: true},
		"m:rate":       {Name: "m:rate", Primary: true, Direction: analyse.MoreIsBetter, MinEffect: 0.1},
		"minor_faults": {Name: "minor_faults", Direction: analyse.NoDirection, MinDifference: 5},
	} {
		if byName[name] != want {
			t.Errorf("got %+v, want %+v", byName[name], want)
		}
	}
	if !slices.Equal(names[:2], []string{"wall_ns", "m:rate"}) || !slices.Equal(names[len(names)-2:], []string{"m:a", "m:z"}) {
		t.Errorf("order %v", names)
	}
	if len(names) != len(byName) {
		t.Errorf("a metric is there twice: %v", names)
	}
}
