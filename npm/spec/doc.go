// Package spec says what the right-hand side of a dependency asks for.
//
// A dependency "lodash": "^4.17.0" names a range in the registry; "npm:other@1" an alias, "file:../x" a folder,
// "user/repo#v2" a git repository, "https://host/x.tgz" a tarball. The rules are npm-package-arg 13's, with
// hosted-git-info 9's for the git hosts that have short names and validate-npm-package-name's for names, checked
// against the rows of their own suites.
//
// [Resolve] reads a dependency whose name is known, which is what a manifest holds; [Parse] reads what a person
// types ("foo@^1", "./folder", "github:a/b"). Both give a [Spec]. [ParseHosted] reads a git host's address,
// [CheckName] the name of a package.
//
// Registry specs, by far the most frequent, take a path that makes no URL and allocates little.
//
// Every value is immutable once made. Nothing here touches the network or a file; a relative file spec needs a
// folder to stand on, and asks for the working directory where none is given.
package spec
