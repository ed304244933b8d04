package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
)

// slack is the tolerated ratio: two runs on a shared machine differ by about a tenth.
const slack = 1.15

// compare prints each figure beside the base's and their ratio. It returns the number of worse figures, of those with a goal: the others
// depend on the machine.
func compare(w io.Writer, base, now report) (worse int, err error) {
	before := map[string]line{}
	for _, l := range base.figures() {
		before[l.What] = l
	}
	table := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	printf := func(format string, args ...any) { _, _ = fmt.Fprintf(table, format, args...) } // Flush returns the error
	printf("\tbase\tnow\tratio\t\n")
	for _, l := range now.figures() {
		was, known := before[l.What]
		if !known || was.Value == 0 {
			printf("%s\t\t%s %s\t\tnew\n", l.What, figure(l.Value), l.Unit)
			continue
		}
		ratio, verdict := l.Value/was.Value, ""
		if gain := l.gain(was); gain < 1/slack && l.Must != 0 {
			verdict, worse = "worse", worse+1
		} else if gain > slack {
			verdict = "better"
		}
		printf("%s\t%s\t%s %s\t%.2f\t%s\n", l.What, figure(was.Value), figure(l.Value), l.Unit, ratio, verdict)
	}
	return worse, table.Flush()
}

// gain returns how many times better a figure is than the base.
func (l line) gain(was line) float64 {
	if l.Less {
		return was.Value / l.Value
	}
	return l.Value / was.Value
}

// figures returns all figures of a report that are compared.
func (r *report) figures() []line { return append(r.Lines, r.start()...) }

func readReport(path string) (r report, err error) {
	text, err := os.ReadFile(path) //nolint:gosec // the operator's own argument
	if err != nil {
		return report{}, err
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return report{}, fmt.Errorf("read %s: %w", path, err)
	}
	return r, nil
}

// compareFiles compares a report with a base, both in files.
func compareFiles(base, now string) error {
	before, err := readReport(base)
	if err != nil {
		return err
	}
	after, err := readReport(now)
	if err != nil {
		return err
	}
	worse, err := compare(os.Stdout, before, after)
	if err == nil && worse > 0 {
		err = fmt.Errorf("%d figures are worse than in %s by more than %.0f %%", worse, base, (slack-1)*100)
	}
	return err
}
