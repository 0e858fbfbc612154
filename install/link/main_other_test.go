//go:build !linux && !darwin

package link

// child belongs to the crash tests, which need signals.
func child(string) {}
