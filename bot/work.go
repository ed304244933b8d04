package bot

import (
	"context"
	"errors"
	"fmt"
	"time"

	telegram "github.com/go-telegram/bot"
	tg "github.com/go-telegram/bot/models"

	"mcbk/models"
)

const (
	workers     = 4                // answers under way at once; those of one chat come one after the other
	idle        = time.Second      // between two looks for updates that other processes received
	handleTime  = 10 * time.Second // for all calls of one update; a shutdown waits for it
	storageTime = 5 * time.Second  // for a transaction of the inbox
)

// work answers one update after another until ctx ends; it finishes the one in hand.
func (b *Bot) work(ctx context.Context) {
	for ctx.Err() == nil {
		if b.workOnce(context.WithoutCancel(ctx)) {
			continue
		}
		timer := time.NewTimer(idle)
		select {
		case <-ctx.Done():
		case <-b.arrived:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// workOnce answers the next update; false if none is due.
func (b *Bot) workOnce(ctx context.Context) bool {
	if !b.mayTalk(ctx) {
		return false
	}
	update, err := b.take(ctx)
	if err != nil || update == nil {
		return false
	}
	b.wake() // the one after it may be another worker's
	err = b.handle(ctx, *update)
	if err := b.settle(ctx, *update, err); err != nil {
		b.log.WarnContext(ctx, "an update's end was not kept, it will come again", "update", update.UpdateID, "error", short(err))
	}
	return true
}

// take gets the next update, and logs once when the inbox becomes unreachable or is back.
func (b *Bot) take(ctx context.Context) (*models.BotUpdate, error) {
	ctx, cancel := context.WithTimeout(ctx, storageTime)
	defer cancel()
	update, err := b.store.TakeUpdate(ctx, b.now())
	switch was := b.away.Swap(err != nil); {
	case err != nil && !was:
		b.log.WarnContext(ctx, "the inbox cannot be read", "error", short(err))
	case err == nil && was:
		b.log.InfoContext(ctx, "the inbox can be read again")
	}
	return update, err
}

// outcomeKey is the context key under which a handler leaves its error: the library's handlers return none.
type outcomeKey struct{}

// answer reacts to an update; its error decides whether the update comes again.
type answer func(ctx context.Context, update *tg.Update) error

// reported turns an answer into a handler of the library.
func reported(a answer) telegram.HandlerFunc {
	return func(ctx context.Context, _ *telegram.Bot, update *tg.Update) {
		if outcome, ok := ctx.Value(outcomeKey{}).(*error); ok {
			*outcome = a(ctx, update)
		}
	}
}

// handle answers one update; a panic is an error like any other.
func (b *Bot) handle(ctx context.Context, u models.BotUpdate) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	update, err := decodeUpdate(u.Body)
	if err != nil {
		b.log.WarnContext(ctx, "update cannot be decoded", "update", u.UpdateID, "error", short(err))
		return nil // no later try can decode it
	}
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, outcomeKey{}, &err), handleTime)
	defer cancel()
	if err := b.noteReach(ctx, update); err != nil {
		return err
	}
	b.client.ProcessUpdate(ctx, update)
	return err
}

// noteReach stores whether the bot may write to the sender of an update: whoever writes or presses a button lets it, and Telegram
// tells when somebody blocks or unblocks it.
func (b *Bot) noteReach(ctx context.Context, update *tg.Update) error {
	var (
		person    int64
		reachable = true
	)
	switch change := update.MyChatMember; {
	case isPrivate(update.Message):
		person = update.Message.From.ID
	case update.CallbackQuery != nil && update.CallbackQuery.Message.Message != nil &&
		update.CallbackQuery.Message.Message.Chat.Type == tg.ChatTypePrivate:
		person = update.CallbackQuery.From.ID
	case change != nil && change.Chat.Type == tg.ChatTypePrivate:
		person, reachable = change.Chat.ID, change.NewChatMember.Type != tg.ChatMemberTypeBanned
	}
	if person <= 0 {
		return nil
	}
	if err := b.store.SetReach(ctx, person, reachable, b.now()); err != nil {
		return fmt.Errorf("note that %d can be reached or not: %w", person, err)
	}
	return nil
}

// settle records how handling an update ended.
func (b *Bot) settle(ctx context.Context, u models.BotUpdate, failure error) error {
	ctx, cancel := context.WithTimeout(ctx, storageTime)
	defer cancel()
	var tooMany *telegram.TooManyRequestsError
	switch {
	case failure == nil, isUnreachable(failure):
		return b.store.FinishUpdate(ctx, u, b.now())
	case errors.Is(failure, telegram.ErrorBadRequest):
		b.log.ErrorContext(ctx, "Telegram refused an answer", "update", u.UpdateID, "chat", u.ChatID, "error", short(failure))
		return b.store.FinishUpdate(ctx, u, b.now())
	case errors.As(failure, &tooMany):
		b.log.WarnContext(ctx, "Telegram asks for silence", "update", u.UpdateID, "seconds", tooMany.RetryAfter)
		until := b.fallSilent(tooMany)
		return errors.Join(b.store.FallSilent(ctx, until), b.store.PostponeUpdate(ctx, u, until))
	}
	dead, err := b.store.FailUpdate(ctx, u, failure.Error(), b.now())
	if dead {
		b.log.ErrorContext(ctx, "an update is given up", "update", u.UpdateID, "chat", u.ChatID, "error", short(failure))
	} else {
		b.log.WarnContext(ctx, "an update will be tried again", "update", u.UpdateID, "try", u.Tries, "error", short(failure))
	}
	return err
}
