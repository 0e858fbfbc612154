// Package regtest is an npm registry in the test's own process, on loopback,
// made from values of Go. It is for tests alone.
//
//	reg := regtest.New(t)
//	reg.Add(regtest.Package{Name: "leaf", Version: "1.0.0"})
//	reg.Add(regtest.Package{Name: "app", Version: "2.0.0",
//		Manifest: `{"dependencies": {"leaf": "^1.0.0"}}`})
//	reg.Fail("leaf", regtest.Fault{Kind: regtest.Answer, On: regtest.Tarballs, Status: 503, Times: 1})
//	// … install from reg.URL() …
//	for _, r := range reg.Requests() { … }
//
// Tarballs are written the same on every run and machine. Packuments come full
// or abbreviated by the Accept header, with an ETag and gzip, as the public
// registry sends them; [Registry.SetGateway] makes it answer as the gateways
// do that know none of this. A second server, [Registry.OtherURL], is the
// "other host" that redirects lead to: it serves the same packages and logs
// what it was asked.
//
// The same packages may be written as text ([Registry.AddText],
// [Registry.AddJSON]), so that scripts can hold them, or drawn at random from
// a seed ([Generate]), so that an installer can be compared with npm on worlds
// that nobody thought of.
package regtest
