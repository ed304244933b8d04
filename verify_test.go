package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"mcbk/models/modelstest"
)

func verified(t *testing.T, settings []string) (code int, lines []string) {
	t.Helper()
	cmd := program(t, []string{"verify"}, settings...)
	var told strings.Builder
	cmd.Stdout = &told
	code, stderr := ends(t, cmd)
	modelstest.Equal(t, stderr, "", "verify complains")
	return code, strings.Split(strings.TrimSuffix(told.String(), "\n"), "\n")
}

func TestVerifyPrintsInvariantsAndSetsExitCode(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, database string) {
		address := modelstest.Address(t, database)
		settings := minimal(address)
		s := start(t, settings)
		p := arrive(t, s.url)
		modelstest.Must(p.tap(s.url, modelstest.Key(1)))(t)
		code, lines := verified(t, settings)
		last := len(lines) - 1
		want := fmt.Sprintf("%d of %d invariants hold (players: 1, postings: 3); no checkpoint yet", last, last)
		modelstest.That(t, code == 0 && last >= 40 && lines[last] == want, "exit %d, told %q", code, lines)
		for _, line := range lines[:last] {
			modelstest.That(t, strings.HasPrefix(line, "sound: "), "told %q", line)
		}

		modelstest.MustExec(t, modelstest.Raw(t, address), "UPDATE players SET balance_game = balance_game + 1")
		code, lines = verified(t, settings)
		want = "broken: every balance equals the sum of its postings: player 1"
		modelstest.That(t, code == 1 && len(lines) == last+1 && slices.Contains(lines, want), "exit %d, told %q, want %q", code, lines, want)
		if want := fmt.Sprintf("%d of %d invariants hold (players: 1, postings: 3); no checkpoint yet", last-1, last); lines[len(lines)-1] != want {
			t.Errorf("at last told %q, want %q", lines[len(lines)-1], want)
		}
	})
}

func TestVerifyRefusesOutdatedSchema(t *testing.T) {
	address := modelstest.Bare(t, "postgres")
	code, stderr := ends(t, program(t, []string{"verify"}, minimal(address)...))
	modelstest.That(t, code == 2 && strings.Count(stderr, "\n") == 1, "an empty database: exit %d, told %q", code, stderr)
	code, stderr = ends(t, program(t, []string{"verify", "--chains"}, minimal(address)...))
	modelstest.That(t, code == 2 && strings.Contains(stderr, "usage"), "something else: exit %d, told %q", code, stderr)
}

func TestVerifyStarsAsksTelegram(t *testing.T) {
	t.Parallel()
	telegram := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"ok":true,"result":{"transactions":[]}}`)
	}))
	defer telegram.Close()
	address := modelstest.Address(t, "sqlite")
	run := func(api string) (code int, said string) {
		cmd := program(t, []string{"verify", "--stars"}, append(minimal(address), "TELEGRAM_API_URL="+api)...)
		var told strings.Builder
		cmd.Stdout = &told
		code, stderr := ends(t, cmd)
		return code, told.String() + stderr
	}
	const sound = "sound: what is recorded of payments in Stars is what Telegram lists\n0 transactions are recorded; the job read_stars has still to read 0\n"
	code, said := run(telegram.URL)
	modelstest.That(t, code == 0 && strings.HasSuffix(said, sound), "exit %d, told %s", code, said)
	code, said = run("http://127.0.0.1:1")
	modelstest.That(t, code == 2 && !strings.Contains(said, sound) && strings.Contains(said, "telegram: getStarTransactions"), "without Telegram: exit %d, told %s", code, said)
}
