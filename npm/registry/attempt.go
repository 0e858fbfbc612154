package registry

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode"
)

// request is what one call wants.
type request struct {
	target
	header    http.Header
	sink      sink // for a body of status 200
	elsewhere string
	pkg       string
}

// answer is a status of 200 or 304. The body is nil for 304.
type answer struct {
	status   int
	header   http.Header
	body     []byte
	attempts int
}

// errorBodyMax is how much of an error's body is read for its message.
const errorBodyMax = 64 << 10

// fetch makes attempts until one succeeds or no other is worth it. The error is
// a *StatusError, *NetworkError, *RedirectError, *LimitError, or the context's.
func (c *Client) fetch(ctx context.Context, req *request) (*answer, error) {
	address := shown(req.url)
	for attempt := 1; ; attempt++ {
		if c.closed.Load() {
			return nil, ErrClosed
		}
		ans, err := c.attempt(ctx, req)
		if err == nil {
			ans.attempts = attempt
			return ans, nil
		}
		if ctx.Err() != nil {
			return nil, ended(ctx, address)
		}
		tries, status := triesFor(err), (*StatusError)(nil)
		var asked time.Duration
		if errors.As(err, &status) {
			status.Attempts, asked = attempt, status.RetryAfter
			if !retriable(status.Status) {
				tries = 0
			}
		}
		pause, again := c.backoff.after(attempt, asked, tries)
		if !again {
			return nil, final(err, address, attempt)
		}
		c.observe(Event{Kind: Retried, Package: req.pkg, URL: address, Attempt: attempt, Pause: pause, Err: err})
		if c.clock.Sleep(ctx, pause) != nil {
			return nil, ended(ctx, address)
		}
	}
}

// final gives an attempt's error the form that callers see.
func final(err error, address string, attempt int) error {
	var redirect *RedirectError
	var limit *LimitError
	var status *StatusError
	switch {
	case errors.As(err, &status):
		return status
	case errors.As(err, &redirect):
		return redirect
	case errors.As(err, &limit):
		return limit
	}
	return &NetworkError{URL: address, Attempts: attempt, Err: err}
}

// attempt takes a place among the requests in flight and asks once.
func (c *Client) attempt(ctx context.Context, req *request) (*answer, error) {
	select {
	case c.places <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-c.places }()

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := c.clock.AfterFunc(c.stall, func() { cancel(ErrStalled) })
	defer watch.Stop()
	ans, err := c.exchange(ctx, req, func() { watch.Reset(c.stall) })
	if err != nil && context.Cause(ctx) == ErrStalled {
		return nil, &stallError{c.stall}
	}
	return ans, err
}

// exchange follows redirects and reads the body; alive is called whenever
// something came.
func (c *Client) exchange(ctx context.Context, req *request, alive func()) (*answer, error) {
	resp, err := c.follow(ctx, req.target, req.header)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	alive()
	body := &counted{r: resp.Body, alive: alive, total: &c.bytes}
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusNotModified:
		discard(resp.Body)
		return &answer{status: resp.StatusCode, header: resp.Header}, nil
	default:
		text, _ := io.ReadAll(io.LimitReader(body, errorBodyMax))
		return nil, &StatusError{
			URL: shown(req.url), Status: resp.StatusCode, Message: message(text),
			Authorized: req.secret != "", Elsewhere: req.elsewhere,
			RetryAfter: retryAfter(resp.Header, c.clock.Now()),
		}
	}
	data, err := req.read(body, resp)
	if err != nil {
		if errors.Is(err, errTooLarge) {
			err = &LimitError{URL: shown(req.url), Limit: req.sink.limit}
		}
		return nil, err
	}
	return &answer{status: resp.StatusCode, header: resp.Header, body: data}, nil
}

// read takes the body into one buffer and undoes gzip.
func (r *request) read(body io.Reader, resp *http.Response) ([]byte, error) {
	switch strings.ToLower(resp.Header.Get("Content-Encoding")) {
	case "gzip", "x-gzip":
	default:
		return r.sink.readAll(body, resp.ContentLength)
	}
	packed, err := sink{alloc: take, free: give, limit: r.sink.limit, progress: r.sink.progress}.readAll(body, resp.ContentLength)
	if err != nil {
		return nil, err
	}
	out, err := gunzip(packed, r.sink.alloc, r.sink.limit)
	if r.sink.free != nil && (err != nil || !isGzip(out)) {
		// A tarball whose own compression was declared as the transfer's: it
		// is wanted as it came. If it was not even that, its hash will tell.
		if out != nil {
			r.sink.free(out)
		}
		return packed, nil
	}
	give(packed)
	return out, err
}

// counted counts bytes as they come and keeps the stall watch quiet.
type counted struct {
	r     io.Reader
	alive func()
	total interface{ Add(int64) int64 }
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if n > 0 {
		c.alive()
		c.total.Add(int64(n))
	}
	return n, err
}

// message takes the registry's words out of an error's body: {"error": "…"},
// with "reason" or "message" beside it or in its place. Control characters are
// dropped and the length is bounded, since it goes to a terminal.
func message(body []byte) string {
	var doc struct {
		Error, Reason, Message any
	}
	if json.Unmarshal(body, &doc) != nil {
		return ""
	}
	for _, v := range []any{doc.Reason, doc.Message, doc.Error} {
		if s, ok := v.(string); ok && s != "" {
			s = strings.Map(func(r rune) rune {
				if unicode.IsControl(r) || !unicode.IsPrint(r) && r != ' ' {
					return -1
				}
				return r
			}, s)
			if runes := []rune(s); len(runes) > 200 {
				s = string(runes[:200]) + "…"
			}
			return s
		}
	}
	return ""
}
