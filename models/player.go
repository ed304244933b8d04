package models

import (
	"strings"
	"time"

	"mcbk/game"
)

// CanTakeAdvice reports whether the advice of now's UTC day can still be claimed.
func (p Player) CanTakeAdvice(season game.Season, now time.Time) bool {
	return p.CanEarn(season, now) == nil && p.AdvisedDay < game.DayOf(now)
}

// Banned reports whether the player is banned.
func (p Player) Banned() bool { return p.BannedAt != nil }

// CanPlay refuses a banned player with user_blocked and the reason.
func (p Player) CanPlay() error {
	if p.Banned() {
		return &game.Refusal{Code: game.UserBlocked, Params: map[string]any{"reason": p.BanReason}}
	}
	return nil
}

// Erased reports whether the account was erased.
func (p Player) Erased() bool { return p.ErasedAt != nil }

// CanBuy refuses a player who may not order anything in a currency.
func (p Player) CanBuy(in Currency) error {
	if err := p.CanRequest(); err != nil {
		return err
	}
	if in == CurrencyTON && p.Wallet == nil {
		return game.Refuse(WalletNotConnected)
	}
	return nil
}

// PlayerID is a player's number in this database; Telegram's number is TelegramID.
type PlayerID int64

// The game's languages; the first is the default.
const (
	English = "en"
	Russian = "ru"
)

// Player is the row of a player: who they are, what they own, the state of their bag.
type Player struct {
	ID             PlayerID
	TelegramID     int64
	FirstName      string
	Username       string
	PhotoURL       string
	IsPremium      bool
	Language       string
	Notifications  bool
	ReferralCode   string
	ReferrerID     *PlayerID
	ConsentedAt    *time.Time // UTC; nil until the age consent
	ConsentVersion int
	CreatedAt      time.Time
	BannedAt       *time.Time // UTC; nil while they may play
	BanReason      string     // shown to them; empty while they may play
	ErasedAt       *time.Time // UTC; when the account was erased at the player's wish; nil otherwise
	Wallet         *string    // raw address of the connected wallet; nil without one
	WalletProven   bool       // its key has signed a nonce of theirs

	Balances Balances `gorm:"embedded;embeddedPrefix:balance_"`
	Bag      game.Bag `gorm:"embedded;embeddedPrefix:bag_"`

	Visits     game.Visits  `gorm:"embedded;embeddedPrefix:visits_"`
	Wheel      game.Wheel   `gorm:"embedded;embeddedPrefix:wheel_"`
	AdvisedDay game.Day     // UTC day of the newest advice that was claimed or doubled; 0 before the first
	Loyalty    game.Loyalty `gorm:"embedded;embeddedPrefix:loyalty_"`

	Revision int64 // one more with every change of the row; orders the answers that show it
}

// ScanFields returns the targets of a row's columns, in the order of PlayerColumns. The hot path reads players this way; GORM's
// reflection would take longer than all the rest of a tap.
func (p *Player) ScanFields() []any {
	return append([]any{
		&p.ID, &p.TelegramID, &p.FirstName, &p.Username, &p.PhotoURL, &p.IsPremium, &p.Language, &p.Notifications,
		&p.ReferralCode, &p.ReferrerID, &p.ConsentedAt, &p.ConsentVersion, &p.CreatedAt, &p.BannedAt, &p.BanReason, &p.ErasedAt, &p.Wallet, &p.WalletProven,
		&p.Bag.AllowanceMilli, &p.Bag.AllowanceAt,
	}, p.PlayFields()...)
}

// PlayFields returns those of the columns that play changes and answers show. Stored answers have their values in this order: new
// ones come last.
func (p *Player) PlayFields() []any {
	b, bag := &p.Balances, &p.Bag
	return []any{
		&b.Game, &b.Referral, &b.Purchased, &b.GamePoints, &b.ReferralPoints, &b.Mine, &b.Spins, &b.AdSpins,
		&bag.Spins, &bag.Day, &bag.TapsToday, &bag.EnergySpent,
		&p.Visits.Day, &p.Visits.Streak, &p.Visits.Total, &p.Visits.Doubled, &p.Visits.Coins, &p.Visits.Points, &p.AdvisedDay,
		&p.Wheel.SpinsGrantedDay, &p.Wheel.SpunDay, &p.Wheel.Streak, &p.Wheel.Won, &p.Loyalty.Day, &p.Loyalty.Claimed,
		&p.Wheel.SpinsToday, &p.Wheel.CountedDay, &p.Revision,
	}
}

// PlayerColumns names every column of a player's row, in the table of this name.
func PlayerColumns(table string) string {
	return table + "." + strings.Join(allPlayerColumns, ", "+table+".")
}

var allPlayerColumns = []string{
	"id", "telegram_id", "first_name", "username", "photo_url", "is_premium", "language", "notifications",
	"referral_code", "referrer_id", "consented_at", "consent_version", "created_at", "banned_at", "ban_reason", "erased_at", "wallet", "wallet_proven",
	"bag_allowance_milli", "bag_allowance_at",
	"balance_game", "balance_referral", "balance_purchased", "balance_game_points", "balance_referral_points",
	"balance_mine", "balance_spins", "balance_ad_spins",
	"bag_spins", "bag_day", "bag_taps_today", "bag_energy_spent",
	"visits_day", "visits_streak", "visits_total", "visits_doubled", "visits_coins", "visits_points", "advised_day",
	"wheel_looked_day", "wheel_spun_day", "wheel_streak", "wheel_won", "loyalty_day", "loyalty_claimed",
	"wheel_spins_today", "wheel_counted_day", "revision",
}

// Consented reports whether the player has accepted the rules.
func (p Player) Consented() bool { return p.ConsentedAt != nil }

// CanEarn refuses with user_blocked, age_consent_required, season_not_started or season_over.
func (p Player) CanEarn(season game.Season, now time.Time) error {
	if err := p.CanRequest(); err != nil {
		return err
	}
	return season.Open(now)
}

// CanRequest refuses with user_blocked or age_consent_required. What was earned or bought before the season's end may be requested
// afterwards, too.
func (p Player) CanRequest() error {
	if err := p.CanPlay(); err != nil {
		return err
	}
	if !p.Consented() {
		return game.Refuse(game.AgeConsentRequired)
	}
	return nil
}

// CanSpin refuses a spin that a player may not make.
func (p Player) CanSpin(golden bool, season game.Season, free int, now time.Time) error {
	if err := p.CanEarn(season, now); err != nil {
		return err
	}
	if golden && !p.Wheel.Golden() {
		return game.Refuse(game.GoldenNotAvailable)
	}
	if spins, _ := p.SpinsAt(season, free, now); spins < 1 {
		return game.Refuse(game.NoSpinsLeft)
	}
	return nil
}

// CountsOn returns what the row counts of a UTC day: nothing of a day before its last.
func (p *Player) CountsOn(day game.Day) (c game.DayCounts) {
	if p.Bag.Day == day {
		c.Taps, c.EnergySpent = p.Bag.TapsToday, p.Bag.EnergySpent
	}
	if p.Wheel.CountedDay == day {
		c.Spins = p.Wheel.SpinsToday
	}
	return c
}

// SpinsGranted reports whether the player has the spins of now's UTC day.
func (p *Player) SpinsGranted(now time.Time) bool { return p.Wheel.SpinsGrantedDay >= game.DayOf(now) }

// GivenSpins returns how many spins, of the free ones of a day, and ad spins a day's grant adds to what is held.
func (b Balances) GivenSpins(free int) (spins, adSpins int64) {
	return max(min(int64(free), game.MostSpins-b.Spins), 0), max(game.AdSpinsADay-b.AdSpins, 0)
}

// SpinsAt returns the spins and ad spins that a player has once those of the day are granted.
func (p Player) SpinsAt(season game.Season, free int, now time.Time) (spins, adSpins int64) {
	held := p.Balances
	if !p.SpinsGranted(now) && season.Open(now) == nil {
		more, moreAds := held.GivenSpins(free)
		return held.Spins + more, held.AdSpins + moreAds
	}
	return held.Spins, held.AdSpins
}

// LanguageOf prefers the language chosen in the bot over Telegram's.
func LanguageOf(chosen, telegrams string) string {
	if chosen != "" {
		return chosen
	}
	if strings.HasPrefix(strings.ToLower(telegrams), Russian) {
		return Russian
	}
	return English
}
