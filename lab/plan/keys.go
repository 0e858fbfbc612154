package plan

// keys are the names that a plan file may have at the top, in the order in
// which a plan is written.
func (p *Plan) keys() []key {
	return []key{
		{"name", asText(&p.Name)},
		{"arms", func(r *reader, field string, n *node) { r.each(field, n, func(item *node) { r.arm(p, item) }) }},
		{"workloads", func(r *reader, field string, n *node) { r.each(field, n, func(item *node) { r.workload(p, item) }) }},
		{"matrix", func(r *reader, _ string, n *node) { r.matrix(p, n) }},
		{"repeat", asBool(&p.Repeat)},
		{"blocks", asWhole(&p.Blocks)},
		{"warmups", asWhole(&p.Warmups)},
		{"confirmations", asWhole(&p.Confirmations)},
		{"memory_runs", asWhole(&p.MemoryRuns)},
		{"order", asWord(&p.Order, orders)},
		{"seed", asWhole(&p.Seed)},
		{"padding", asBool(&p.Padding)},
		{"primary", asNames(&p.Primary)},
		{"metrics", func(r *reader, field string, n *node) { r.each(field, n, func(item *node) { r.metric(p, item) }) }},
		{"min_effect", asShare(&p.MinEffect)},
		{"outputs", asWord(&p.Outputs, outputs)},
		{"source", asWord(&p.Source, sources)},
		{"network", asWord(&p.Network, networks)},
		{"timeout", asTime(&p.Timeout)},
		{"allow_failure", asBool(&p.AllowFailure)},
		{"gate", asNames(&p.Gate)},
	}
}

// commands of an arm wait until it is known whether they are for the shell.
type commands struct{ command, setup, prepare, cleanup *node }

func keep(to **node) func(*reader, string, *node) {
	return func(_ *reader, _ string, n *node) { *to = n }
}

func (a *Arm) keys(c *commands, env *[]Value) []key {
	return []key{
		{"name", asText(&a.Name)},
		{"command", keep(&c.command)},
		{"shell", asBool(&a.Shell)},
		{"env", asValues(env)},
		{"cwd", asText(&a.Cwd)},
		{"setup", keep(&c.setup)},
		{"prepare", keep(&c.prepare)},
		{"cleanup", keep(&c.cleanup)},
	}
}

func (r *reader) arm(p *Plan, n *node) {
	var a Arm
	var c commands
	var env []Value
	r.table("an arm", n, a.keys(&c, &env))
	if r.err != nil {
		return
	}
	if a.Name == "" {
		r.fail(n.place, "a field name", "", "an arm has no name")
	}
	if c.command == nil {
		r.fail(n.place, "a field command", "", "arm %q has no command", clip(a.Name))
	}
	a.Command = r.command("command", c.command, a.Shell)
	a.Setup = r.command("setup", c.setup, a.Shell)
	a.Prepare = r.command("prepare", c.prepare, a.Shell)
	a.Cleanup = r.command("cleanup", c.cleanup, a.Shell)
	for _, v := range env {
		if a.Env == nil {
			a.Env = map[string]string{}
		}
		a.Env[v.Name] = v.Text
	}
	p.Arms = append(p.Arms, a)
}

// command reads a text or a list of arguments.
func (r *reader) command(field string, n *node, shell bool) Command {
	switch {
	case n == nil || r.err != nil:
	case n.shape == list && shell:
		r.fail(n.place, "one text", "leave shell out to give arguments as a list", "%s is a list, but the arm has shell: true", field)
	case n.shape == list:
		var c Command
		r.each(field, n, func(item *node) { c.Args = append(c.Args, r.scalar(field, item)) })
		return c
	case n.shape == text && shell:
		return Command{Args: []string{n.text}}
	case n.shape == text:
		args, err := Split(n.text)
		if err != nil {
			r.fail(n.place, "a program and its arguments", "quotes come in pairs; a backslash keeps the next character; shell: true gives the text to a shell", "%s: %v", field, err)
		}
		return Command{Args: args}
	default:
		r.fail(n.place, "text or a list of arguments", "", "%s is %s", field, n.describe())
	}
	return Command{}
}

func (w *Workload) keys() []key {
	return []key{{"name", asText(&w.Name)}, {"values", asValues(&w.Values)}}
}

// workload reads one; a text alone is its name.
func (r *reader) workload(p *Plan, n *node) {
	var w Workload
	if n.shape == text || n.shape == plain {
		w.Name = n.text
	} else {
		r.table("a workload", n, w.keys())
	}
	if w.Name == "" {
		r.fail(n.place, "a field name", "", "a workload has no name")
	}
	p.Workloads = append(p.Workloads, w)
}

func (r *reader) matrix(p *Plan, n *node) {
	if n.shape != table {
		r.fail(n.place, "a table of names with lists of values", "", "matrix is %s", n.shape)
		return
	}
	for _, f := range n.fields {
		m := Parameter{Name: f.name}
		r.each("matrix."+clip(f.name), f.value, func(item *node) {
			m.Values = append(m.Values, r.scalar("a value of "+clip(f.name), item))
		})
		p.Matrix = append(p.Matrix, m)
	}
}

func (m *Metric) keys() []key {
	return []key{
		{"name", asText(&m.Name)},
		{"direction", asWord(&m.Direction, directions)},
		{"min_effect", asShare(&m.MinEffect)},
		{"min_difference", asNumber(&m.MinDifference)},
	}
}

func (r *reader) metric(p *Plan, n *node) {
	m := Metric{Direction: Less}
	r.table("a metric", n, m.keys())
	if m.Name == "" {
		r.fail(n.place, "a field name", "", "a metric has no name")
	}
	p.Metrics = append(p.Metrics, m)
}
