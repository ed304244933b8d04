package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/settings"
)

const (
	// fewPlayers is the number of players in the first snapshot, since they may be the busiest.
	fewPlayers = 16
	// spanPlayers is the most players in one snapshot.
	spanPlayers = 1000
	// spanPostings is roughly the number of postings in one snapshot, so that it is over within a second or two.
	spanPostings = 50_000
)

// Verify checks every invariant beside a running server. It reads at most a thousand players at a time, in a short snapshot in
// which a balance and its postings are of the same moment, and keeps only one posting in memory. An error means that it could not
// complete the check.
func (s *Auditor) Verify(ctx context.Context, season game.Season, now time.Time) (Report, error) {
	return s.verify(ctx, newRound, season, now, func(round) (bool, error) { return true, nil })
}

// VerifyPart is Verify in parts. It stops when more returns false, which it asks after every snapshot of players and every
// checkpoint; the next call continues there. The report has the findings of all parts of the round so far, but counts only what
// this part read; Whole is set by the part that reaches the end. Progress is stored as it goes: a part that fails repeats at most
// its last step. After the end the last step is repeated until RestartVerify.
func (s *Auditor) VerifyPart(ctx context.Context, season game.Season, now time.Time, more func() bool) (Report, error) {
	begun, err := s.readRound(ctx)
	if err != nil {
		return Report{}, err
	}
	return s.verify(ctx, begun, season, now, func(r round) (bool, error) {
		err := s.keepRound(ctx, r, now)
		return err == nil && more(), err
	})
}

// RestartVerify begins the next round; the findings of the last one have been reported.
func (s *Auditor) RestartVerify(ctx context.Context, now time.Time) error {
	return s.keepRound(ctx, newRound, now)
}

// verify continues a round until its end, or until after says to stop. The checks of the database as a whole run every time.
func (s *Auditor) verify(ctx context.Context, begun round, season game.Season, now time.Time, after func(round) (goOn bool, err error)) (Report, error) {
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
	newest, err := ledger.NewestCheckpoint(s.db.Committed(ctx))
	check.report.Checkpoint = newest.String()
	return check.report, db.WrapUnavailable(err)
}

// check goes through the players, in the order of their ids, and then through the checkpoints.
type check struct {
	season game.Season
	now    time.Time
	report Report

	seen       models.PlayerID // players up to this id were checked
	atOnce     int             // players in the next snapshot
	checkpoint int64           // checkpoints up to this id were recomputed
}

const settingRound = "verify_round"

// round is the stored progress of a check.
type round struct {
	Seen       models.PlayerID     `json:"seen"`
	Checkpoint int64               `json:"checkpoint"`
	Broken     map[string][]string `json:"broken"` // findings among players and checkpoints, by invariant
}

// newRound is a round that has not begun.
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

// round returns the progress of the check.
func (c *check) round() round {
	r := round{Seen: c.seen, Checkpoint: c.checkpoint, Broken: map[string][]string{}}
	for _, v := range c.report.Verdicts {
		if !v.Sound() && !v.EachPart {
			r.Broken[v.Invariant] = v.Broken
		}
	}
	return r
}

// database runs the checks that concern no single player or checkpoint.
func (c *check) database(ctx context.Context, s *Auditor) error {
	for i, rule := range invariants {
		if rule.database == nil {
			continue
		}
		broken, err := rule.database(ctx, s, c.now)
		if err != nil {
			return fmt.Errorf("check that %s: %w", rule.name, db.WrapUnavailable(err))
		}
		c.report.Verdicts[i].Broken = broken[:min(len(broken), mostListed)]
	}
	return nil
}

// step checks the next players, or the next checkpoint when there are none.
func (c *check) step(ctx context.Context, s *Auditor) error {
	if c.seen < math.MaxInt64 {
		return c.players(ctx, s)
	}
	return c.nextCheckpoint(ctx, s)
}

// players checks the next players in one snapshot.
func (c *check) players(ctx context.Context, s *Auditor) error {
	before := c.report.Postings
	err := s.db.Snapshot(ctx, func(tx *gorm.DB) error {
		next, err := c.report.see(tx, c.season, c.seen, c.atOnce)
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

// nextCheckpoint checks the next checkpoint. After a broken one all others are broken, and it is the last.
func (c *check) nextCheckpoint(ctx context.Context, s *Auditor) error {
	var pair []models.Checkpoint
	err := s.db.Committed(ctx).Raw("SELECT "+db.Columns[models.Checkpoint]("ledger_checkpoints")+" FROM ledger_checkpoints WHERE id >= ? ORDER BY id LIMIT 2", c.checkpoint).Scan(&pair).Error
	if err != nil {
		return db.WrapUnavailable(fmt.Errorf("read checkpoints: %w", err))
	}
	var before models.Checkpoint
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

func (s *Auditor) readRound(ctx context.Context) (round, error) {
	value, err := settings.Value(s.db.Committed(ctx), settingRound)
	if err != nil {
		return round{}, db.WrapUnavailable(err)
	}
	if value == "" {
		return newRound, nil
	}
	var saved round
	if err := json.Unmarshal([]byte(value), &saved); err != nil {
		return round{}, fmt.Errorf("read how far the check came: %s: %w", value, err)
	}
	return saved, nil
}

func (s *Auditor) keepRound(ctx context.Context, r round, now time.Time) error {
	value, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("store how far the check came: %w", err)
	}
	return s.db.InTx(ctx, func(tx *gorm.DB) error { return settings.Put(tx, settingRound, string(value), now) })
}
