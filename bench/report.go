package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// report is the result of a run.
type report struct {
	At      time.Time `json:"at"`
	Machine string    `json:"machine"`

	Lines []line `json:"lines"`

	FsyncMicros float64   `json:"fsync_us"`
	RowsPerTap  float64   `json:"rows_added_per_tap"` // besides the player's, which is changed
	TapMicros   []cost    `json:"tap_processor_us"`   // of each round at 32 connections
	SpinMicros  []cost    `json:"spin_processor_us"`
	FirstStart  int64     `json:"first_start_ms"` // with all migrations
	Restarts    []float64 `json:"start_to_ready_ms"`
	IdleMB      float64   `json:"idle_resident_mb"`
	FirstLoadKB float64   `json:"first_load_kb"` // scripts and styles that the page names, gzipped
}

// line is a figure with its limit and goal: minimums, or maximums if less is better.
// no goal.
type line struct {
	What  string  `json:"what"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"`
	Must  float64 `json:"must,omitempty"`
	Aim   float64 `json:"aim,omitempty"`
	Less  bool    `json:"less_is_better,omitempty"`
}

// verdict returns how a figure compares with its goals.
func (l line) verdict() string {
	reaches := func(asked float64) bool { return (l.Value >= asked) != l.Less || l.Value == asked }
	switch {
	case l.Must == 0:
		return ""
	case !reaches(l.Must):
		return "missed"
	case !reaches(l.Aim):
		return "met"
	}
	return "aim reached"
}

type measured struct {
	taps, many, spins                        []load // many at 256 connections
	reads, boards, constants, constantBoards []load
	txn, preparedTxn, cte                    []pgbenchResult
}

func (r *report) add(m measured, ranks ranked) {
	perSecond := func(loads []load) float64 { return median(loads, load.perSecond) }
	p99 := func(loads []load) float64 {
		return median(loads, func(l load) float64 { return milliseconds(l.percentile(0.99)) })
	}
	of := func(results []pgbenchResult) float64 {
		return median(results, func(p pgbenchResult) float64 { return p.perSecond })
	}
	cteP99 := median(m.cte, func(p pgbenchResult) float64 { return milliseconds(p.p99) })
	r.Lines = []line{
		{What: "tap batches, 32 connections", Value: perSecond(m.taps), Unit: "/s"},
		{What: "pgbench transaction, 32 connections", Value: of(m.txn), Unit: "/s"},
		{What: "pgbench transaction, prepared, 32 connections", Value: of(m.preparedTxn), Unit: "/s"},
		{What: "pgbench one statement, prepared, 32 connections", Value: of(m.cte), Unit: "/s"},
		{What: "taps ÷ pgbench transaction", Value: perSecond(m.taps) / of(m.txn), Must: 1.5, Aim: 2.5},
		{What: "taps ÷ pgbench transaction, prepared", Value: perSecond(m.taps) / of(m.preparedTxn)},
		{What: "taps ÷ pgbench one statement", Value: perSecond(m.taps) / of(m.cte), Must: 0.8, Aim: 1.3},
		{What: "p99 of a tap, 32 connections", Value: p99(m.taps), Unit: "ms"},
		{What: "p99 of a tap ÷ p99 of pgbench one statement", Value: p99(m.taps) / cteP99, Must: 1.0, Aim: 0.6, Less: true},
		{What: "tap batches, 256 connections", Value: perSecond(m.many), Unit: "/s"},
		{What: "p99 of a tap, 256 connections", Value: p99(m.many), Unit: "ms", Must: 50, Aim: 30, Less: true},
		{What: "spins, 32 connections", Value: perSecond(m.spins), Unit: "/s"},
		{What: "spins ÷ pgbench one statement", Value: perSecond(m.spins) / of(m.cte), Must: 0.2, Aim: 0.5},
		{What: "GET /user/me, 32 connections", Value: perSecond(m.reads), Unit: "/s"},
		{What: "GET /user/me ÷ Gin answering a constant", Value: perSecond(m.reads) / perSecond(m.constants), Must: 0.2, Aim: 0.4},
		{What: "GET /leaderboard, 32 connections", Value: perSecond(m.boards), Unit: "/s"},
		{What: "GET /leaderboard ÷ Gin answering a constant", Value: perSecond(m.boards) / perSecond(m.constantBoards), Must: 0.5, Aim: 0.85},
	}
	r.Lines = append(r.Lines, ranks.lines()...)
}

func (r *report) write(path string) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	printf := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) } // Flush returns the error
	printf("%s\t\tmust\taim\n", r.Machine)
	for _, l := range r.figures() {
		printf("%s\t%s %s\t%s\t%s\t%s\n", l.What, figure(l.Value), l.Unit, asked(l.Must), asked(l.Aim), l.verdict())
	}
	printf("fsync\t%.0f µs\n", r.FsyncMicros)
	for _, call := range []struct {
		name  string
		costs []cost
	}{{"tap", r.TapMicros}, {"spin", r.SpinMicros}} {
		printf("processor time of a %s\t%.0f µs program, %.0f PostgreSQL, %.0f this client\n", call.name,
			median(call.costs, func(c cost) float64 { return c.Program }), median(call.costs, func(c cost) float64 { return c.Postgres }),
			median(call.costs, func(c cost) float64 { return c.Client }))
	}
	printf("rows added per tap\t%.2f\n", r.RowsPerTap)
	if err := w.Flush(); err != nil {
		return err
	}
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644) //nolint:gosec // for everyone to read
}

// start measures the starts of program and web app.
func (r *report) start() []line {
	return []line{
		{What: "start to ready, median", Value: r.Restarts[len(r.Restarts)/2], Unit: "ms", Must: 100, Aim: 50, Less: true},
		{What: "resident, idle", Value: r.IdleMB, Unit: "MB", Must: 48, Aim: 40, Less: true},
		{What: "first load of the web app, gzipped", Value: r.FirstLoadKB, Unit: "kB", Must: 170, Aim: 140, Less: true},
	}
}

func figure(value float64) string { return strconv.FormatFloat(value, 'f', 2, 64) }

func asked(value float64) string {
	if value == 0 {
		return ""
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
}

func median[T any](all []T, of func(T) float64) float64 {
	values := make([]float64, len(all))
	for i, one := range all {
		values[i] = of(one)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// p99OfLogs parses pgbench's logs: a line's third field is a transaction's microseconds.
func p99OfLogs(folder string) (time.Duration, error) {
	files, err := filepath.Glob(filepath.Join(folder, "pgbench_log*"))
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("pgbench wrote no log: %w", err)
	}
	var all []int64
	for _, name := range files {
		file, err := os.Open(name) //nolint:gosec // our own folder
		if err != nil {
			return 0, err
		}
		for lines := bufio.NewScanner(file); lines.Scan(); {
			if words := strings.Fields(lines.Text()); len(words) > 2 {
				micros, err := strconv.ParseInt(words[2], 10, 64)
				if err != nil {
					return 0, err
				}
				all = append(all, micros)
			}
		}
		_ = file.Close()
	}
	slices.Sort(all)
	return time.Duration(all[len(all)*99/100]) * time.Microsecond, nil
}

// fsyncTime returns the median time of a synced page write in the temporary folder, in microseconds.
func fsyncTime() (float64, error) {
	file, err := os.CreateTemp("", "fsync")
	if err != nil {
		return 0, err
	}
	defer os.Remove(file.Name()) //nolint:errcheck // temporary
	defer file.Close()           //nolint:errcheck // temporary
	page := make([]byte, 8192)
	var times []float64
	for range 100 {
		began := time.Now()
		if _, err := file.WriteAt(page, 0); err != nil {
			return 0, err
		}
		if err := file.Sync(); err != nil {
			return 0, err
		}
		times = append(times, float64(time.Since(began).Microseconds()))
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

// residentMB returns an idle process's memory.
func residentMB(pid int) float64 {
	time.Sleep(time.Second)
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for l := range strings.SplitSeq(string(text), "\n") {
		if words := strings.Fields(l); len(words) > 1 && words[0] == "VmRSS:" {
			kilobytes, _ := strconv.ParseFloat(words[1], 64)
			return kilobytes / 1024
		}
	}
	return 0
}

var named = regexp.MustCompile(`(?:src|href)="/?(assets/[^"]+\.(?:js|css))"`)

// firstLoadKB returns the gzipped size of the page's scripts and styles.
func firstLoadKB(dist string) (float64, error) {
	page, err := os.ReadFile(filepath.Join(dist, "index.html")) //nolint:gosec // our own folder
	if err != nil {
		return 0, err
	}
	var sent bytes.Buffer
	for _, found := range named.FindAllSubmatch(page, -1) {
		content, err := os.ReadFile(filepath.Join(dist, string(found[1]))) //nolint:gosec // our own folder
		if err != nil {
			return 0, err
		}
		zip := gzip.NewWriter(&sent)
		if _, err := zip.Write(content); err != nil {
			return 0, err
		}
		if err := zip.Close(); err != nil {
			return 0, err
		}
	}
	return float64(sent.Len()) / 1000, nil
}
