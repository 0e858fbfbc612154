//go:build race

package analyse

// thin is by how much simulations are fewer under the race detector.
const thin = 10
