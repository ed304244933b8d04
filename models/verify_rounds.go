package models

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

const (
	// fewPlayers are seen in the first snapshot, since they may be the busiest.
	fewPlayers = 16
	// spanPlayers is how many players are seen in one snapshot at most.
	spanPlayers = 1000
	// spanPostings is about how many postings are, so that it is over within a second or two.
	spanPostings = 50_000
)

// Verify checks every invariant beside a running server. It sees at most a thousand players at a
// time, in a short snapshot of their own in which a balance and its postings are of the same
// moment, and keeps only one posting in memory. An error means that it could not tell.
func (s *Store) Verify(ctx context.Context, season game.Season, now time.Time) (Report, error) {
	return s.verify(ctx, newRound, season, now, func(round) (bool, error) { return true, nil })
}

// VerifyPart is Verify in parts: it ends as soon as more says so, which is asked after every snapshot of players and every checkpoint
// of the ledger, and the next call goes on from there. The report tells what all parts of a round found; the one that comes to the end
// is Whole. How much was looked at is told of this part. How far a round came is kept as it goes on, so that a part which fails loses at
// most the last step, and the last is done again until VerifyAnew.
func (s *Store) VerifyPart(ctx context.Context, season game.Season, now time.Time, more func() bool) (Report, error) {
	begun, err := s.keptRound(ctx)
	if err != nil {
		return Report{}, err
	}
	return s.verify(ctx, begun, season, now, func(r round) (bool, error) {
		err := s.keepRound(ctx, r, now)
		return err == nil && more(), err
	})
}

// VerifyAnew begins the next round: what the last one found has been told.
func (s *Store) VerifyAnew(ctx context.Context, now time.Time) error {
	return s.keepRound(ctx, newRound, now)
}

// verify goes on with a round until its end, or until after says that it is not to go on. What is asked about the database as a whole
// is asked every time.
func (s *Store) verify(ctx context.Context, begun round, season game.Season, now time.Time, after func(round) (goOn bool, err error)) (Report, error) {
	check := newCheck(begun, season, now)
	if err := check.database(ctx, s); err != nil {
		return Report{}, err
	}
	for goOn := true; goOn; {
		err := check.step(ctx, s)
		if err != nil {
			return Report{}, err
		}
		if check.report.Whole {
			break
		}
		if goOn, err = after(check.round()); err != nil {
			return Report{}, err
		}
	}
	newest, err := newestCheckpoint(s.read.WithContext(ctx))
	check.report.Checkpoint = newest.String()
	return check.report, explained(err)
}

// check goes through the players, in the order of their ids, and then through the checkpoints.
type check struct {
	season game.Season
	now    time.Time
	report Report

	seen       PlayerID // up to whom players were seen
	atOnce     int      // how many are seen in the next snapshot
	checkpoint int64    // up to which checkpoints were recomputed
}

const settingRound = "verify_round"

// round is how far a check came, as it is kept.
type round struct {
	Seen       PlayerID            `json:"seen"`
	Checkpoint int64               `json:"checkpoint"`
	Broken     map[string][]string `json:"broken"` // what was found by players and checkpoints, by invariant
}

// newRound has not begun.
var newRound = round{Seen: math.MinInt64}

func newCheck(begun round, season game.Season, now time.Time) *check {
	c := &check{
		season: season, now: now, seen: begun.Seen, atOnce: fewPlayers, checkpoint: begun.Checkpoint,
		report: Report{Verdicts: make([]Verdict, len(invariants))},
	}
	for i, rule := range invariants {
		c.report.Verdicts[i] = Verdict{Invariant: rule.name, Broken: begun.Broken[rule.name], EachPart: rule.database != nil}
	}
	return c
}

// round is how far the check came.
func (c *check) round() round {
	r := round{Seen: c.seen, Checkpoint: c.checkpoint, Broken: map[string][]string{}}
	for _, v := range c.report.Verdicts {
		if !v.Sound() && !v.EachPart {
			r.Broken[v.Invariant] = v.Broken
		}
	}
	return r
}

// database checks what is no player's and no checkpoint's.
func (c *check) database(ctx context.Context, s *Store) error {
	for i, rule := range invariants {
		if rule.database == nil {
			continue
		}
		broken, err := rule.database(ctx, s, c.now)
		if err != nil {
			return fmt.Errorf("check that %s: %w", rule.name, explained(err))
		}
		c.report.Verdicts[i].Broken = broken[:min(len(broken), named)]
	}
	return nil
}

// step checks the next players, or the next checkpoint when there are none.
func (c *check) step(ctx context.Context, s *Store) error {
	if c.seen < math.MaxInt64 {
		return c.players(ctx, s)
	}
	return c.nextCheckpoint(ctx, s)
}

// players checks the next of them in one snapshot.
func (c *check) players(ctx context.Context, s *Store) error {
	before := c.report.Postings
	err := s.snapshot(ctx, func(tx *gorm.DB) error {
		next, err := c.report.see(tx, c.season, c.seen, c.atOnce, c.now)
		if err != nil {
			return fmt.Errorf("check the players after %d: %w", c.seen, err)
		}
		c.seen = next
		return nil
	})
	if c.report.Postings-before > spanPostings {
		c.atOnce = max(c.atOnce/2, 1)
	} else {
		c.atOnce = min(c.atOnce*2, spanPlayers)
	}
	return err
}

// nextCheckpoint checks the one that follows. Behind a broken one all others are, and it is the last.
func (c *check) nextCheckpoint(ctx context.Context, s *Store) error {
	var pair []checkpoint
	err := s.read.WithContext(ctx).Raw("SELECT * FROM ledger_checkpoints WHERE id >= ? ORDER BY id LIMIT 2", c.checkpoint).Scan(&pair).Error
	if err != nil {
		return explained(fmt.Errorf("read checkpoints: %w", err))
	}
	var before checkpoint
	if len(pair) > 0 && pair[0].ID == c.checkpoint {
		before, pair = pair[0], pair[1:]
	}
	if len(pair) == 0 {
		c.report.Whole = true
		return nil
	}
	next := pair[0]
	for i, rule := range invariants {
		if rule.checkpoint == nil {
			continue
		}
		holds, err := rule.checkpoint(ctx, s, before, next)
		if err != nil {
			return fmt.Errorf("check checkpoint %d: %w", next.ID, err)
		}
		if !holds {
			c.report.Verdicts[i].add(fmt.Sprintf("checkpoint %d (postings %d to %d)", next.ID, before.LastPostingID+1, next.LastPostingID))
			c.report.Whole = true
		}
	}
	c.checkpoint = next.ID
	return nil
}

func (s *Store) keptRound(ctx context.Context) (round, error) {
	var value string
	if err := s.read.WithContext(ctx).Raw(readSetting, settingRound).Scan(&value).Error; err != nil {
		return round{}, explained(fmt.Errorf("read how far the check came: %w", err))
	}
	if value == "" {
		return newRound, nil
	}
	var kept round
	if err := json.Unmarshal([]byte(value), &kept); err != nil {
		return round{}, fmt.Errorf("read how far the check came: %s: %w", value, err)
	}
	return kept, nil
}

func (s *Store) keepRound(ctx context.Context, r round, now time.Time) error {
	value, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("keep how far the check came: %w", err)
	}
	return s.inTx(ctx, func(tx *gorm.DB) error { return set(tx, settingRound, string(value), now) })
}
