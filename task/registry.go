package task

import (
	"weft/internal/gid"
	"weft/internal/sy"
)

// The registry answers "on whose stack is this goroutine?" for any goroutine. It
// is process-wide, because a caller need not carry a context: an open-addressed
// table from goroutine number to stack.
//
// Lookups take no lock. Each stack enters itself before it runs a task and
// leaves before its goroutine ends, so a goroutine that looks for itself sees
// the table as it left it. A number that the Go runtime gave to a new goroutine
// finds nothing, because the old stack cleared its g and its cell before it died.
//
// A simulator takes an operation of the registry for one step: no other thread can
// tell, and every operation of the runtime begins with a look-up.
type registry struct {
	table sy.Pointer[[]sy.Pointer[stack]]
	mu    sy.Mutex
	used  int // cells that are not nil, graves included
	live  int
}

var (
	stacks registry
	grave  = new(stack) // marks a cell whose stack has left
)

// stackOf returns the stack that goroutine g runs on, or nil for a foreign one.
//
//go:norace
func stackOf(g uintptr) *stack {
	sy.Hold()
	table := stacks.table.Load()
	if table == nil {
		sy.Release()
		return nil
	}
	cells := *table
	mask := uintptr(len(cells) - 1)
	for i := hash(g) & mask; ; i = (i + 1) & mask {
		s := cells[i].Load()
		if s == nil {
			sy.Release()
			return nil
		}
		if s.g.Load() == g {
			sy.Release()
			return s
		}
	}
}

// here returns the stack of the calling goroutine, or nil.
func here() *stack {
	s := stackOf(gid.Get())
	if guests && s == nil {
		settle()
	}
	return s
}

// hash spreads addresses that share their low bits.
func hash(g uintptr) uintptr { return uintptr(uint64(g) * 0x9E3779B97F4A7C15 >> 32) }

// enter registers s for the calling goroutine and returns the stack that was
// registered for it, which leave puts back.
func (r *registry) enter(s *stack) (outer *stack) {
	sy.Hold()
	defer sy.Release()
	g := gid.Get()
	s.g.Store(g)
	r.mu.Lock()
	defer r.mu.Unlock()
	if cell := r.find(g, s); cell != nil {
		return cell.Swap(s)
	}
	table := r.table.Load()
	if table == nil || r.used*2 >= len(*table) {
		table = r.grow()
	}
	cells := *table
	mask := uintptr(len(cells) - 1)
	for i := hash(g) & mask; ; i = (i + 1) & mask {
		switch cells[i].Load() {
		case nil:
			r.used++
			fallthrough
		case grave:
			r.live++
			cells[i].Store(s)
			return nil
		}
	}
}

// leave forgets s, which is the calling goroutine's, and restores outer.
func (r *registry) leave(s, outer *stack) {
	sy.Hold()
	defer sy.Release()
	g := s.g.Load()
	r.mu.Lock()
	if cell := r.find(g, nil); cell != nil {
		if outer != nil {
			cell.Store(outer)
		} else {
			cell.Store(grave)
			r.live--
		}
	}
	s.g.Store(0)
	r.mu.Unlock()
}

// find returns the cell that holds g's stack, other than except.
func (r *registry) find(g uintptr, except *stack) *sy.Pointer[stack] {
	table := r.table.Load()
	if table == nil {
		return nil
	}
	cells := *table
	mask := uintptr(len(cells) - 1)
	for i := hash(g) & mask; ; i = (i + 1) & mask {
		s := cells[i].Load()
		if s == nil {
			return nil
		}
		if s != except && s != grave && s.g.Load() == g {
			return &cells[i]
		}
	}
}

// grow makes a table without graves, at most a third full.
func (r *registry) grow() *[]sy.Pointer[stack] {
	size := 64
	for size < (r.live+1)*3 {
		size *= 2
	}
	cells := make([]sy.Pointer[stack], size)
	mask := uintptr(size - 1)
	r.used = 0
	if old := r.table.Load(); old != nil {
		for i := range *old {
			s := (*old)[i].Load()
			if s == nil || s == grave {
				continue
			}
			j := hash(s.g.Load()) & mask
			for cells[j].Load() != nil {
				j = (j + 1) & mask
			}
			cells[j].Store(s)
			r.used++
		}
	}
	r.table.Store(&cells)
	return &cells
}
