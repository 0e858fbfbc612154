package report

// Codes of Problems. They are part of the command line's contract: scripts
// match them, so they are added to and never changed.
const (
	CodeUsage        = "ERR_USAGE"          // the command line is wrong
	CodeSetting      = "ERR_SETTING"        // an .npmrc, environment or flag value is wrong
	CodeManifest     = "ERR_PACKAGE_JSON"   // package.json is missing or no manifest
	CodeLockfile     = "ERR_LOCKFILE"       // the lockfile cannot be read
	CodeNoLockfile   = "ERR_NO_LOCKFILE"    // `weft ci` found none
	CodeLockStale    = "ERR_LOCKFILE_STALE" // package.json and the lockfile disagree
	CodeSpec         = "ERR_SPEC"           // a dependency's spec is no spec
	CodeNotFound     = "ERR_NOT_FOUND"      // the registry knows no such package
	CodeNoMatch      = "ERR_NO_MATCH"       // no version satisfies
	CodePeerConflict = "ERR_PEER_CONFLICT"  // peer dependencies cannot all be met
	CodePlatform     = "ERR_PLATFORM"       // a needed package is not for this platform
	CodeEngine       = "ERR_ENGINE"         // a needed package is not for this Node
	CodeAuth         = "ERR_AUTH"           // the registry wants a token, or another one
	CodeRegistry     = "ERR_REGISTRY"       // the registry answered with nonsense
	CodeNetwork      = "ERR_NETWORK"        // the registry could not be reached
	CodeOffline      = "ERR_OFFLINE"        // --offline, and the cache has not got it
	CodeIntegrity    = "ERR_INTEGRITY"      // bytes do not match their hash
	CodeArchive      = "ERR_ARCHIVE"        // a tarball is broken or hostile
	CodeStore        = "ERR_STORE"          // a package in the store was altered
	CodeNoSpace      = "ERR_NO_SPACE"       // the disk is full
	CodePermission   = "ERR_PERMISSION"     // a file may not be read or written
	CodeFiles        = "ERR_FILES"          // another failure of the file system
	CodeInterrupted  = "ERR_INTERRUPTED"    // Ctrl-C
	CodePanic        = "ERR_PANIC"          // a defect in weft
	CodeUnknown      = "ERR_FAILED"         // nobody had words for it
)
