package players

import (
	"context"
	"encoding/base32"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/friends"
	"mcbk/models/ledger"
	"mcbk/models/outbox"
)

// consentVersion is the current version of the rules and privacy text that players accept.
const consentVersion = 1

// LaunchUser is what signed launch data says about a person, and how they came.
type LaunchUser struct {
	TelegramID   int64
	FirstName    string
	Username     string
	PhotoURL     string
	IsPremium    bool
	LanguageCode string // Telegram's, like "ru" or "en-GB"
	StartParam   string // signed by Telegram
	QueryCode    string // the web address's, not signed
	Origin       string // 16 characters, equal for players from one network address; empty if unknown
	AllowsWrite  bool   // the bot may write to them, as of SignedAt
	SignedAt     time.Time
}

// SignIn returns the player, creating them on their first visit; their names at Telegram are kept up to date. A friend's code binds
// once, here, to the first of these that names a player: the signed start parameter, the code that the bot saw, the address's.
// (decision 0006: referral)
func (s *Store) SignIn(ctx context.Context, a LaunchUser, now time.Time) (models.Player, error) {
	if a.AllowsWrite {
		if err := s.outbox.Unblock(ctx, a.TelegramID, a.SignedAt); err != nil {
			return models.Player{}, err
		}
	}
	player, err := s.PlayerByTelegramID(ctx, a.TelegramID)
	if err == nil && (player.Erased() || isNamedAs(player, a)) {
		return player, nil
	}
	rules := s.settings.RuntimeSettings(ctx, now).TapRules()
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		if err := s.createPlayer(tx, a, rules, now); err != nil {
			return err
		}
		renamed := tx.Model(&models.Player{}).Where("telegram_id = ? AND erased_at IS NULL", a.TelegramID).
			Where("(first_name, username, photo_url, is_premium) <> (?, ?, ?, ?)", a.FirstName, a.Username, a.PhotoURL, a.IsPremium)
		err := renamed.Updates(map[string]any{
			"first_name": a.FirstName, "username": a.Username, "photo_url": a.PhotoURL, "is_premium": a.IsPremium,
			"revision": gorm.Expr("revision + 1"),
		}).Error
		if err != nil {
			return fmt.Errorf("rename player of Telegram %d: %w", a.TelegramID, err)
		}
		player, err = playerByTelegramID(tx, a.TelegramID)
		return err
	})
	return player, err
}

func isNamedAs(p models.Player, a LaunchUser) bool {
	return p.FirstName == a.FirstName && p.Username == a.Username && p.PhotoURL == a.PhotoURL && p.IsPremium == a.IsPremium
}

// createPlayer inserts the player unless they exist: of two first requests one wins.
func (s *Store) createPlayer(tx *gorm.DB, a LaunchUser, rules game.TapRules, now time.Time) error {
	var known int64
	if err := tx.Model(&models.Player{}).Where("telegram_id = ?", a.TelegramID).Count(&known).Error; err != nil || known > 0 {
		return err
	}
	chat, err := outbox.ChatOf(tx, a.TelegramID)
	if err != nil {
		return err
	}
	referrer, err := referrerBy(tx, a.StartParam, chat.StartCode, a.QueryCode)
	if err != nil {
		return err
	}
	random, err := s.db.Random(7)
	if err != nil {
		return fmt.Errorf("make a referral code: %w", err)
	}
	player := models.Player{
		TelegramID: a.TelegramID, FirstName: a.FirstName, Username: a.Username, PhotoURL: a.PhotoURL,
		IsPremium: a.IsPremium, Language: models.LanguageOf(chat.Language, a.LanguageCode), Notifications: true,
		ReferralCode: referralCode(random), ReferrerID: referrer, CreatedAt: now, Bag: game.NewBag(rules, now),
	}
	created := tx.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "telegram_id"}}, DoNothing: true}).Create(&player)
	if created.Error != nil {
		return fmt.Errorf("create player of Telegram %d: %w", a.TelegramID, created.Error)
	}
	if created.RowsAffected == 0 {
		return nil
	}
	s.leaderboard.MarkChangedOnCommit(tx, player.ID)
	if err := friends.SaveOrigin(tx, player.ID, a.Origin); err != nil {
		return err
	}
	return s.friends.Bind(tx, player, now)
}

// referrerBy finds the player whom the first valid code names; nil if none does. An erased account invites nobody. A new player has
// no code yet, so nobody can name themselves.
func referrerBy(tx *gorm.DB, codes ...string) (*models.PlayerID, error) {
	for _, code := range codes {
		if code == "" {
			continue
		}
		var found []models.PlayerID
		if err := tx.Raw("SELECT id FROM players WHERE referral_code = ? AND erased_at IS NULL", code).Scan(&found).Error; err != nil {
			return nil, fmt.Errorf("find referral code: %w", err)
		}
		if len(found) > 0 {
			return &found[0], nil
		}
	}
	return nil, nil
}

// referralCode makes twelve letters and digits out of 56 random bits: among a hundred million players the chance of a collision,
// which would fail the request, is one in 700 million.
func referralCode(random []byte) string {
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(random))
}

// PlayerByTelegramID finds a player; ErrNotFound if the person never opened the game.
func (s *Store) PlayerByTelegramID(ctx context.Context, telegramID int64) (models.Player, error) {
	if tx, ok := db.TxFrom(ctx); ok {
		return playerByTelegramID(tx, telegramID)
	}
	return s.caller(ctx, telegramID)
}

// Player finds a player; ErrNotFound if there is none.
func (s *Store) Player(ctx context.Context, id models.PlayerID) (models.Player, error) {
	player, err := ledger.OnePlayer(s.db.Read(ctx), "id = ?", id)
	return player, db.WrapUnavailable(err)
}

func playerByTelegramID(tx *gorm.DB, telegramID int64) (models.Player, error) {
	return ledger.OnePlayer(tx, "telegram_id = ?", telegramID)
}

// Preference is one choice of a player; exactly one field is set.
type Preference struct {
	Consent       bool    // the rules are accepted; cannot be withdrawn
	Language      *string // en or ru
	Notifications *bool
}

// SetPreference stores one choice and returns the player after it.
func (s *Store) SetPreference(ctx context.Context, id models.PlayerID, wish Preference, now time.Time) (models.Player, error) {
	var player models.Player
	err := s.db.InTx(ctx, func(tx *gorm.DB) (err error) {
		if player, err = s.ledger.LockPlayer(tx, id); err != nil {
			return err
		}
		changes := map[string]any{}
		switch {
		case wish.Consent && !player.Consented():
			player.ConsentedAt, player.ConsentVersion = &now, consentVersion
			changes["consented_at"], changes["consent_version"] = now, consentVersion
		case wish.Language != nil:
			player.Language = *wish.Language
			changes["language"] = player.Language
		case wish.Notifications != nil:
			player.Notifications = *wish.Notifications
			changes["notifications"] = player.Notifications
		}
		if len(changes) == 0 {
			return nil
		}
		player.Revision++
		changes["revision"] = player.Revision
		return db.Wrap(tx.Model(&models.Player{}).Where("id = ?", id).Updates(changes).Error, "set preference of player %d", id)
	})
	return player, err
}
