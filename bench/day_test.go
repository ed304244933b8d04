package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mcbk/trial"
)

func TestArrivalsAreRandomAtTheirRate(t *testing.T) {
	const rate, many = 500.0, 100_000
	moments := &arrivals{dice: rand.New(rand.NewPCG(1, 2)), rate: rate}
	var last time.Duration
	var gaps, squares float64
	for range many {
		at := moments.next()
		gap := (at - last).Seconds() * rate
		gaps, squares, last = gaps+gap, squares+gap*gap, at
	}
	mean := gaps / many
	if spread := math.Sqrt(squares/many - mean*mean); math.Abs(mean-1) > 0.02 || math.Abs(spread-1) > 0.03 {
		t.Errorf("gaps are %.3f long and spread by %.3f, in parts of what the rate says", mean, spread)
	}
}

func TestArrivalsDuringStallAreCounted(t *testing.T) {
	var stall time.Time
	var waited atomic.Int64
	loop := openLoop{length: 100 * time.Millisecond, begin: func() { stall = time.Now().Add(250 * time.Millisecond) }, next: func(due time.Time) func() {
		return func() {
			time.Sleep(time.Until(stall))
			if time.Since(due) >= 50*time.Millisecond {
				waited.Add(1)
			}
		}
	}}
	started, behind := loop.run(t.Context(), &arrivals{dice: rand.New(rand.NewPCG(1, 2)), rate: 1000})
	if behind || started < 50 || waited.Load() != int64(started) {
		t.Errorf("%d began, %d of them felt the stall, fell behind: %t", started, waited.Load(), behind)
	}
}

func TestLoopEndsWhenOverloaded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var begun atomic.Int64
	loop := openLoop{length: time.Hour, begin: func() {}, next: func(time.Time) func() {
		if begun.Add(1) == mostAtOnce {
			time.AfterFunc(time.Second, cancel) // they are answered once the loop has given up
		}
		return func() { <-ctx.Done() }
	}}
	started, behind := loop.run(context.WithoutCancel(ctx), &arrivals{dice: rand.New(rand.NewPCG(1, 2)), rate: 1e6})
	if !behind || started != mostAtOnce {
		t.Errorf("%d began, fell behind: %t", started, behind)
	}
}

func TestActionsAreChosenByFrequency(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	const many = 400_000
	counts := map[string]float64{}
	for range many {
		counts[chosen(dice.Float64()).name]++
	}
	for _, a := range actions {
		if a.who == nil {
			a.times = 0
		}
		want := a.times / actionsADay() * many
		if math.Abs(counts[a.name]-want) > 5*math.Sqrt(want) {
			t.Errorf("%s was chosen %.0f times, want %.0f", a.name, counts[a.name], want)
		}
	}
	if got := playersASecond(1); math.Abs(got-277.78) > 0.01 {
		t.Errorf("at the peak %.2f players' days fall into a second", got)
	}
}

var update = flag.Bool("update", false, "write the mix of docs/scale.md anew")

func TestPageShowsRecordedCalls(t *testing.T) {
	const path = "../docs/scale.md"
	recorded, err := readCalls("calls.json")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := replacePart(string(page), "day mix", recorded.mix())
	if err == nil && *update {
		err = os.WriteFile(path, []byte(want), 0o600)
	} else if want != string(page) {
		t.Error("docs/scale.md does not show the calls of bench/calls.json: run `make calls`")
	}
	if err != nil {
		t.Error(err)
	}
}

func TestActorsPlayRecordedCalls(t *testing.T) {
	for _, file := range []string{"calls.json", "calls.base.json"} {
		recorded, err := readCalls(file)
		if err != nil {
			t.Fatal(err)
		}
		for status, follow := range map[string][]string{
			"pending":  slices.Concat(recorded[spin], recorded[claimOfPrize]),
			"credited": recorded[spinForCoins],
		} {
			var made []string
			program := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				made = append(made, r.Method+" "+r.URL.String())
				_, _ = fmt.Fprintf(w, `{"id":1,"spin_id":1,"status":%q,"tasks":[{"id":1,"status":"completed"}]}`, status)
			}))
			t.Cleanup(program.Close)
			players := []trial.Player{{Launch: "a"}}
			s := &stage{url: program.URL, calls: recorded, fresh: players, others: players, lines: lines{url: program.URL}}
			for _, a := range actions {
				if a.who == nil {
					continue
				}
				heard := &tally{}
				made = nil
				s.act(a, time.Now(), heard)
				want := recorded[a.name]
				if want[0] == spinCall {
					want = follow
				}
				if heard.first != nil || !slices.Equal(made, want) {
					t.Errorf("%s makes the calls %q, want %q: %v", a.name, made, want, heard.first)
				}
			}
			s.lines.close()
		}
	}
}

func TestPercentilesFollowRank(t *testing.T) {
	var times []time.Duration
	for i := range 1000 {
		times = append(times, time.Duration(1000-i)*time.Millisecond)
	}
	if p50, p99 := percentile(times, 0.5), percentile(times, 0.99); p50 != 501*time.Millisecond || p99 != 991*time.Millisecond {
		t.Errorf("the percentiles are %s and %s", p50, p99)
	}
	if percentile(nil, 0.99) != 0 {
		t.Error("nobody waits for something")
	}
}

func TestSearchEndsNextToTheLimit(t *testing.T) {
	const limit = 0.083
	best, tried := 0.0, 0
	err := search(func(share float64) (bool, error) {
		tried++
		if share <= limit {
			best = max(best, share)
		}
		return share <= limit, nil
	})
	if err != nil || best != 0.08 || tried > 10 {
		t.Errorf("after %d steps it carries %.4f: %v", tried, best, err)
	}
	if err := search(func(float64) (bool, error) { return false, nil }); err == nil {
		t.Error("a program that carries nothing is reported")
	}
	broken := errors.New("broken")
	if err := search(func(float64) (bool, error) { return true, broken }); !errors.Is(err, broken) {
		t.Errorf("what broke is told as %v", err)
	}
}

func TestOnlyMarkedPartIsReplaced(t *testing.T) {
	page := "before\n<!-- a -->\nold\n<!-- end of a -->\nbetween\n<!-- b -->\n<!-- end of b -->\nafter\n"
	got, err := replacePart(page, "a", "new")
	if want := strings.Replace(page, "old\n", "\nnew\n\n", 1); err != nil || got != want {
		t.Errorf("the page is %q, %v", got, err)
	}
	again, err := replacePart(got, "a", "new")
	if err != nil || again != got {
		t.Errorf("a second time it is %q, %v", again, err)
	}
	if _, err := replacePart(page, "c", "new"); err == nil {
		t.Error("a part that is missing is replaced")
	}
}

func TestMachineIdleTimeIsRead(t *testing.T) {
	idle, all := machine("cpu  100 0 200 300 50 0 10 40 7 7")
	if idle != 3.5 || all != 7 {
		t.Errorf("idle %.2f of %.2f seconds", idle, all)
	}
}

func TestCarriedShareEndsAtFirstFailure(t *testing.T) {
	r := dayReport{Steps: []step{{Share: 0.01, Carried: true}, {Share: 0.02}, {Share: 0.03, Carried: true}}}
	if got := r.most().Share; got != 0.01 {
		t.Errorf("%.2f are carried", got)
	}
	if (dayReport{}).most().Share != 0 {
		t.Error("nothing was measured, and something is carried")
	}
}

func TestBuildsAreComparedInPairs(t *testing.T) {
	round := func(ms float64, failures int) step {
		return step{ProgramDay: ms, PostgresDay: ms, P99: ms, Failures: failures, times: []time.Duration{time.Millisecond}}
	}
	var out strings.Builder
	rounds := [2][]step{{round(10, 0), round(20, 1), round(40, 0)}, {round(5, 0), round(20, 0), round(30, 2)}}
	if err := printPairs(&out, rounds, [2]calls{{"board": {"a", "b"}}, {"board": {"a"}}}, 100); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`both, ms +40\.00 +40\.00 +0\.750 +0\.500 to 1\.000`, `calls +2\.0 +1\.0 +0\.500`, `failed +1 +2`} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
