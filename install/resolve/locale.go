package resolve

import "weft/internal/locale"

// compareNames is the order in which npm sorts names and paths.
func compareNames(a, b string) int { return locale.Compare(a, b) }
