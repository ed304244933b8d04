package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	telegram "github.com/go-telegram/bot"

	"mcbk/models"
	"mcbk/models/store"
)

const (
	maxPollInterval = time.Second // between two reads of the outbox, at most
	fanOutInterval  = 100 * time.Millisecond
)

// delivery sends the queued messages and queues those of broadcasts.
type delivery struct {
	*sender
	settings Settings
	store    *store.Store
	now      func() time.Time
	pause    *sendPause
	outage   outage
}

// deliver sends the outbox until ctx ends, one message after another: a process that is killed can have sent at most one message
// without marking it, which is then sent twice.
func (o *delivery) deliver(ctx context.Context) {
	for ctx.Err() == nil {
		if pause := o.deliverOnce(ctx); pause > 0 {
			wait(ctx, min(pause, maxPollInterval))
		}
	}
}

// deliverOnce sends the next message and returns how long to wait for the one after it. It is not interrupted by ctx.
func (o *delivery) deliverOnce(ctx context.Context) time.Duration {
	if left := o.pause.local(); left > 0 {
		return left
	}
	message, pause, err := o.takeMessage(context.WithoutCancel(ctx)) // else nobody would send what it holds
	if err != nil {
		return maxPollInterval
	}
	if message == nil {
		return pause
	}
	failure := o.sendMessage(context.WithoutCancel(ctx), *message)
	o.markMessage(ctx, *message, failure)
	return 0
}

// takeMessage gets the next message, and logs once when the outbox becomes unreachable or is back.
func (o *delivery) takeMessage(ctx context.Context) (*models.Message, time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	message, pause, err := o.store.Outbox.TakeMessage(ctx, o.now())
	o.outage.report(ctx, o.log, "outbox", err)
	return message, pause, err
}

// errClaimExpired says that the hold on a message ends too soon to begin sending: another process may send it then.
var errClaimExpired = errors.New("the hold on the message ends")

// sendMessage renders a message and sends it; a panic is an error like any other.
func (o *delivery) sendMessage(ctx context.Context, m models.Message) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, storeTimeout+callTimeout)
	defer cancel()
	notice, err := o.notice(ctx, m)
	if err != nil {
		return err
	}
	if o.now().After(m.NextTryAt.Add(-callTimeout)) { // this process was held up, or the clock jumped
		return errClaimExpired
	}
	return notice(ctx)
}

// markMessage records how sending a message ended. While the database fails, it retries as long as the message is held: a message
// that was sent must not be sent twice.
func (o *delivery) markMessage(ctx context.Context, m models.Message, failure error) {
	for {
		err := o.endMessage(context.WithoutCancel(ctx), m, failure)
		if err == nil {
			return
		}
		o.log.WarnContext(ctx, "a message's end was not kept", "message", m.ID, "error", truncateError(err))
		if ctx.Err() != nil || o.now().After(m.NextTryAt) {
			return
		}
		wait(ctx, maxPollInterval)
	}
}

func (o *delivery) endMessage(ctx context.Context, m models.Message, failure error) error {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	var tooMany *telegram.TooManyRequestsError
	switch {
	case failure == nil:
		return o.store.Outbox.FinishMessage(ctx, m, o.now())
	case refusesVoice(m, failure), errors.Is(failure, errCopy) && isUnreachable(failure) && !errors.Is(failure, telegram.ErrorForbidden):
		return o.store.Outbox.MissMessage(ctx, m, o.now())
	case isUnreachable(failure):
		o.log.WarnContext(ctx, "recipient unreachable", "message", m.ID, "kind", m.Kind, "chat", m.ChatID, "error", truncateError(failure))
		return o.store.Outbox.RefuseMessage(ctx, m, true, failure.Error(), o.now())
	case originalGone(m, failure):
		o.log.ErrorContext(ctx, "a broadcast is stopped: what it copies is gone", "broadcast", *m.BroadcastID, "error", truncateError(failure))
		return o.store.Outbox.AbandonBroadcast(ctx, m, failure.Error(), o.settings.AdminIDs, o.now())
	case errors.Is(failure, telegram.ErrorBadRequest):
		o.log.ErrorContext(ctx, "Telegram refused a message", "message", m.ID, "kind", m.Kind, "chat", m.ChatID, "error", truncateError(failure))
		return o.store.Outbox.RefuseMessage(ctx, m, false, failure.Error(), o.now())
	case errors.As(failure, &tooMany):
		o.log.WarnContext(ctx, "Telegram asks for silence", "message", m.ID, "seconds", tooMany.RetryAfter)
		until := o.pause.begin(tooMany)
		return o.store.Outbox.PostponeMessage(ctx, m, until)
	}
	dead, err := o.store.Outbox.FailMessage(ctx, m, failure.Error(), o.now())
	if dead {
		o.log.ErrorContext(ctx, "a message is given up", "message", m.ID, "kind", m.Kind, "chat", m.ChatID, "error", truncateError(failure))
	} else {
		o.log.WarnContext(ctx, "a message will be tried again", "message", m.ID, "try", m.Tries, "error", truncateError(failure))
	}
	return err
}

// originalGone reports whether the message that a broadcast copies was deleted, so that no player can get it.
func originalGone(m models.Message, failure error) bool {
	return m.BroadcastID != nil && errors.Is(failure, telegram.ErrorBadRequest) && strings.Contains(failure.Error(), "message to copy not found")
}

// refusesVoice reports whether a person takes no voice or video messages, of which a broadcast may be a copy.
func refusesVoice(m models.Message, failure error) bool {
	return m.BroadcastID != nil && errors.Is(failure, telegram.ErrorBadRequest) && strings.Contains(failure.Error(), "VOICE_MESSAGES_FORBIDDEN")
}

// errCopy marks the failure of a copy, of which Telegram may mean the author of the original by "chat not found".
var errCopy = errors.New("copy a message")

// unreachable are Telegram's reasons for sending somebody no message until they write to the bot again: they blocked it, never met
// it, are gone, or take no messages from bots. Most come as 403, but each was seen as 400 too, in words or as a CODE_LIKE_THIS.
var unreachable = []string{
	"chat not found", "user not found", "peer id invalid", "user id invalid", "chat id invalid", "input user", "blocked", "deactivated",
	"can't initiate", "write forbidden", "rights to send", "privacy restricted", "chat restricted", "payment required", "to bots",
}

// isUnreachable reports whether Telegram refused a message because of its recipient.
func isUnreachable(failure error) bool {
	reason := strings.ReplaceAll(strings.ToLower(fmt.Sprint(failure)), "_", " ")
	named := slices.ContainsFunc(unreachable, func(words string) bool { return strings.Contains(reason, words) })
	return errors.Is(failure, telegram.ErrorForbidden) || (named && errors.Is(failure, telegram.ErrorBadRequest))
}
