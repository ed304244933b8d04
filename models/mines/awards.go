package mines

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/outbox"
	"mcbk/models/treasury"
)

// Actions of admins on tournaments. ActionAward takes the tournament's id, ActionTournament the UTC day, like 2026-12-01, on which
// one starts.
const (
	ActionAward      models.Action = "tournament award"
	ActionTournament models.Action = "tournament new"
)

// Messages to winners, with their params.
const (
	PrizeGiven models.MessageKind = "prize_given" // amount: micro-MCBK that were credited
)

// Conditions on a miner m: has won something; has not been given it. An index serves the second.
const (
	won      = "m.prize_ton + m.prize_coins > 0"
	PrizeDue = "m.prized_at IS NULL AND " + won
)

// Prizes is the sum of a tournament's prizes and the number of winners.
type Prizes struct {
	Winners int64
	TON     game.Nanoton
	Coins   game.MicroMCBK
}

func (p Prizes) String() string {
	switch p.Winners {
	case 0:
		return "no prizes"
	case 1:
		return fmt.Sprintf("1 prize, %s MCBK and %s TON", p.Coins.Decimal(), p.TON.Decimal())
	}
	return fmt.Sprintf("%d prizes, %s MCBK and %s TON in all", p.Winners, p.Coins.Decimal(), p.TON.Decimal())
}

// prizesOf returns the prizes of those miners in a tournament for whom a condition, such as won, is true.
func prizesOf(tx *gorm.DB, tournament int64, condition string) (p Prizes, err error) {
	err = tx.Raw(`SELECT COUNT(*) AS winners, CAST(COALESCE(SUM(m.prize_ton), 0) AS BIGINT) AS ton, CAST(COALESCE(SUM(m.prize_coins), 0) AS BIGINT) AS coins
		FROM miners m WHERE m.tournament_id = ? AND `+condition, tournament).Scan(&p).Error
	return p, db.Wrap(err, "add up the prizes of tournament %d", tournament)
}

// Award confirms the prizes of a final tournament. It gives the first of them; the leader's job gives the rest, since many may
// share a rank. It refuses with already_claimed if the tournament was awarded, and with tournament_not_active if it is not final.
func (s *Store) Award(tx *gorm.DB, q models.PendingAction, now time.Time) (outcome string, err error) {
	if len(q.Args) != 1 {
		return "", fmt.Errorf("awarding with %d arguments", len(q.Args))
	}
	id, err := strconv.ParseInt(q.Args[0], 10, 64)
	if err != nil {
		return "", fmt.Errorf("tournament %q: %w", q.Args[0], db.ErrNotFound)
	}
	t, err := oneTournament(tx.Where("id = ?", id))
	switch {
	case err != nil:
		return "", err
	case t.State == game.TournamentAwarded:
		return "", game.Refuse(game.AlreadyClaimed)
	case t.State != game.TournamentFinal:
		return "", game.Refuse(game.TournamentNotActive)
	}
	moved := tx.Model(&models.Tournament{}).Where("id = ? AND state = ?", t.ID, game.TournamentFinal).
		Updates(map[string]any{"state": game.TournamentAwarded, "awarded_at": db.Time(now)})
	if moved.Error != nil {
		return "", fmt.Errorf("award tournament %d: %w", t.ID, moved.Error)
	}
	if moved.RowsAffected != 1 { // another admin was faster
		return "", game.Refuse(game.AlreadyClaimed)
	}
	prizes, err := prizesOf(tx, t.ID, won)
	if err != nil {
		return "", err
	}
	winners, err := minersWithoutPrize(tx, t, minersAtOnce)
	if err != nil {
		return "", err
	}
	_, err = s.givePrizesTo(tx, t, winners, now)
	return fmt.Sprintf("the tournament of %s is awarded: %s", t.Start.Format(time.DateOnly), prizes), err
}

// givePrizes gives the prizes that are left, or the first of them, and returns how many; the error names the players whose prize
// failed.
func (s *Store) givePrizes(ctx context.Context, t models.Tournament, now time.Time) (paid int64, err error) {
	winners, err := minersWithoutPrize(s.db.Read(ctx), t, mostPaid)
	if err != nil {
		return 0, db.WrapUnavailable(err)
	}
	var round db.BatchRunner
	for ids := range slices.Chunk(winners, minersAtOnce) {
		if round.GaveUp {
			break
		}
		paid += round.AtOnce(ids, func(ids []models.PlayerID) (int64, error) {
			return db.Within(ctx, s.db, func(tx *gorm.DB) (int64, error) { return s.givePrizesTo(tx, t, ids, now) })
		})
	}
	return paid, round.Err()
}

// minersWithoutPrize returns the first winners who wait for their prizes.
func minersWithoutPrize(tx *gorm.DB, t models.Tournament, most int) (ids []models.PlayerID, err error) {
	err = tx.Raw("SELECT m.player_id FROM miners m WHERE m.tournament_id = ? AND "+PrizeDue+" ORDER BY m.place, m.player_id LIMIT ?", t.ID, most).Scan(&ids).Error
	return ids, db.Wrap(err, "find who waits for a prize of tournament %d", t.ID)
}

// givePrizesTo gives these winners what they were not given yet, and returns to how many.
func (s *Store) givePrizesTo(tx *gorm.DB, t models.Tournament, ids []models.PlayerID, now time.Time) (paid int64, err error) {
	if len(ids) == 0 {
		return 0, nil
	}
	err = s.ledger.Post(tx, ids, func(locked map[models.PlayerID]*models.Player, all *ledger.Tx) error {
		paid = 0
		for _, id := range ids {
			m, err := FindMiner(tx, t.ID, id)
			if err != nil {
				return err
			}
			if m.PrizedAt != nil { // another process was faster
				continue
			}
			paid++
			if err := s.givePrize(tx, m, locked[id], all, now); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return paid, nil
}

// givePrize gives a locked player what they won: coins at once, with a message, TON as a payout.
func (s *Store) givePrize(tx *gorm.DB, m models.Miner, p *models.Player, all *ledger.Tx, now time.Time) error {
	err := db.UpdateOne(tx.Model(&models.Miner{}).
		Where("tournament_id = ? AND player_id = ? AND prized_at IS NULL", m.TournamentID, m.PlayerID).Update("prized_at", db.Time(now)))
	if err != nil {
		return fmt.Errorf("give miner %d a prize: %w", m.PlayerID, err)
	}
	if m.Prize.TON > 0 {
		if err := treasury.CreatePayout(tx, models.Payout{PlayerID: &m.PlayerID, TournamentID: &m.TournamentID, Amount: m.Prize.TON}, now); err != nil {
			return err
		}
	}
	if m.Prize.Coins == 0 {
		return nil
	}
	err = all.Record(p, ledger.Entry{
		Reference: fmt.Sprint("prize:", m.TournamentID), Memo: fmt.Sprint(*m.Rank),
		Moves: []ledger.Move{{From: models.HousePrizes, To: models.AccountGame, Asset: models.AssetMCBK, Amount: int64(m.Prize.Coins)}},
	}, now)
	if err != nil {
		return err
	}
	// As urgent as the result, which goes first.
	return outbox.Enqueue(tx, s.db.Dialect, now, models.Message{
		Key: fmt.Sprintf("prize:%d:%d", m.TournamentID, m.PlayerID), ChatID: p.TelegramID, Kind: PrizeGiven, Urgency: models.UrgencyBulk,
		Params: map[string]string{"amount": fmt.Sprint(int64(m.Prize.Coins))},
	})
}

// NewTournament schedules a tournament. It refuses with expired for a day that has begun, and with already_claimed for a day on
// which another tournament runs, or would start before this one ends.
func (s *Store) NewTournament(tx *gorm.DB, q models.PendingAction, now time.Time) (outcome string, err error) {
	if len(q.Args) != 1 {
		return "", fmt.Errorf("planning a tournament with %d arguments", len(q.Args))
	}
	start, err := time.Parse(time.DateOnly, q.Args[0])
	if err != nil {
		return "", game.Refuse(models.ValidationFailed)
	}
	planned := game.NewTournament(start)
	if !now.Before(planned.Start) {
		return "", game.Refuse(models.Expired)
	}
	// If two admins schedule at once, the second waits for the first.
	if _, err := FindTournaments(tx.Scopes(db.ForUpdate).Order("id")); err != nil {
		return "", err
	}
	others, err := FindTournaments(tx.Where("starts_at < ? AND ends_at > ?", db.Time(planned.End), db.Time(planned.Start)))
	if err != nil {
		return "", err
	}
	if len(others) > 0 {
		return "", game.Refuse(game.AlreadyClaimed)
	}
	return fmt.Sprintf("a tournament begins on %s and ends on %s at 00:00 UTC", q.Args[0], planned.End.Format(time.DateOnly)), addTournament(tx, planned)
}

// TournamentStatus is a tournament as admins read it.
type TournamentStatus struct {
	models.Tournament
	Miners  int64
	Ore     game.MicroMCBK
	Sold    game.Nanoton // for its mines
	Prizes  Prizes
	Waiting int64 // prizes that are confirmed but not given yet
}

// TournamentStatuses returns the latest tournaments, newest first.
func (s *Store) TournamentStatuses(ctx context.Context, most int) (all []TournamentStatus, err error) {
	view := s.db.Read(ctx)
	found, err := FindTournaments(view.Order("starts_at DESC").Limit(most))
	if err != nil {
		return nil, db.WrapUnavailable(err)
	}
	for _, t := range found {
		status := TournamentStatus{Tournament: t}
		err := view.Raw(`SELECT COUNT(*) AS miners, CAST(COALESCE(SUM(ore), 0) AS BIGINT) AS ore, COUNT(CASE WHEN `+PrizeDue+` THEN 1 END) AS waiting,
			(SELECT CAST(COALESCE(SUM(paid), 0) AS BIGINT) FROM orders WHERE tournament_id = ?) AS sold FROM miners m WHERE m.tournament_id = ?`, t.ID, t.ID).
			Row().Scan(&status.Miners, &status.Ore, &status.Waiting, &status.Sold)
		if err == nil {
			status.Prizes, err = prizesOf(view, t.ID, won)
		}
		if err != nil {
			return nil, db.WrapUnavailable(fmt.Errorf("add up tournament %d: %w", t.ID, err))
		}
		all = append(all, status)
	}
	return all, nil
}

// AwardWaiting is a final tournament that waits for an admin to award it.
type AwardWaiting struct {
	models.Tournament
	Prizes Prizes
	Banned int64 // of the winners
}

// TournamentToAward returns the tournament that has waited the longest for its award; ok is false if none waits.
func (s *Store) TournamentToAward(ctx context.Context) (t AwardWaiting, ok bool, err error) {
	view := s.db.Read(ctx)
	found, err := FindTournaments(view.Where("state = ?", game.TournamentFinal).Order("starts_at").Limit(1))
	if err != nil || len(found) == 0 {
		return AwardWaiting{}, false, db.WrapUnavailable(err)
	}
	t.Tournament = found[0]
	if t.Prizes, err = prizesOf(view, t.ID, won); err == nil {
		err = view.Raw(`SELECT COUNT(*) FROM miners m JOIN players p ON p.id = m.player_id
			WHERE m.tournament_id = ? AND `+won+` AND p.banned_at IS NOT NULL`, t.ID).Scan(&t.Banned).Error
	}
	return t, true, db.WrapUnavailable(err)
}

// Winner is a miner who wins a prize.
type Winner struct {
	PlayerID models.PlayerID
	Rank     int
	Ore      game.MicroMCBK
	Prize    game.Prize `gorm:"embedded;embeddedPrefix:prize_"`
}

// Winners returns the best winners of a tournament.
func (s *Store) Winners(ctx context.Context, tournament int64, most int) (best []Winner, err error) {
	err = s.db.Read(ctx).Raw(`SELECT m.player_id, m.place AS "rank", m.ore, m.prize_ton, m.prize_coins FROM miners m
		WHERE m.tournament_id = ? AND `+won+` ORDER BY m.place, m.player_id LIMIT ?`, tournament, most).Scan(&best).Error
	return best, db.WrapUnavailable(err)
}
