package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mcbk/bot/chart"
)

// dayReport is the result of a run of -day.
type dayReport struct {
	At          time.Time `json:"at"`
	Machine     string    `json:"machine"`
	StepSeconds float64   `json:"step_seconds"`
	Steps       []step    `json:"steps"`                       // by share
	Statements  []peer    `json:"pgbench_prepared_statements"` // before the steps, and after them

	calls calls
}

// peer is a run of pgbench's prepared statement, which changes one row and adds one.
type peer struct {
	PerSecond float64 `json:"per_s"`
	Cost      cost    `json:"processor_us"`
}

// statement runs pgbench and notes its figures.
func (r *dayReport) statement(ctx context.Context, db *database) error {
	var results []pgbenchResult
	if err := db.pgbench(ctx, prepared, cteScript, &results); err != nil {
		return err
	}
	r.Statements = append(r.Statements, peer{results[0].perSecond, results[0].cost})
	return nil
}

// perSecond returns how many statements pgbench made a second.
func (r dayReport) perSecond() float64 {
	return mean(r.Statements, func(p peer) float64 { return p.PerSecond })
}

// thousand returns the processor time of a thousand statements, client and server, milliseconds.
func (r dayReport) thousand() float64 {
	return mean(r.Statements, func(p peer) float64 { return p.Cost.Client + p.Cost.Postgres })
}

func mean[T any](all []T, of func(T) float64) (sum float64) {
	for _, one := range all {
		sum += of(one) / float64(len(all))
	}
	return sum
}

// most returns the largest carried share before a failure.
func (r dayReport) most() (carried step) {
	for _, s := range r.Steps {
		if !s.Carried {
			break
		}
		carried = s
	}
	return carried
}

// write writes figures, picture and the page's marked parts.
func (r dayReport) write() error {
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	picture, err := chart.DrawLoad(r.picture())
	if err != nil {
		return err
	}
	path := filepath.Join(*dayOut, "docs", "scale.md")
	page, err := os.ReadFile(path) //nolint:gosec // the operator's own argument
	if err != nil {
		return err
	}
	parts := map[string]string{"day mix": r.calls.mix(), "day figures": r.figures(), "day steps": r.steps()}
	content := string(page)
	for name, part := range parts {
		if content, err = replacePart(content, name, part); err != nil {
			return err
		}
	}
	for _, file := range []struct {
		path string
		text []byte
	}{
		{filepath.Join(*dayOut, "bench", "day.json"), append(text, '\n')}, {filepath.Join(*dayOut, "docs", "day.png"), picture}, {path, []byte(content)},
	} {
		if err := os.WriteFile(file.path, file.text, 0o644); err != nil { //nolint:gosec // for everyone to read
			return err
		}
	}
	return nil
}

// replacePart replaces the text between a name's two comments.
func replacePart(page, name, part string) (string, error) {
	begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->"
	before, rest, found := strings.Cut(page, begin)
	_, after, ends := strings.Cut(rest, end)
	if !found || !ends {
		return "", fmt.Errorf("the page has no part between %q and %q", strings.TrimSpace(begin), end)
	}
	return before + begin + "\n" + strings.TrimSpace(part) + "\n\n" + end + after, nil
}

// mix is the table of a player's day.
func (c calls) mix() string {
	var t strings.Builder
	t.WriteString("| What a player does | times a day | calls each | calls a day |\n|---|---:|---:|---:|\n")
	for _, a := range actions {
		each := c[a.name]
		fmt.Fprintf(&t, "| %s | %s | %d | %.1f |\n", a.name, tidy(a.times), len(each), a.times*float64(len(each)))
	}
	fmt.Fprintf(&t, "| **in all** | | | **%.1f** |\n\n", c.aDay())
	fmt.Fprintf(&t, "Six million such days are %s calls a day, %s a second on average and **%s at the peak** of %d times that.",
		millions(c.aDay()*dayPlayers), thousands(c.aDay()*dayPlayers/secondsADay), thousands(c.aDay()*playersASecond(1)), peakFactor)
	return t.String()
}

func (r dayReport) figures() string {
	s := r.most()
	return fmt.Sprintf("**%s of six million: %s players a day.** In the busiest minutes they make %s calls a second; half are answered in %s and 99 of 100 in %s, and none fails. "+
		"Of the processors' time the program used %.0f %%, PostgreSQL %.0f %%, the players (the generator on the same machine) %.0f %%, others %.0f %%; %.0f %% were idle. "+
		"In the same run `pgbench` made %s prepared statements a second, which is **%.3f calls a statement**; a player's day takes %.0f ms of the program's processor time and %.0f ms of PostgreSQL's, "+
		"**%.2f times** what a thousand statements take of `pgbench`'s and PostgreSQL's, %.0f ms. "+
		"Measured on %s with `make day`: %s, steps of %.0f s; afterwards `mcbk verify` found every invariant sound.",
		percent(s.Share), thousands(s.Share*dayPlayers), thousands(s.Calls), ms(s.P50), ms(s.P99), s.Program, s.Postgres, s.Generator, s.Others, s.Idle,
		thousands(r.perSecond()), s.Calls/r.perSecond(), s.ProgramDay, s.PostgresDay, (s.ProgramDay+s.PostgresDay)/r.thousand(), r.thousand(),
		r.At.Format("2 January 2006"), r.Machine, r.StepSeconds)
}

func (r dayReport) steps() string {
	var t strings.Builder
	t.WriteString("| Share | players a day | calls a second | p50 | p99 | failed | program | PostgreSQL | generator | idle | a player's day | |\n|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|\n")
	for _, s := range r.Steps {
		verdict := "carried"
		switch {
		case s.Behind:
			verdict = "fell behind, ended early"
		case !s.Carried:
			verdict = "not carried"
		}
		fmt.Fprintf(&t, "| %s | %s | %s | %s | %s | %d | %.0f %% | %.0f %% | %.0f %% | %.0f %% | %.0f ms | %s |\n", percent(s.Share), thousands(s.Share*dayPlayers),
			thousands(s.Calls), ms(s.P50), ms(s.P99), s.Failures, s.Program, s.Postgres, s.Generator, s.Idle, s.ProgramDay+s.PostgresDay, verdict)
	}
	return t.String()
}

func (r dayReport) picture() chart.Load {
	l := chart.Load{Limit: milliseconds(dayLimit)}
	for _, s := range r.Steps {
		l.Steps = append(l.Steps, chart.LoadStep{
			Name: percent(s.Share), Offered: s.Share * 100, P50: s.P50, P99: s.P99, Carried: s.Carried,
			Busy: []float64{s.Program, s.Postgres, s.Generator, s.Others},
		})
	}
	l.Figure, l.Compared = percent(r.most().Share)+" carried", thousands(r.most().Share*dayPlayers)+" players a day"
	l.Users = []string{"Program", "PostgreSQL", "Generator", "Others"}
	return l
}

func tidy(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", v), "0"), ".")
}

func percent(share float64) string { return tidy(share*100) + " %" }

func ms(v float64) string {
	if v < 10 {
		return fmt.Sprintf("%.1f ms", v)
	}
	return fmt.Sprintf("%.0f ms", v)
}

func millions(v float64) string { return fmt.Sprintf("%.0f million", v/1e6) }

// thousands formats a rounded number with commas.
func thousands(v float64) string {
	text := fmt.Sprintf("%.0f", v)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
