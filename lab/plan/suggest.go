package plan

import (
	"slices"
	"strings"
)

// synonyms are words that people write for names of a plan.
var synonyms = map[string]string{
	"pairs": "blocks", "runs": "blocks", "repetitions": "blocks", "warmup": "warmups", "confirm": "confirmations",
	"fail_on": "gate", "fail-on": "gate", "metric": "metrics", "min_effect_of_interest": "min_effect", "mde": "min_effect",
	"parameters": "matrix", "params": "matrix", "benchmarks": "workloads", "commands": "arms", "cmd": "command",
	"environment": "env", "dir": "cwd", "directory": "cwd", "workdir": "cwd", "teardown": "cleanup", "before": "prepare",
	"equal": "outputs", "output": "outputs", "memory": "memory_runs", "args": "values",
}

// suggest finds the name that was most likely meant, "" if none is near.
func suggest(name string, known []string) string {
	name = strings.ToLower(name)
	if meant := synonyms[name]; slices.Contains(known, meant) {
		return meant
	}
	best, nearest := "", len(name)/3+1
	for _, k := range known {
		if d := distance(name, k, nearest); d < nearest || d == nearest && best == "" {
			best, nearest = k, d
		}
	}
	return best
}

// distance counts the letters to insert, delete, change or swap with their
// neighbour to get from a to b (the optimal string alignment distance). What is
// above most is most+1.
func distance(a, b string, most int) int {
	if len(a) > 40 || len(b) > 40 || len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			d := min(change, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return min(rows[len(a)][len(b)], most+1)
}
