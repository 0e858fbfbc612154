package compare

import (
	"strings"

	"weft/lab/analyse"
	"weft/lab/foreign"
)

// Side is one of two sets of measurements. Its names are foreign text.
type Side struct {
	Name string
	// Plan identifies the plan that was followed, seed included; "" where there
	// was none. Equal plans are compared in pairs.
	Plan string
	// Repeat is the arm that repeats the baseline; it is left out.
	Repeat  string
	Metrics []analyse.Metric
	Runs    []analyse.Run
}

// key names what is comparable on two sides: a workload and an arm.
type key struct{ workload, arm string }

func (k key) name() string {
	if analyse.Named(k.workload) {
		return k.workload + ", " + k.arm
	}
	return k.arm
}

// keys are those of the main series, in the order in which they occur.
func (s Side) keys() []key {
	var all []key
	seen := map[key]bool{}
	for _, r := range s.Runs {
		k := key{r.Workload, r.Arm}
		if r.Series == analyse.MainSeries && r.Arm != s.Repeat && !seen[k] {
			seen[k] = true
			all = append(all, k)
		}
	}
	return all
}

// FromFile makes a side of another tool's file. Its first metric is primary.
func FromFile(name string, f *foreign.File) Side {
	s := Side{Name: name}
	seen := map[string]bool{}
	for _, b := range f.Benchmarks {
		for i, v := range b.Values {
			s.Runs = append(s.Runs, analyse.Run{
				Series: analyse.MainSeries, Arm: b.Name, Block: i, Failed: v.Failed, Values: v.Values,
			})
			for metric := range v.Values {
				seen[metric] = true
			}
		}
	}
	s.Metrics = metricsOf(seen)
	return s
}

// metricsOf describes metrics by what their names say: times are faster when
// less, rates better when more, anything else better when less. The time is
// primary, or all are where there is none.
func metricsOf(names map[string]bool) []analyse.Metric {
	var all []analyse.Metric
	timed := false
	for _, name := range sorted(names) {
		m := analyse.Metric{Name: name, Time: name == "wall_ns" || strings.HasPrefix(name, "ns/")}
		if strings.HasSuffix(name, "/s") || strings.HasSuffix(name, "/sec") {
			m.Direction = analyse.MoreIsBetter
		}
		m.Primary = m.Time && !timed
		timed = timed || m.Time
		all = append(all, m)
	}
	for i := range all {
		all[i].Primary = all[i].Primary || !timed
	}
	return all
}
