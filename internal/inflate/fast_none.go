//go:build purego || !(amd64 || arm64)

package inflate

// hasSlack reports whether the fast loop may run. Here there is none.
func (d *decoder) hasSlack() bool { return false }

func (d *decoder) fast() outcome { return atEdge }
