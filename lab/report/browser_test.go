package report

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// browser finds a Chromium, or skips.
func browser(t *testing.T) string {
	if testing.Short() {
		t.Skip("a browser takes seconds")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no chromium here: the page was not looked at in a browser")
	return ""
}

// dump opens a page and gives its document after the scripts ran, and what the
// browser complained of.
func dump(t *testing.T, program, page string, columns int) (dom, complaints string) {
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
		"--user-data-dir="+filepath.Join(dir, "profile"), fmt.Sprintf("--window-size=%d,2000", columns), "--dump-dom", "file://"+file)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil && stdout.Len() == 0 {
		t.Skipf("chromium does not run here: %v", err)
	}
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, "CONSOLE") {
			complaints += line
		}
	}
	return stdout.String(), complaints
}

// probe measures the page as it is laid out and writes what is wrong into the
// document's title.
const probe = `<script>
window.addEventListener("load", function () {
	var bad = [], root = document.documentElement;
	document.querySelectorAll("details").forEach(function (d) { d.open = true; });
	if (root.scrollWidth > window.innerWidth + 1) bad.push("the page is " + root.scrollWidth + " wide in " + window.innerWidth);
	document.querySelectorAll("svg").forEach(function (svg) {
		var box = svg.viewBox.baseVal;
		if (svg.getBoundingClientRect().width < 10) bad.push("a plot has no size");
		svg.querySelectorAll("text, path, line, rect").forEach(function (e) {
			var b = e.getBBox();
			if (b.x < -2 || b.y < -2 || b.x + b.width > box.width + 2 || b.y + b.height > box.height + 2)
				bad.push(e.tagName + " sticks out of " + svg.getAttribute("aria-label") + ": " + e.textContent);
		});
	});
	root.setAttribute("data-probe", bad.length ? bad.slice(0, 5).join("; ") : "sound");
});
</script>`

var probed = regexp.MustCompile(`data-probe="([^"]*)"`)

func TestInBrowser(t *testing.T) {
	program := browser(t)
	pages := map[string]string{"hostile": pageOf(t, hostileData(t)), "history": historyPageOf(t)}
	for name, d := range samplesAll(t) {
		pages[name] = pageOf(t, d)
	}
	for name, page := range pages {
		dom, complaints := dump(t, program, page, 1200)
		if complaints != "" {
			t.Errorf("%s: the browser complains:\n%s", name, complaints)
		}
		checkPlots(t, dom)
		if name != "history" && !strings.Contains(dom, `href="blob:`) {
			t.Errorf("%s: the raw data cannot be downloaded", name)
		}
		// The policy of the page lets no other script in, so the probe takes its place.
		open := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`).ReplaceAllString(page, "")
		open = strings.Replace(open, "</body>", probe+"</body>", 1)
		for _, columns := range []int{400, 1200} {
			dom, _ := dump(t, program, open, columns)
			found := probed.FindStringSubmatch(dom)
			if found == nil || found[1] != "sound" {
				t.Errorf("%s at %d pixels: %v", name, columns, found)
			}
		}
	}
}
