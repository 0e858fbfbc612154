// Package plan says what an experiment of the lab is: which programs are run,
// with what, how often, in what order, and what would count as a difference.
//
// A [Plan] comes from a file, YAML or TOML, by [Parse], or from commands on a
// command line, by [FromCommands]. [Schedule] turns it into the list of runs,
// in an order that its seed decides. The package runs nothing and, but for the
// seed that [FromCommands] and [Plan.Fill] may draw, is a pure function of its
// input.
//
//	name: faster parser
//	arms:
//	  - name: old
//	    command: ./old parse {file}
//	  - name: new
//	    command: ./new parse {file}
//	workloads:
//	  - name: small
//	    values: {file: testdata/small.json}
//	  - name: big
//	    values: {file: testdata/big.json}
//	matrix:
//	  threads: [1, 2]
//	blocks: 20
//	primary: [wall_ns]
//
// The first arm is the baseline. It runs twice in each block, and the second
// time its name ends in an apostrophe: what the two show is the noise floor.
//
// # Commands
//
// A command is a list of arguments, or one text that is split at spaces. In
// the text quotes '...' and "..." keep spaces together and a backslash keeps
// the next character, as in a shell; there are no variables, no globs, no
// pipes. With shell: true the text goes to sh -c (cmd /C on Windows) as it is.
// setup, prepare and cleanup follow the same rule and the arm's own shell.
//
// {name} stands for a value of the workload or of the matrix, {arm} and
// {workload} for those names, and {{name}} for the text {name}. Other braces,
// ${HOME} among them, stay as they are.
//
// # Cells
//
// Each workload together with one value of every matrix parameter is a [Cell].
// Its name is what the record's column workload holds: "big threads=2". A plan
// with neither has one cell with the name [OnlyCell].
//
// # What is where
//
//	plan.go      the types and their defaults
//	check.go     what makes a plan sound, and the limits
//	parse.go     a file's bytes to a Plan; yaml.go and toml.go read the two forms
//	tree.go      what both forms are read into: values with their places
//	fields.go    the tree to values; keys.go to a Plan; suggest.go: did you mean
//	cell.go      workloads times the matrix, and {name}
//	split.go     a text to arguments
//	schedule.go  the order of runs; square.go the balanced orders of arms
//	commands.go  a plan made of commands; how many blocks fill a minute
//	marshal.go   a Plan to YAML, as it is kept beside the results
//
// plan.schema.json, in [Schema], describes the files to editors.
package plan
