// Package packument reads a registry's document about a package: its versions, their manifests, its dist-tags.
//
// A resolver asks for hundreds of these documents and wants a handful of manifests from each, while the documents hold up to
// thousands of manifests and some are of ten megabytes. So [Parse] only finds where each version's manifest
// begins and ends; [Packument.Manifest] decodes one when asked and keeps it; and what choosing a version needs
// to know of a manifest (is it deprecated, which engines does it want) is read on demand, without decoding the rest.
//
// [Pick] chooses the version that answers a spec, by npm-pick-manifest's rules.
//
// # Memory
//
// A Packument keeps the document it was parsed from. Full documents carry much that an installation never
// looks at, and [Packument.Compact] makes one that keeps only what it does: in each manifest the fields of
// the abbreviated form and those that a lockfile records. [Packument.AppendCache] writes that compact form to
// bytes which [FromCache] reads back without looking at the manifests at all, so that loading costs time by the number of
// versions and not by their size.
//
// # What documents may hold
//
// Whatever a registry sends is foreign. Only a document that is not a JSON object is an error; a part that has
// the wrong type counts as missing. A version's key is what names it: the version inside the manifest may
// differ and is not checked, as npm does not. Keys like "__proto__" are names like others.
//
// A Packument is immutable and safe for concurrent use. Nothing here blocks.
package packument
