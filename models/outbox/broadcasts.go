package outbox

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
)

// Errors of broadcasts.
var (
	// ErrOutboxFull means that so many messages are waiting that no broadcast is started.
	ErrOutboxFull = errors.New("the outbox is full")
	// ErrBroadcastContent is the error of a draft that is empty, too long, or no text.
	ErrBroadcastContent = errors.New("a broadcast is a text of 1 to 4096 characters or a message to copy")
	// ErrBroadcastState is the error of a step that the broadcast is not ready for, or past.
	ErrBroadcastState = errors.New("the broadcast is in another state")
)

// Limits of broadcasts. (decision 0014)
const (
	outboxBacklog  = 1_000_000 // queued messages with which no broadcast is started
	broadcastBatch = 500       // players whose messages are queued in one transaction
	broadcastAhead = 10_000    // messages queued and not tried yet, with which a broadcast waits: nearly seven minutes' worth

	draftRetention = 24 * time.Hour // a draft can be confirmed for two minutes
)

// Progress counts a broadcast's messages by state. Those that ended are counted for seven days, until they are deleted.
type Progress struct{ Sent, Dead, Queued int64 }

// DraftBroadcast stores a broadcast that is not started yet, with its audience of now; of b it uses only the author's fields. It
// refuses with ErrBroadcastContent.
func (s *Store) DraftBroadcast(ctx context.Context, b models.Broadcast, now time.Time) (models.Broadcast, error) {
	if !b.Sayable() {
		return models.Broadcast{}, ErrBroadcastContent
	}
	audience, err := s.BroadcastAudience(ctx) // with millions of players it would take too long in a transaction
	if err != nil {
		return models.Broadcast{}, err
	}
	draft := models.Broadcast{
		AuthorID: b.AuthorID, Text: b.Text, SourceChatID: b.SourceChatID, SourceMessageID: b.SourceMessageID,
		State: models.BroadcastDraft, Cursor: math.MinInt64, Audience: audience, DraftedAt: db.Time(now),
	}
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		same, err := db.One[models.Broadcast](tx.Where("state = ? AND author_id = ? AND text = ? AND source_chat_id = ? AND source_message_id = ? AND drafted_at > ?",
			models.BroadcastDraft, b.AuthorID, b.Text, b.SourceChatID, b.SourceMessageID, draft.DraftedAt.Add(-models.ConfirmationTimeout)).Order("id DESC"))
		if err == nil {
			draft = same
		}
		if !errors.Is(err, db.ErrNotFound) {
			return err
		}
		draft.ID = 0
		return db.Wrap(tx.Create(&draft).Error, "draft a broadcast of %d", b.AuthorID)
	})
	return draft, err
}

// ForgetDrafts deletes drafts that nobody confirmed in a day and returns how many.
func (s *Store) ForgetDrafts(ctx context.Context, now time.Time) (deleted int64, err error) {
	return s.db.Sweep(ctx, `DELETE FROM broadcasts WHERE state = 'draft' AND id IN
		(SELECT id FROM broadcasts WHERE state = 'draft' AND drafted_at < ? LIMIT ?)`, now.UTC().Add(-draftRetention), db.SweepRows)
}

// inAudience is the condition for players whom a broadcast reaches: they want messages, and as far as is known the bot may write to
// them. p is players, c their chats.
const inAudience = "p.notifications AND p.banned_at IS NULL AND c.blocked_at IS NULL"

// audiencePage is how many players are counted by one statement, of which none may take more than seconds.
const audiencePage = 200_000

// BroadcastAudience returns how many players a broadcast would reach now, counted page by page.
func (s *Store) BroadcastAudience(ctx context.Context) (n int64, err error) {
	for page := (struct{ Last, Seen, Reached int64 }{Last: math.MinInt64, Seen: s.audiencePage}); page.Seen == s.audiencePage; n += page.Reached {
		err := s.db.Read(ctx).Raw(`SELECT COALESCE(MAX(id), 0) AS last, COUNT(*) AS seen, COUNT(CASE WHEN `+inAudience+` THEN 1 END) AS reached
			FROM (SELECT * FROM players WHERE id > ? ORDER BY id LIMIT ?) p LEFT JOIN chats c ON c.telegram_id = p.telegram_id`,
			page.Last, s.audiencePage).Scan(&page).Error
		if err != nil {
			return 0, db.WrapUnavailable(fmt.Errorf("count a broadcast's audience: %w", err))
		}
	}
	return n, nil
}

// startBroadcast starts a draft. It refuses with ErrNotFound, with ErrBroadcastState if the broadcast is no draft any more, and with
// ErrOutboxFull if so many messages wait.
func (s *Store) startBroadcast(tx *gorm.DB, id int64, now time.Time) (models.Broadcast, error) {
	b, err := s.lockBroadcast(tx, id)
	if err != nil {
		return models.Broadcast{}, err
	}
	if b.State != models.BroadcastDraft {
		return models.Broadcast{}, ErrBroadcastState
	}
	queued, err := queuedMessages(tx)
	if err != nil {
		return models.Broadcast{}, err
	}
	if queued >= s.outboxBacklog {
		return models.Broadcast{}, ErrOutboxFull
	}
	now = db.Time(now)
	b.State, b.StartedAt = models.BroadcastFanning, &now
	err = tx.Model(&models.Broadcast{}).Where("id = ?", id).Updates(map[string]any{"state": b.State, "started_at": now}).Error
	return b, db.Wrap(err, "start broadcast %d", id)
}

func (s *Store) lockBroadcast(tx *gorm.DB, id int64) (models.Broadcast, error) {
	b, err := db.One[models.Broadcast](tx.Scopes(db.ForUpdate).Where("id = ?", id))
	return b, db.Wrap(err, "lock broadcast %d", id)
}

// Broadcast finds a broadcast; ErrNotFound if there is none.
func (s *Store) Broadcast(ctx context.Context, id int64) (models.Broadcast, error) {
	b, err := db.One[models.Broadcast](s.db.Read(ctx).Where("id = ?", id))
	return b, db.WrapUnavailable(err)
}

// NewestBroadcast returns the broadcast that was started last; ErrNotFound before the first.
func (s *Store) NewestBroadcast(ctx context.Context) (models.Broadcast, error) {
	b, err := db.One[models.Broadcast](s.db.Read(ctx).Where("started_at IS NOT NULL").Order("started_at DESC, id DESC"))
	return b, db.WrapUnavailable(err)
}

// broadcastsListed is how many broadcasts under way are listed at once.
const broadcastsListed = 10

// BroadcastsUnderWay returns the broadcasts with messages still to be queued or sent, the one started last first, ten at most: the
// others come up once these are sent or stopped.
func (s *Store) BroadcastsUnderWay(ctx context.Context) (found []models.Broadcast, err error) {
	err = s.db.Read(ctx).Where("state = 'fanning'").
		Or("state = 'done' AND EXISTS (SELECT 1 FROM outbox WHERE broadcast_id = broadcasts.id AND state = 'queued')").
		Order("started_at DESC, id DESC").Limit(broadcastsListed).Find(&found).Error
	return found, db.WrapUnavailable(db.Wrap(err, "list the broadcasts under way"))
}

// Actions of admins on a broadcast; the argument is its id.
const (
	ActionBroadcast     models.Action = "broadcast"
	ActionStopBroadcast models.Action = "stop broadcast"
)

// broadcastOf returns the id of the broadcast that an action is on.
func broadcastOf(q models.PendingAction) (int64, error) {
	if len(q.Args) != 1 {
		return 0, fmt.Errorf("%s with %d arguments", q.Action, len(q.Args))
	}
	return strconv.ParseInt(q.Args[0], 10, 64)
}

// SendBroadcast starts a broadcast that an admin has confirmed.
func (s *Store) SendBroadcast(tx *gorm.DB, q models.PendingAction, now time.Time) (outcome string, err error) {
	id, err := broadcastOf(q)
	if err != nil {
		return "", err
	}
	b, err := s.startBroadcast(tx, id, now)
	if err != nil {
		return "", refusedBroadcast(err)
	}
	return fmt.Sprintf("broadcast %d goes to %d players", b.ID, b.Audience), nil
}

// StopBroadcast cancels a broadcast and leaves its queued messages to DropCancelled: they may be many.
func (s *Store) StopBroadcast(tx *gorm.DB, q models.PendingAction, now time.Time) (outcome string, err error) {
	id, err := broadcastOf(q)
	if err != nil {
		return "", err
	}
	if err := s.cancelBroadcast(tx, id, db.Time(now)); err != nil {
		return "", refusedBroadcast(err)
	}
	return fmt.Sprintf("broadcast %d is stopped", id), nil
}

// refusedBroadcast turns an error of a broadcast into a refusal.
func refusedBroadcast(err error) error {
	switch {
	case errors.Is(err, ErrBroadcastState):
		return game.Refuse(models.AlreadySo) // it was sent or stopped before
	case errors.Is(err, ErrOutboxFull):
		return game.Refuse(models.Overloaded)
	}
	return err
}

// BroadcastProgress counts a broadcast's messages.
func (s *Store) BroadcastProgress(ctx context.Context, id int64) (Progress, error) {
	var found Progress
	err := s.db.Read(ctx).Raw(`SELECT COUNT(CASE WHEN state = 'sent' THEN 1 END) AS sent, COUNT(CASE WHEN state = 'dead' THEN 1 END) AS dead,
		COUNT(CASE WHEN state = 'queued' THEN 1 END) AS queued FROM outbox WHERE broadcast_id = ?`, id).Scan(&found).Error
	return found, db.WrapUnavailable(db.Wrap(err, "count the messages of broadcast %d", id))
}
