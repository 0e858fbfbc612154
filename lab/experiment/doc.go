// Package experiment reads an experiment from its run directory, judges it and
// shows it.
//
//	e, err := experiment.Load(dir)         // plan, surroundings, runs, analysis
//	err = e.Write()                        // the report in all its forms, into dir
//	found, err := experiment.Verify(dir)   // is it still what was measured?
//	caught := experiment.Caught(e.Plan.Gate, e.Data.Result)
//
// It joins the lab's rooms and measures nothing itself: lab/plan says what is
// run, lab/record keeps it, lab/analyse judges it, lab/report shows it. Figures
// come from the record and from nowhere else.
package experiment
