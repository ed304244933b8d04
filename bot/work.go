package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	telegram "github.com/go-telegram/bot"
	tg "github.com/go-telegram/bot/models"

	"mcbk/models"
)

const (
	workers           = 4                // concurrent updates; those of one chat are serial
	inboxPollInterval = time.Second      // between polls for updates that other processes received
	handleTimeout     = 10 * time.Second // for all calls of one update; a shutdown waits for it
	storeTimeout      = 5 * time.Second  // for a transaction of the inbox
)

// updateHandler processes the inbox.
type updateHandler struct {
	*sender
	inbox   *inbox
	pause   *sendPause
	profile *profile
	admin   *adminHandler
	outage  outage
}

// work handles updates one by one until ctx ends; it finishes the current one.
func (h *updateHandler) work(ctx context.Context) {
	for ctx.Err() == nil {
		if h.workOnce(context.WithoutCancel(ctx)) {
			continue
		}
		select {
		case <-ctx.Done():
		case <-h.inbox.arrived:
		case <-time.After(inboxPollInterval):
		}
	}
}

// workOnce handles the next update; false if none is due.
func (h *updateHandler) workOnce(ctx context.Context) bool {
	if !h.pause.allows(ctx) {
		return false
	}
	update, err := h.takeUpdate(ctx)
	if err != nil || update == nil {
		return false
	}
	h.inbox.wake() // wake another worker for the next one
	err = h.handle(ctx, *update)
	if err := h.finish(ctx, *update, err); err != nil {
		h.log.WarnContext(ctx, "save update outcome", "update", update.UpdateID, "error", truncateError(err))
	}
	return true
}

// takeUpdate claims the next update.
func (h *updateHandler) takeUpdate(ctx context.Context) (*models.BotUpdate, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	update, err := h.store.Outbox.TakeUpdate(ctx, h.now())
	h.outage.report(ctx, h.log, "inbox", err)
	return update, err
}

// handle processes one update; a panic becomes an error.
func (h *updateHandler) handle(ctx context.Context, u models.BotUpdate) (err error) {
	defer recoverPanic(&err)
	update, err := decodeUpdate(u.Body)
	if err != nil {
		h.log.WarnContext(ctx, "decode update", "update", u.UpdateID, "error", truncateError(err))
		return nil // a retry would not help
	}
	ctx, cancel := context.WithTimeout(ctx, handleTimeout)
	defer cancel()
	if err := h.saveReachability(ctx, update); err != nil {
		return err
	}
	return h.dispatch(ctx, update)
}

// saveReachability stores whether the bot may write to an update's sender: a message or press allows it, and Telegram reports blocks.
func (h *updateHandler) saveReachability(ctx context.Context, update *update) error {
	var (
		person    int64
		reachable = true
	)
	switch press, change := update.CallbackQuery, update.MyChatMember; {
	case isPrivate(update.Message):
		person = update.Message.From.ID
	case press != nil && press.editableMessage() != nil && press.Message.Chat.Type == tg.ChatTypePrivate:
		person = press.From.ID
	case change.Chat.Type == tg.ChatTypePrivate:
		person, reachable = change.Chat.ID, change.NewChatMember.Status != tg.ChatMemberTypeBanned
	}
	if person <= 0 {
		return nil
	}
	if err := h.store.Outbox.SetReach(ctx, person, reachable, h.now()); err != nil {
		return fmt.Errorf("save reachability of %d: %w", person, err)
	}
	return nil
}

func (h *updateHandler) finish(ctx context.Context, u models.BotUpdate, failure error) error {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	var tooMany *telegram.TooManyRequestsError
	switch {
	case failure == nil, isUnreachable(failure):
		return h.store.Outbox.FinishUpdate(ctx, u, h.now())
	case errors.Is(failure, telegram.ErrorBadRequest):
		h.log.ErrorContext(ctx, "reply refused", "update", u.UpdateID, "chat", u.ChatID, "error", truncateError(failure))
		return h.store.Outbox.FinishUpdate(ctx, u, h.now())
	case errors.As(failure, &tooMany):
		h.log.WarnContext(ctx, "sending paused by Telegram", "update", u.UpdateID, "seconds", tooMany.RetryAfter)
		until := h.pause.begin(tooMany)
		return errors.Join(h.store.Outbox.PauseSending(ctx, until), h.store.Outbox.PostponeUpdate(ctx, u, until))
	}
	dead, err := h.store.Outbox.FailUpdate(ctx, u, failure.Error(), h.now())
	if dead {
		h.log.ErrorContext(ctx, "update dead", "update", u.UpdateID, "chat", u.ChatID, "error", truncateError(failure))
	} else {
		h.log.WarnContext(ctx, "update failed, will be retried", "update", u.UpdateID, "try", u.Tries, "error", truncateError(failure))
	}
	return err
}

// outage logs once when a table becomes unavailable and once when it recovers.
type outage struct{ ongoing atomic.Bool }

func (o *outage) report(ctx context.Context, log *slog.Logger, table string, err error) {
	switch was := o.ongoing.Swap(err != nil); {
	case err != nil && !was:
		log.WarnContext(ctx, table+" unavailable", "error", truncateError(err))
	case err == nil && was:
		log.InfoContext(ctx, table+" available again")
	}
}
