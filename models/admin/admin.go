package admin

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/outbox"
)

// Limits of what admins ask. (decision 0022: admins)
const (
	ConfirmationOverdue = 10 * time.Minute // a pending action still open this long after that is a fault
	refusedADay         = 100              // most refused attempts of one chat that are recorded in a UTC day
)

// Reasons to refuse a confirmation.
const (
	PressUnknown   game.Code = "not_found"      // there is no such pending action
	PressNotTheirs game.Code = "unauthorized"   // another admin's action, or they are no admin
	PressTooLate   game.Code = "expired"        // later than 120 s
	PressRepeated            = models.NonceUsed // it was decided before
)

// ActionHandler executes a pending action, in the transaction that marks it executed, and describes the result. A *game.Refusal
// or ErrNotFound refuses it; then everything is rolled back.
type ActionHandler func(tx *gorm.DB, q models.PendingAction, now time.Time) (outcome string, err error)

// RequestConfirmation stores a pending action and returns the nonce that its buttons carry. Nothing is done until the same admin confirms, within
// 120 s.
func (s *Store) RequestConfirmation(ctx context.Context, q models.PendingAction, now time.Time) (nonce string, err error) {
	if s.actions[q.Action] == nil {
		return "", fmt.Errorf("no admin can do %q", q.Action)
	}
	random, err := s.db.Random(16)
	if err != nil {
		return "", fmt.Errorf("make a nonce: %w", err)
	}
	nonce = base64.RawURLEncoding.EncodeToString(random)
	now = db.Time(now)
	return nonce, s.db.InTx(ctx, func(tx *gorm.DB) error {
		hash := db.HashToken(nonce)
		return writeAction(tx, models.AdminAction{
			AdminID: q.Admin, ChatID: q.Admin, Action: q.Action, Args: q.Args, State: models.ActionAsked,
			NonceHash: &hash, AskedAt: now, ExpiresAt: now.Add(models.ConfirmationTimeout),
		})
	})
}

// Confirmation is a press on a button of a pending action.
type Confirmation struct {
	Admin  int64 // Telegram id of who pressed
	ChatID int64 // the chat of the button
	Nonce  string
	Admins []int64 // who the admins are now
}

// Decision is the result of a confirmation.
type Decision struct {
	Refusal game.Code          // empty if it took effect; a refused confirmation changes nothing
	Action  models.AdminAction // as of now; empty if it is not theirs to see
}

// ConfirmAction executes a pending action, once, and notifies every other admin; both in the transaction that marks it
// executed. What the rules refuse is marked refused, with the reason as its outcome. A confirmation that does not count is recorded as a
// refused attempt.
func (s *Store) ConfirmAction(ctx context.Context, p Confirmation, now time.Time) (Decision, error) {
	decision, err := s.confirm(ctx, p, now)
	if reason, no := rulesSay(err); no { // the effect was rolled back: only the answer is stored
		decision, err = s.decide(ctx, p, now, func(*gorm.DB, *models.AdminAction) (models.ActionState, string, error) {
			return models.ActionRefused, reason, nil
		})
	}
	if err == nil && decision.Refusal == "" {
		s.settings.Invalidate()
	}
	return decision, err
}

func (s *Store) confirm(ctx context.Context, p Confirmation, now time.Time) (Decision, error) {
	return s.decide(ctx, p, now, func(tx *gorm.DB, a *models.AdminAction) (models.ActionState, string, error) {
		handle := s.actions[a.Action]
		if handle == nil {
			return models.ActionRefused, "this version does not know the action", nil
		}
		outcome, err := handle(tx, models.PendingAction{Admin: a.AdminID, Action: a.Action, Args: a.Args}, now)
		if err != nil {
			return "", "", err
		}
		return models.ActionExecuted, outcome, s.notifyAdmins(tx, *a, outcome, p.Admins, now)
	})
}

// CancelAction closes a pending action without doing anything.
func (s *Store) CancelAction(ctx context.Context, p Confirmation, now time.Time) (Decision, error) {
	return s.decide(ctx, p, now, func(*gorm.DB, *models.AdminAction) (models.ActionState, string, error) {
		return models.ActionCancelled, "", nil
	})
}

// decide locks the pending action that a confirmation names. If the confirmation counts, closing says how the action ends.
func (s *Store) decide(
	ctx context.Context, p Confirmation, now time.Time, closing func(tx *gorm.DB, a *models.AdminAction) (models.ActionState, string, error),
) (decision Decision, err error) {
	now = db.Time(now)
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		decision = Decision{}
		a, err := s.lockAction(tx, p.Nonce)
		if err != nil {
			return err
		}
		if refusal := p.refusedFor(a, now); refusal != "" {
			decision.Refusal = refusal
			return s.reject(tx, p, a, &decision, now)
		}
		state, outcome, err := closing(tx, a)
		if err != nil {
			return err
		}
		decision.Action = *a
		return closeAction(tx, &decision.Action, state, outcome, now)
	})
	return decision, err
}

// lockAction reads and locks the pending action with that nonce; nil if there is none.
func (s *Store) lockAction(tx *gorm.DB, nonce string) (*models.AdminAction, error) {
	found, err := db.One[models.AdminAction](tx.Scopes(db.ForUpdate).Where("nonce_hash = ?", db.HashToken(nonce)))
	if errors.Is(err, db.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("lock an admin's pending action: %w", err)
	}
	return &found, nil
}

// refusedFor returns why the confirmation does not count, or an empty code if it does.
func (p Confirmation) refusedFor(a *models.AdminAction, now time.Time) game.Code {
	switch {
	case !slices.Contains(p.Admins, p.Admin):
		return PressNotTheirs
	case a == nil:
		return PressUnknown
	case a.AdminID != p.Admin || a.ChatID != p.ChatID:
		return PressNotTheirs
	case a.State == models.ActionExpired, a.State == models.ActionAsked && now.After(a.ExpiresAt):
		return PressTooLate
	case a.State != models.ActionAsked:
		return PressRepeated
	}
	return ""
}

// reject records a confirmation that did not count, and closes the action if it came too late.
func (s *Store) reject(tx *gorm.DB, p Confirmation, a *models.AdminAction, decision *Decision, now time.Time) error {
	attempt := models.AdminAction{AdminID: p.Admin, ChatID: p.ChatID, Action: "press", Outcome: string(decision.Refusal)}
	if a != nil {
		attempt.Action, attempt.Args = a.Action, []string{fmt.Sprint("#", a.ID)}
	}
	if a != nil && decision.Refusal != PressNotTheirs {
		if a.State == models.ActionAsked {
			if err := closeAction(tx, a, models.ActionExpired, "", now); err != nil {
				return err
			}
		}
		decision.Action = *a
	}
	return writeRefused(tx, attempt, now)
}

// closeAction ends an action that is still pending.
func closeAction(tx *gorm.DB, a *models.AdminAction, state models.ActionState, outcome string, now time.Time) error {
	outcome = db.TruncateError(outcome)
	err := db.UpdateOne(tx.Model(&models.AdminAction{}).Where("id = ? AND state = ?", a.ID, models.ActionAsked).
		Updates(map[string]any{"state": state, "decided_at": now, "outcome": outcome}))
	if err != nil {
		return fmt.Errorf("close admin action %d: %w", a.ID, err)
	}
	a.State, a.DecidedAt, a.Outcome = state, &now, outcome
	return nil
}

// notifyAdmins queues a notice of an action to every admin except the one who did it.
func (s *Store) notifyAdmins(tx *gorm.DB, a models.AdminAction, outcome string, admins []int64, now time.Time) error {
	who, err := adminName(tx, a.AdminID)
	if err != nil {
		return err
	}
	var notices []models.Message
	for _, id := range admins {
		if id == a.AdminID || id <= 0 {
			continue
		}
		notices = append(notices, models.Message{
			Key: fmt.Sprintf("audit:%d:%d", a.ID, id), ChatID: id, Kind: models.AdminNotice, Urgency: models.UrgencyAlarm,
			Params: map[string]string{"text": fmt.Sprintf("%s: %s", who, outcome)},
		})
	}
	return outbox.Enqueue(tx, s.db.Dialect, now, notices...)
}

// adminName returns the name by which the other admins know an admin: the one they play under, if they play.
func adminName(tx *gorm.DB, admin int64) (string, error) {
	var names []string
	if err := tx.Model(&models.Player{}).Where("telegram_id = ? AND first_name <> ''", admin).Pluck("first_name", &names).Error; err != nil {
		return "", fmt.Errorf("read the name of admin %d: %w", admin, err)
	}
	if len(names) == 0 {
		return fmt.Sprintf("Admin %d", admin), nil
	}
	return fmt.Sprintf("Admin %s (%d)", names[0], admin), nil
}

// RefuseCommand records an admin command that was refused: from a stranger, in a group, or forwarded. It records at most 100 a day
// of one chat, so that nobody fills the disk.
func (s *Store) RefuseCommand(ctx context.Context, a models.AdminAction, now time.Time) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error { return writeRefused(tx, a, db.Time(now)) })
}

func writeRefused(tx *gorm.DB, a models.AdminAction, now time.Time) error {
	today, err := db.Count(tx.Model(&models.AdminAction{}).Where("nonce_hash IS NULL AND chat_id = ? AND asked_at >= ?", a.ChatID, now.Truncate(24*time.Hour)))
	if err != nil {
		return fmt.Errorf("count refused attempts of chat %d: %w", a.ChatID, err)
	}
	if today >= refusedADay {
		return nil
	}
	a.State, a.AskedAt, a.ExpiresAt, a.DecidedAt, a.NonceHash = models.ActionRefused, now, now, &now, nil
	return writeAction(tx, a)
}

func writeAction(tx *gorm.DB, a models.AdminAction) error {
	a.Args = append([]string{}, a.Args...) // never null
	return db.Wrap(tx.Create(&a).Error, "write down %s of admin %d", a.Action, a.AdminID)
}

// Each finds its rows by an index that holds no others.
var (
	newestQuestions = "SELECT " + db.Columns[models.AdminAction]("admin_actions") + " FROM admin_actions WHERE nonce_hash IS NOT NULL ORDER BY id DESC LIMIT ?"
	refusedSince    = "SELECT COUNT(*) FROM admin_actions WHERE state = 'refused' AND COALESCE(nonce_hash, '') = '' AND asked_at >= ?"
)

// Audit lists the newest actions that admins requested, the newest first. What was refused at once is listed apart: there may be
// more of it than an admin reads.
func (s *Store) Audit(ctx context.Context, most int) ([]models.AdminAction, error) {
	var all []models.AdminAction
	err := s.db.Read(ctx).Raw(newestQuestions, most).Scan(&all).Error
	return all, db.WrapUnavailable(err)
}

// RefusedAttempts lists the newest commands and confirmations that were refused at once, the newest first, and counts those since a time.
func (s *Store) RefusedAttempts(ctx context.Context, most int, since time.Time) (newest []models.AdminAction, count int64, err error) {
	view := s.db.Read(ctx)
	if err := view.Raw(refusedSince, since.UTC()).Scan(&count).Error; err != nil {
		return nil, 0, db.WrapUnavailable(fmt.Errorf("count refused attempts: %w", err))
	}
	err = view.Where("nonce_hash IS NULL").Order("id DESC").Limit(most).Find(&newest).Error
	return newest, count, db.WrapUnavailable(err)
}

// ExpireActions closes pending actions that nobody confirmed in time and returns how many.
func (s *Store) ExpireActions(ctx context.Context, now time.Time) (expired int64, err error) {
	now = db.Time(now)
	return s.db.Sweep(ctx, `UPDATE admin_actions SET state = 'expired', decided_at = ? WHERE state = 'asked' AND id IN
		(SELECT id FROM admin_actions WHERE state = 'asked' AND expires_at < ? LIMIT ?)`, now, now, db.SweepRows)
}

// ExpireActionsJob is the job that runs ExpireActions.
const ExpireActionsJob = "expire_questions"

// rulesSay returns the reason if an effect's error is a refusal by the rules.
func rulesSay(err error) (reason string, no bool) {
	var refusal *game.Refusal
	switch {
	case errors.As(err, &refusal):
		return string(refusal.Code), true
	case errors.Is(err, db.ErrNotFound):
		return "not_found", true
	}
	return "", false
}
