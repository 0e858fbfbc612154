package jsonval

import (
	"hash/maphash"
	"slices"
)

// An object keeps its members in one slice. Up to linearMembers of them a key is found by
// comparing; beyond that the node has an index: a table of a power of two slots, at most half
// full, each holding a member's position plus one, probed linearly from a seeded hash of the key,
// so that nobody can choose keys that collide.
const linearMembers = 24

var hashSeed = maphash.MakeSeed()

func hashKey(key string) uint32 { return uint32(maphash.String(hashSeed, key)) }

// find returns the position of a key among the members, or -1.
func (n *node) find(key string) int {
	if n.index == nil {
		return findLinear(n.members, key)
	}
	return findIndexed(n.members, n.index, key)
}

func findLinear(members []Member, key string) int {
	for i := range members {
		if members[i].Key == key {
			return i
		}
	}
	return -1
}

func findIndexed(members []Member, index []uint32, key string) int {
	mask := uint32(len(index) - 1)
	for slot := hashKey(key) & mask; ; slot = (slot + 1) & mask {
		at := index[slot]
		if at == 0 {
			return -1
		}
		if members[at-1].Key == key {
			return int(at - 1)
		}
	}
}

// buildIndex returns the index of members whose keys are all different.
func buildIndex(members []Member) []uint32 {
	size := 1
	for size < 4*len(members) {
		size *= 2
	}
	index := make([]uint32, size)
	for i := range members {
		insertIndex(index, members[i].Key, i)
	}
	return index
}

func insertIndex(index []uint32, key string, at int) {
	mask := uint32(len(index) - 1)
	slot := hashKey(key) & mask
	for index[slot] != 0 {
		slot = (slot + 1) & mask
	}
	index[slot] = uint32(at + 1)
}

// objectBuilder collects the members of one object at the end of a stack, from base on. Only the
// innermost object that is being read adds to the stack.
type objectBuilder struct {
	base    int
	index   []uint32
	indexed bool // some key is integer-like
}

// set adds a member to the stack, or replaces the value of the key where it already stands.
func (b *objectBuilder) set(stack []Member, key string, v Value) []Member {
	members := stack[b.base:]
	at := -1
	if b.index == nil {
		at = findLinear(members, key)
	} else {
		at = findIndexed(members, b.index, key)
	}
	if at >= 0 {
		members[at].Value = v
		return stack
	}
	if _, ok := IndexKey(key); ok {
		b.indexed = true
	}
	stack = append(stack, Member{key, v})
	switch n := len(members) + 1; {
	case n <= linearMembers:
	case 2*n > len(b.index):
		b.index = buildIndex(stack[b.base:])
	default:
		insertIndex(b.index, key, n-1)
	}
	return stack
}

// finish takes the members off the stack and returns the node that holds a copy of them.
func (b *objectBuilder) finish(stack []Member) (*node, []Member) {
	members := make([]Member, len(stack)-b.base)
	copy(members, stack[b.base:])
	return b.node(members), stack[:b.base]
}

// node puts the members that were set into order and returns the node that owns them.
func (b *objectBuilder) node(members []Member) *node {
	n := &node{members: members, index: b.index}
	if b.indexed && orderKeys(members) && n.index != nil {
		n.index = buildIndex(members)
	}
	return n
}

// orderKeys moves integer-like keys to the front, ascending, and reports whether anything moved.
func orderKeys(members []Member) bool {
	compare := func(a, b Member) int {
		i, iok := IndexKey(a.Key)
		j, jok := IndexKey(b.Key)
		switch {
		case iok && jok:
			return int(int64(i) - int64(j))
		case iok:
			return -1
		case jok:
			return 1
		}
		return 0
	}
	if slices.IsSortedFunc(members, compare) {
		return false
	}
	slices.SortStableFunc(members, compare)
	return true
}

// IndexKey returns the number of an integer-like key, one that JavaScript keeps before all others:
// the decimal form of an integer from 0 to 2^32-2, without sign or leading zeros.
func IndexKey(key string) (uint32, bool) {
	if len(key) == 0 || len(key) > 10 || key[0] > '9' || key[0] == '0' && len(key) > 1 {
		return 0, false
	}
	var n uint64
	for i := range len(key) {
		c := key[i] - '0'
		if c > 9 {
			return 0, false
		}
		n = n*10 + uint64(c)
	}
	if n >= 1<<32-1 {
		return 0, false
	}
	return uint32(n), true
}
