//go:build !unix

package main

import "os"

// addSystem adds nothing where wait4 does not exist: those figures stay 0.
func (u *usage) addSystem(*os.ProcessState) {}

// syncDisk does nothing where there is no sync.
func syncDisk() {}
