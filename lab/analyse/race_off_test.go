//go:build !race

package analyse

const thin = 1
