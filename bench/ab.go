package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"text/tabwriter"
	"time"
)

// compareBuilds plays the same load with an old and a new build in turn, below the limit, and prints what a player's day costs in each.
func compareBuilds(binaries []string) error {
	if len(binaries) != 2 {
		return errors.New("-ab takes two programs: -ab OLD NEW")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	days := playersASecond(*abShare) * (*dayWarmUp + *dayLength).Seconds() * float64(*abPairs)
	players := 4 * (500 + int(1.3*days)) // a quarter of them claim, two tasks each
	builds, files := make([]*build, 2), []string{*abOld, *callsFile}
	_, err := inParallel(2, func(i int) (err error) {
		builds[i], err = startBuild(ctx, binaries[i], files[i], players)
		return err
	})
	defer builds[0].close()
	defer builds[1].close()
	if err != nil {
		return err
	}
	var r dayReport
	if err := r.statement(ctx, builds[1].db); err != nil {
		return err
	}
	var rounds [2][]step
	for pair := range *abPairs {
		for turn := range 2 {
			i := (pair + turn) % 2 // old, new, new, old …
			s := builds[i].hold(ctx, *abShare, uint64(pair))
			fmt.Printf("%s: %.1f ms of the program, %.1f of PostgreSQL a player's day; p99 %.1f ms; %d failed %s\n",
				[]string{"old", "new"}[i], s.ProgramDay, s.PostgresDay, s.P99, s.Failures, s.Failure)
			rounds[i] = append(rounds[i], s)
			if err := ctx.Err(); err != nil {
				return err
			}
			if builds[i].usedUp.Load() {
				return errUsedUp
			}
			time.Sleep(rest)
		}
	}
	if err := errors.Join(builds[0].verify(ctx), builds[1].verify(ctx), r.statement(ctx, builds[1].db)); err != nil {
		return err
	}
	fmt.Printf("\n%d rounds of %s at %s of the day; pgbench made %.0f prepared statements a second before and %.0f after, a thousand take %.1f ms\n",
		*abPairs, *dayLength, percent(*abShare), r.Statements[0].PerSecond, r.Statements[1].PerSecond, r.thousand())
	return printPairs(os.Stdout, rounds, [2]calls{builds[0].calls, builds[1].calls}, r.thousand())
}

// printPairs prints medians of old and new, and the ratios of rounds that were played one after the other.
func printPairs(w io.Writer, rounds [2][]step, calls [2]calls, thousand float64) error {
	table := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	printf := func(format string, args ...any) { _, _ = fmt.Fprintf(table, format, args...) } // Flush returns the error
	printf("a player's day\told\tnew\tratio\tof the pairs\n")
	for _, row := range []struct {
		name string
		of   func(step) float64
	}{
		{"program, ms", func(s step) float64 { return s.ProgramDay }},
		{"PostgreSQL, ms", func(s step) float64 { return s.PostgresDay }},
		{"both, ms", func(s step) float64 { return s.ProgramDay + s.PostgresDay }},
		{"both ÷ 1,000 statements", func(s step) float64 { return (s.ProgramDay + s.PostgresDay) / thousand }},
		{"p99 of a call, ms", func(s step) float64 { return s.P99 }},
	} {
		ratios := make([]float64, len(rounds[0]))
		for i := range ratios {
			ratios[i] = row.of(rounds[1][i]) / row.of(rounds[0][i])
		}
		printf("%s\t%.2f\t%.2f\t%.3f\t%.3f to %.3f\n", row.name, median(rounds[0], row.of), median(rounds[1], row.of),
			median(ratios, func(ratio float64) float64 { return ratio }), slices.Min(ratios), slices.Max(ratios))
	}
	var p99s [2]float64
	var failed [2]int
	for i, all := range rounds {
		var times []time.Duration
		for _, s := range all {
			times, failed[i] = append(times, s.times...), failed[i]+s.Failures
		}
		p99s[i] = milliseconds(percentile(times, 0.99))
	}
	printf("p99 of all rounds, ms\t%.2f\t%.2f\t%.3f\n", p99s[0], p99s[1], p99s[1]/p99s[0])
	printf("calls\t%.1f\t%.1f\t%.3f\n", calls[0].aDay(), calls[1].aDay(), calls[1].aDay()/calls[0].aDay())
	printf("failed\t%d\t%d\n", failed[0], failed[1])
	return table.Flush()
}
