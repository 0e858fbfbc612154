package plan

import "math/rand/v2"

// Orders of k arms for n blocks, by Williams' construction (E. J. Williams,
// "Experimental designs balanced for the estimation of residual effects of
// treatments", Australian Journal of Scientific Research A 2, 1949): k rows in
// which every arm stands once in every place, and where k is even every arm
// follows every other once; where k is odd, two such squares together do that.

// rotation is the first row of a square: 0, 1, k-1, 2, k-2, ...
func rotation(k int) []int {
	row := make([]int, k)
	for i := range row {
		if i%2 == 1 {
			row[i] = (i + 1) / 2
		} else {
			row[i] = (k - i/2) % k
		}
	}
	return row
}

// square is k orders; each arm stands once in each place. The arms are
// relabelled by labels, the rows shuffled; mirrored turns each row around.
func square(r *rand.Rand, labels []int, mirrored bool) [][]int {
	k := len(labels)
	first := rotation(k)
	rows := make([][]int, k)
	for shift := range rows {
		row := make([]int, k)
		for place, arm := range first {
			if mirrored {
				place = k - 1 - place
			}
			row[place] = labels[(arm+shift)%k]
		}
		rows[shift] = row
	}
	r.Shuffle(k, func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	return rows
}

// balanced gives n orders of k arms. Every arm stands in every place n/k times,
// rounded down or up.
func balanced(r *rand.Rand, k, n int) [][]int {
	var rows [][]int
	for len(rows) < n {
		labels := r.Perm(k)
		mirrored := r.IntN(2) == 1
		rows = append(rows, square(r, labels, mirrored)...)
		if k%2 == 1 {
			rows = append(rows, square(r, labels, !mirrored)...)
		}
	}
	return rows[:n]
}
