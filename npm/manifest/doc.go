// Package manifest reads what a package says of itself: package.json files and the same data as it
// stands in packuments.
//
// [Parse] decodes JSON, [FromValue] takes it decoded, and both bring it into the form that an
// installation works with, by the rules of npm's own normalisation: spellings united, lists and
// maps in one shape, bins made safe. Nothing that a manifest may hold makes them panic; a field
// that has no sensible meaning is as good as absent. Two facts cannot be known from the document
// alone and need the package's file names: [Manifest.ExpandBinDir] and [Manifest.AddGypScript].
//
// The document as it was stays in [Manifest.Raw], because lockfiles repeat some fields as they
// were written.
package manifest
