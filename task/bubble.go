package task

import "time"

// bubbled guesses whether the caller is inside a testing/synctest bubble, whose
// clock starts with the year 2000. Waiting in a system call would look like work
// there and keep the bubble's time from advancing.
func bubbled() bool { return time.Now().Year() < 2010 }
