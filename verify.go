package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"mcbk/bot"
	"mcbk/config"
	"mcbk/game"
	"mcbk/jobs"
	"mcbk/models/audit"
	"mcbk/models/store"
	"mcbk/ton"
)

// verify returns the exit code: 0 if every invariant holds, 1 if one is broken, 2 if the check failed. With --chain it also compares
// the treasury's record with lite servers, with --stars the charges with Telegram's list of transactions.
func verify(ctx context.Context, settings config.Config, now func() time.Time, with string) (code int, err error) {
	store, err := store.OpenToRead(ctx, string(settings.DatabaseURL), now)
	if err != nil {
		return exitWrong, fmt.Errorf("DATABASE_URL: %w", err)
	}
	defer store.Close() //nolint:errcheck // the process ends
	if err := store.DB.Ready(ctx); err != nil {
		return exitWrong, err
	}
	start, err := store.Settings.KnownStart(ctx, settings.ProjectStart.Time) // before the first start nothing was sold
	if err != nil {
		return exitWrong, fmt.Errorf("PROJECT_START: %w", err)
	}
	report, err := store.Audit.Verify(ctx, game.Season{Start: start}, now())
	if err != nil {
		return exitWrong, err
	}
	for _, v := range report.Verdicts {
		if v.Sound() {
			fmt.Println("sound:", v.Invariant)
		} else {
			fmt.Printf("broken: %s: %s\n", v.Invariant, strings.Join(v.Broken, ", "))
		}
	}
	broken := len(report.Broken())
	fmt.Printf("%d of %d invariants hold (players: %d, postings: %d); %s\n",
		len(report.Verdicts)-broken, len(report.Verdicts), report.Players, report.Postings, report.Checkpoint)
	switch with {
	case "--chain":
		code, err = verifyChain(ctx, settings, store, now)
	case "--stars":
		code, err = verifyStars(ctx, settings, store, now)
	}
	if broken > 0 {
		code = exitBroken
	}
	return code, err
}

// Retries during a lite server's outage.
const (
	chainTries = 3
	chainRest  = 2 * time.Second
)

func verifyChain(ctx context.Context, settings config.Config, store *store.Store, now func() time.Time) (code int, err error) {
	treasury, err := treasuryOf(ctx, settings, store)
	if err == nil && treasury == nil {
		err = errors.New("TREASURY_ADDRESS: missing, there is no chain to compare with")
	}
	if err != nil {
		return exitWrong, err
	}
	chain := jobs.NewWholeChain(ton.NewReader(ton.Network(settings.TONNetwork), liteServers(settings)), *treasury)
	report, err := store.Audit.VerifyChain(ctx, chain, now())
	for try := 1; err != nil && !errors.Is(err, audit.ErrNotPinned) && try < chainTries; try++ {
		select {
		case <-ctx.Done():
			return exitWrong, ctx.Err()
		case <-time.After(chainRest):
		}
		report, err = store.Audit.VerifyChain(ctx, chain, now())
	}
	if err != nil {
		return exitWrong, fmt.Errorf("the chain: %w", err)
	}
	const rule = "what is recorded of the treasury is what the chain tells"
	code = printFindings(rule, report.Found, report.More)
	if agreed := report.Chain.Agreed; agreed > 0 { // otherwise it is another chain or treasury
		fmt.Printf("%d transactions are recorded as %d lite servers tell them until %s, and %d are not recorded yet\n",
			report.Recorded, agreed, report.Chain.KnownUntil.Format(time.RFC3339), report.Waiting)
	}
	return code, nil
}

// printFindings prints what breaks a rule, or that nothing does, and returns the exit code.
func printFindings(rule string, found []string, more int) (code int) {
	for _, one := range found {
		fmt.Printf("broken: %s: %s\n", rule, one)
	}
	if more > 0 {
		fmt.Printf("broken: %s: %d more\n", rule, more)
	}
	if len(found) > 0 {
		return exitBroken
	}
	fmt.Println("sound:", rule)
	return 0
}

func verifyStars(ctx context.Context, settings config.Config, store *store.Store, now func() time.Time) (code int, err error) {
	chat, err := bot.New(bot.Settings{
		Token: string(settings.BotToken), ServerURL: string(settings.TelegramAPIURL), WebAppURL: string(settings.WebAppURL),
	}, store, now, slog.New(slog.DiscardHandler))
	if err != nil {
		return exitWrong, err
	}
	report, err := store.Audit.VerifyStars(ctx, chat.StarTransactions)
	if err != nil {
		return exitWrong, fmt.Errorf("telegram: %w", err)
	}
	const rule = "what is recorded of payments in Stars is what Telegram lists"
	code = printFindings(rule, report.Found, 0)
	fmt.Printf("%d transactions are recorded; the job read_stars has still to read %d\n", report.Recorded, report.Waiting)
	return code, nil
}
