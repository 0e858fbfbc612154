package install

import (
	"fmt"
	"net/url"
	"slices"

	"weft/install/report"
	"weft/npm/npmrc"
)

// checkSettings refuses settings that no install could work with, before anything
// is done: the alternative is an error about the first package that meets them.
func checkSettings(c *npmrc.Config) error {
	// A scope's registry is left to the packages that need it: a variable that is
	// not set here may make it useless, and nothing else.
	u, err := url.Parse(c.Registry())
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return badSetting(c, "registry", "it is not an http or https address")
	}
	for _, kind := range c.Omit() {
		if !slices.Contains([]string{"", "dev", "optional", "peer"}, kind) {
			return badSetting(c, "omit", fmt.Sprintf("%q is none of dev, optional and peer", kind))
		}
	}
	return nil
}

// badSetting names the place of a setting, and never its value: an address may
// hold a password.
func badSetting(c *npmrc.Config, key, why string) error {
	place := ""
	if layer, ok := c.Origin(key); ok {
		place = " (" + c.Source(layer) + ")"
	}
	return &report.Problem{
		Code: report.CodeSetting, What: "the setting " + key + place + " cannot be used", Why: why,
		Hint: "mend it where it is set, or give --" + key, Exit: report.ExitUsage,
	}
}
