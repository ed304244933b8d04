// Command bench measures the program against its peers in the same run: the built binary over HTTP, pgbench on the same PostgreSQL.
// Absolute times mean little on a shared machine; quote the ratios. It writes a table and JSON.
//
// Everything runs on this machine's loopback, is bounded in time, and stops by itself.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"time"

	"mcbk/trial"
)

var (
	binary   = flag.String("mcbk", "bin/mcbk", "the built program")
	postgres = flag.String("postgres", "postgres://postgres@127.0.0.1:5432/test?sslmode=disable", "a PostgreSQL to make a database in")
	out      = flag.String("out", "bench/latest.json", "where the figures go")
	length   = flag.Duration("length", 5*time.Second, "of one measurement")
	rounds   = flag.Int("rounds", 3, "how often each is measured, in turn with its peer")
	base     = flag.String("compare", "", "measure nothing, but compare what lies in -out with this")
	players  = flag.Int("players", 5000, "who tap")
	days     = flag.Int("days", 0, "measure nothing but what so many days of play take in the database")
	day      = flag.Bool("day", false, "measure nothing but how much of a day of six million players is carried")

	dayLength = flag.Duration("day-length", 20*time.Second, "of one step of -day")
	dayWarmUp = flag.Duration("day-warm-up", 5*time.Second, "before each step of -day")
	callsFile = flag.String("calls", "bench/calls.json", "what the web app calls in -day and of the second program in -ab")
	dayOut    = flag.String("day-out", ".", "the repository, whose bench/day.json, docs/day.png and docs/scale.md -day writes")

	ab      = flag.Bool("ab", false, "measure nothing but a day's cost with two builds in turn: -ab OLD NEW")
	abOld   = flag.String("calls-old", "bench/calls.base.json", "what the old build's web app calls")
	abShare = flag.Float64("ab-share", 0.03, "of the day's peak, held in each round of -ab")
	abPairs = flag.Int("ab-pairs", 8, "rounds of each build")
)

func main() {
	flag.Parse()
	work := run
	if *base != "" {
		work = func() error { return compareFiles(*base, *out) }
	}
	if *days > 0 {
		work = func() error { return measureRows(*days) }
	}
	if *day {
		work = measureDay
	}
	if *ab {
		work = func() error { return compareBuilds(flag.Args()) }
	}
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	db, err := newDatabase(ctx, *postgres)
	if err != nil {
		return err
	}
	defer db.drop()
	r := report{Machine: fmt.Sprintf("%d cores, %s", runtime.NumCPU(), runtime.Version()), At: time.Now().UTC()}
	if r.FsyncMicros, err = fsyncTime(); err != nil {
		return err
	}
	if r.FirstLoadKB, err = firstLoadKB("webapp/dist"); err != nil {
		return err
	}
	settings := trial.Settings(db.address)
	started := time.Now()
	program, err := trial.Start(ctx, *binary, settings)
	if err != nil {
		return err
	}
	defer program.Kill()
	r.FirstStart = time.Since(started).Milliseconds()
	r.IdleMB = residentMB(program.PID())
	crowd, err := newCrowd(program.URL, *players)
	if err != nil {
		return err
	}
	before, err := db.rows(ctx)
	if err != nil {
		return err
	}

	// Alternating, so that a slowing machine affects all.
	var m measured
	constant, err := newConstant(program.URL, crowd.players[0])
	if err != nil {
		return err
	}
	defer constant.Close()
	spent := processors{program.PID(), db.pid}
	for round := range *rounds {
		for _, step := range []func() error{
			func() error { return db.pgbench(ctx, asItComes, txnScript, &m.txn) },
			func() error { return spent.during(&r.TapMicros, &m.taps, crowd.tap(program.URL, 32, *length)) },
			func() error { return db.pgbench(ctx, prepared, txnScript, &m.preparedTxn) },
			func() error { return db.pgbench(ctx, prepared, cteScript, &m.cte) },
			func() error { return measure(&m.many, crowd.tap(program.URL, 256, *length)) },
			func() error {
				return spent.during(&r.SpinMicros, &m.spins, crowd.spin(program.URL, 32, *length/2)) // ten spins a player is all there is
			},
			func() error { return measure(&m.reads, crowd.read(program.URL, playerPath, *length)) },
			func() error { return measure(&m.constants, crowd.read(constant.URL, playerPath, *length)) },
			func() error { return measure(&m.boards, crowd.read(program.URL, boardPath, *length)) },
			func() error { return measure(&m.constantBoards, crowd.read(constant.URL, boardPath, *length)) },
		} {
			if err := step(); err != nil {
				return fmt.Errorf("round %d: %w", round+1, err)
			}
		}
	}
	r.add(m, rank(rankedPlayers))

	after, err := db.rows(ctx)
	if err != nil {
		return err
	}
	r.RowsPerTap = float64(after-before) / float64(count(m.taps)+count(m.many))
	if err := crowd.check(program.URL); err != nil {
		return err
	}
	if err := program.Term(30 * time.Second); err != nil {
		return err
	}
	if err := trial.Verify(ctx, *binary, settings); err != nil {
		return err
	}
	if r.Restarts, err = restarts(ctx, settings); err != nil {
		return err
	}
	return r.write(*out)
}

// restarts measures starts on an existing database, in milliseconds.
func restarts(ctx context.Context, settings []string) (times []float64, err error) {
	for range 5 {
		began := time.Now()
		program, err := trial.Start(ctx, *binary, settings)
		if err != nil {
			return nil, err
		}
		times = append(times, float64(time.Since(began).Microseconds())/1000)
		if err := program.Term(10 * time.Second); err != nil {
			return nil, err
		}
	}
	slices.Sort(times)
	return times, nil
}
