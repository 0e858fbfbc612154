package registry

import (
	"weft/npm/packument"
)

// parseStored reads the body of a stored document.
func parseStored(e *entry) (*packument.Packument, error) {
	return packument.Parse(e.body)
}

// store writes one document. It runs on the writer's goroutine.
func (c *Client) store(j job) {
	write := c.cache.write
	if j.refresh {
		write = c.cache.refresh
	}
	if err := write(j.key, j.entry); err != nil {
		c.observe(Event{Kind: CacheFailed, Package: j.name, URL: j.address, Err: err})
	}
}
