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
)

const (
	maxPollInterval = time.Second // maximum delay between reads of the outbox
	fanOutInterval  = 100 * time.Millisecond
)

// delivery sends queued messages and fans out broadcasts.
type delivery struct {
	*sender
	pause    *sendPause
	username func() string // the bot's; "" until Telegram has returned it
	outage   outage
}

// deliver sends the outbox until ctx ends, one message at a time: a killed process leaves at most one message sent but unmarked,
// which is then sent twice.
func (o *delivery) deliver(ctx context.Context) {
	for ctx.Err() == nil {
		if pause := o.deliverOnce(ctx); pause > 0 {
			wait(ctx, min(pause, maxPollInterval))
		}
	}
}

// deliverOnce sends the next message and returns the delay before the next one. ctx does not interrupt it.
func (o *delivery) deliverOnce(ctx context.Context) time.Duration {
	if left := o.pause.local(); left > 0 {
		return left
	}
	message, pause, err := o.takeMessage(context.WithoutCancel(ctx)) // a claimed message must be sent
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

// takeMessage claims the next message.
func (o *delivery) takeMessage(ctx context.Context) (*models.Message, time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	message, pause, err := o.store.Outbox.TakeMessage(ctx, o.now())
	o.outage.report(ctx, o.log, "outbox", err)
	return message, pause, err
}

// errClaimExpired means that the claim ends too soon to begin sending: another process may send the message.
var errClaimExpired = errors.New("claim expired")

// sendMessage renders and sends a message; a panic becomes an error.
func (o *delivery) sendMessage(ctx context.Context, m models.Message) (err error) {
	defer recoverPanic(&err)
	ctx, cancel := context.WithTimeout(ctx, storeTimeout+callTimeout)
	defer cancel()
	notice, err := o.notice(ctx, m)
	if err != nil {
		return err
	}
	if o.now().After(m.NextTryAt.Add(-callTimeout)) { // this process stalled, or the clock jumped
		return errClaimExpired
	}
	return notice(ctx)
}

// markMessage records a message's outcome. It retries while the database fails and the claim lasts: a sent message must not be sent
// twice.
func (o *delivery) markMessage(ctx context.Context, m models.Message, failure error) {
	for {
		err := o.endMessage(context.WithoutCancel(ctx), m, failure)
		if err == nil {
			return
		}
		o.log.WarnContext(ctx, "save message outcome", "message", m.ID, "error", truncateError(err))
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
	case m.Kind == models.StarRefund && (errors.Is(failure, telegram.ErrorBadRequest) || errors.Is(failure, telegram.ErrorForbidden)):
		o.log.ErrorContext(ctx, "refund refused", "message", m.ID, "charge", m.Params["charge"], "error", truncateError(failure))
		if err := o.noticeFailedRefund(ctx, m, failure); err != nil {
			return err
		}
		return o.store.Outbox.RefuseMessage(ctx, m, false, failure.Error(), o.now()) // that says nothing of the chat
	case isUnreachable(failure):
		o.log.WarnContext(ctx, "recipient unreachable", "message", m.ID, "kind", m.Kind, "chat", m.ChatID, "error", truncateError(failure))
		return o.store.Outbox.RefuseMessage(ctx, m, true, failure.Error(), o.now())
	case originalGone(m, failure):
		o.log.ErrorContext(ctx, "broadcast stopped: original deleted", "broadcast", *m.BroadcastID, "error", truncateError(failure))
		return o.store.Outbox.AbandonBroadcast(ctx, m, failure.Error(), o.settings.AdminIDs, o.now())
	case errors.Is(failure, telegram.ErrorBadRequest):
		o.log.ErrorContext(ctx, "message refused", "message", m.ID, "kind", m.Kind, "chat", m.ChatID, "error", truncateError(failure))
		return o.store.Outbox.RefuseMessage(ctx, m, false, failure.Error(), o.now())
	case errors.As(failure, &tooMany):
		o.log.WarnContext(ctx, "sending paused by Telegram", "message", m.ID, "seconds", tooMany.RetryAfter)
		until := o.pause.begin(tooMany)
		return o.store.Outbox.PostponeMessage(ctx, m, until)
	}
	dead, err := o.store.Outbox.FailMessage(ctx, m, failure.Error(), o.now())
	if dead {
		o.log.ErrorContext(ctx, "message dead", "message", m.ID, "kind", m.Kind, "chat", m.ChatID, "error", truncateError(failure))
		if m.Kind == models.StarRefund {
			err = errors.Join(err, o.noticeFailedRefund(ctx, m, failure))
		}
	} else {
		o.log.WarnContext(ctx, "message failed, will be retried", "message", m.ID, "try", m.Tries, "error", truncateError(failure))
	}
	return err
}

// noticeFailedRefund tells the admins of a refund that Telegram does not make.
func (o *delivery) noticeFailedRefund(ctx context.Context, m models.Message, failure error) error {
	text := fmt.Sprintf("Telegram did not refund the charge %s: %s. To ask again: /stars refund", m.Params["charge"], truncateError(failure))
	return o.store.Outbox.NoticeAdmins(ctx, fmt.Sprintf("refund failed %d", m.ID), text, models.UrgencyAlarm, o.settings.AdminIDs, o.now())
}

// originalGone reports whether the message that a broadcast copies was deleted.
func originalGone(m models.Message, failure error) bool {
	return m.BroadcastID != nil && errors.Is(failure, telegram.ErrorBadRequest) && strings.Contains(failure.Error(), "message to copy not found")
}

// refusesVoice reports whether the recipient takes no voice or video messages, which a broadcast may copy.
func refusesVoice(m models.Message, failure error) bool {
	return m.BroadcastID != nil && errors.Is(failure, telegram.ErrorBadRequest) && strings.Contains(failure.Error(), "VOICE_MESSAGES_FORBIDDEN")
}

// errCopy marks a failed copy, where "chat not found" may mean the original's author.
var errCopy = errors.New("copy a message")

// unreachable are Telegram's reasons why a recipient gets no message until they write to the bot again. Most come as 403, but each
// was also observed as 400, in words or as a CODE_LIKE_THIS.
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
