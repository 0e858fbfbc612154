package jsonval

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// TestObjectModel compares large and small objects with a map and a list of keys.
func TestObjectModel(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		size := random.IntN(400)
		var members []Member
		var order []string
		last := map[string]int{}
		for i := range size {
			key := fmt.Sprintf("k%d", random.IntN(size))
			if random.IntN(10) == 0 {
				key = fmt.Sprint(random.IntN(size))
			}
			if _, ok := last[key]; !ok {
				order = append(order, key)
			}
			last[key] = i
			members = append(members, Member{key, OfNumber(float64(i))})
		}
		v := OfObject(members...)
		if v.Len() != len(order) {
			t.Fatalf("%d members, want %d", v.Len(), len(order))
		}
		for key, i := range last {
			if got, ok := v.Get(key); !ok || got.NumText() != fmt.Sprint(i) {
				t.Fatalf("%s is %s, want %d", key, got.NumText(), i)
			}
		}
		if _, ok := v.Get("missing"); ok {
			t.Fatal("found a key that is not there")
		}
		checkOrder(t, v.Members(), order)
	}
}

// checkOrder holds members to the order of their first appearance, integers first and ascending.
func checkOrder(t *testing.T, members []Member, order []string) {
	t.Helper()
	var names []string
	previous := int64(-1)
	for i, m := range members {
		n, ok := IndexKey(m.Key)
		if !ok {
			names = append(names, m.Key)
			continue
		}
		if len(names) > 0 || int64(n) <= previous {
			t.Fatalf("%s stands at %d", m.Key, i)
		}
		previous = int64(n)
	}
	i := 0
	for _, key := range order {
		if _, ok := IndexKey(key); ok {
			continue
		}
		if names[i] != key {
			t.Fatalf("%s stands where %s should", names[i], key)
		}
		i++
	}
}
