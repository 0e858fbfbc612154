// Package experiment carries an experiment from its plan to its report, and
// reads it back.
//
//	e, err := experiment.Run(ctx, experiment.Options{Plan: p, Dir: dir}) // measures, records, judges, shows
//	e, err := experiment.Load(dir)                                       // the same from a run directory
//	err = e.Write()                                                      // the report in all its forms, into dir
//	found, err := experiment.Verify(dir)                                 // is it still what was measured?
//	caught := experiment.Caught(e.Plan.Gate, e.Data.Result)
//
// It joins the lab's rooms and measures nothing itself: lab/plan says what is
// run, lab/run runs it, lab/record keeps it, lab/analyse judges it, lab/report
// shows it. Figures come from the record and from nowhere else: Run reads back
// what it recorded before it judges.
package experiment
