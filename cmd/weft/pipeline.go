package main

import (
	"context"

	"weft/install"
	"weft/install/report"
)

// request is one install as the command line asks for it.
type request = install.Options

// pipeline does what a request asks.
func pipeline(ctx context.Context, o request) (*report.Summary, error) {
	return install.Run(ctx, o)
}
