package plan

import _ "embed"

// Schema is the JSON schema (draft 2020-12) of plan files, for editors. Parse
// checks more than it can say.
//
//go:embed plan.schema.json
var Schema []byte
