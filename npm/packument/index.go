package packument

import "hash/maphash"

// keyIndex finds a version by its key: a hash table with open addressing whose slots hold positions
// plus one. Its seed is random, so that no document can be made to collide.
type keyIndex struct{ slots []uint32 }

// hashSeed is one for all indexes, chosen at random when the process starts.
var hashSeed = maphash.MakeSeed()

// find returns the position of key in list.
func (x *keyIndex) find(list []entry, key string) (i int, ok bool) {
	if len(x.slots) == 0 {
		return 0, false
	}
	mask := uint64(len(x.slots) - 1)
	for h := maphash.String(hashSeed, key); ; h++ {
		slot := x.slots[h&mask]
		if slot == 0 {
			return 0, false
		}
		if i = int(slot - 1); list[i].key == key {
			return i, true
		}
	}
}

// put notes that list[i] has been appended. The table is at most half full.
func (x *keyIndex) put(list []entry, i int) {
	if 2*len(list) > len(x.slots) {
		x.grow(list)
		return
	}
	x.insert(list[i].key, i)
}

func (x *keyIndex) grow(list []entry) {
	x.slots = make([]uint32, max(16, 2*len(x.slots)))
	for 2*len(list) > len(x.slots) {
		x.slots = make([]uint32, 2*len(x.slots))
	}
	for i := range list {
		x.insert(list[i].key, i)
	}
}

func (x *keyIndex) insert(key string, i int) {
	mask := uint64(len(x.slots) - 1)
	h := maphash.String(hashSeed, key)
	for x.slots[h&mask] != 0 {
		h++
	}
	x.slots[h&mask] = uint32(i + 1)
}
