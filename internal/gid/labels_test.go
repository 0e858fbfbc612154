package gid

import (
	"context"
	"runtime/pprof"
	"strings"
	"testing"
)

// TestLabels takes labels off a goroutine and puts them back.
func TestLabels(t *testing.T) {
	profile := func() string {
		var b strings.Builder
		_ = pprof.Lookup("goroutine").WriteTo(&b, 1)
		return b.String()
	}
	pprof.Do(context.Background(), pprof.Labels("gid", "labelled"), func(context.Context) {
		mine := Labels()
		if mine == nil || !strings.Contains(profile(), `"gid":"labelled"`) {
			t.Error("the labels that pprof set are not seen")
		}
		SetLabels(nil)
		if Labels() != nil || strings.Contains(profile(), `"gid":"labelled"`) {
			t.Error("the labels are still there")
		}
		SetLabels(mine)
		if !strings.Contains(profile(), `"gid":"labelled"`) {
			t.Error("the labels did not come back")
		}
	})
	if Labels() != nil {
		t.Error("labels are left")
	}
}
