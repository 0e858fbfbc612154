// Package task is a runtime for concurrent work inside one program.
package task
