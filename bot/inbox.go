package bot

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"mcbk/models"
	"mcbk/models/store"
)

// maxUpdate is the largest webhook body. (decision 0004: limits)
const maxUpdate = 1 << 20

// inbox receives updates from Telegram, by its webhook or by polling, and stores them until they are answered.
type inbox struct {
	settings Settings
	store    *store.Store
	now      func() time.Time
	log      *slog.Logger
	http     *http.Client  // waits as long as a poll may take
	arrived  chan struct{} // wakes the workers
}

// webhook is Bot.Webhook.
func (i *inbox) webhook() http.Handler {
	want := sha256.Sum256([]byte(i.settings.WebhookSecret))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got := sha256.Sum256([]byte(r.Header.Get("X-Telegram-Bot-Api-Secret-Token")))
		if i.settings.WebhookSecret == "" || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			writeError(w, http.StatusUnauthorized, "unauthorized", "Wrong secret")
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxUpdate))
		if errors.As(err, new(*http.MaxBytesError)) {
			writeError(w, http.StatusRequestEntityTooLarge, "body_too_large", "The request is too large")
			return
		}
		if err != nil {
			writeError(w, http.StatusBadRequest, "validation_failed", "The body did not arrive")
			return
		}
		update, ok := parseUpdate(body)
		if !ok {
			i.log.WarnContext(r.Context(), "an update cannot be read and is dropped", "bytes", len(body))
			return // sending it again would not help
		}
		if err := i.receive(r.Context(), update); err != nil {
			i.log.WarnContext(r.Context(), "an update was not kept, Telegram will repeat it", "update", update.UpdateID, "error", truncateError(err))
			writeError(w, http.StatusServiceUnavailable, "try_again", "Try again")
		}
	})
}

// writeError answers in the format of every refusal of this program.
func writeError(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	// If the write fails nobody is listening any more.
	_ = json.NewEncoder(w).Encode(map[string]string{
		"code": code, "message": message, "requestId": w.Header().Get("X-Request-Id"),
	})
}

// receive stores updates in the inbox and wakes a worker.
func (i *inbox) receive(ctx context.Context, updates ...models.BotUpdate) error {
	fresh, err := i.store.Outbox.ReceiveUpdates(ctx, updates, i.now())
	if fresh > 0 {
		i.wake()
	}
	return err
}

func (i *inbox) wake() {
	select {
	case i.arrived <- struct{}{}:
	default:
	}
}

// parseUpdate reads as much of an update as the inbox needs: its number and its chat. The rest is read when it is answered. ok is
// false if it has no number.
func parseUpdate(body []byte) (u models.BotUpdate, ok bool) {
	type chat struct {
		Chat struct {
			ID int64 `json:"id"`
		} `json:"chat"`
	}
	var head struct {
		UpdateID      int64 `json:"update_id"`
		Message       chat  `json:"message"`
		MyChatMember  chat  `json:"my_chat_member"`
		CallbackQuery struct {
			From struct {
				ID int64 `json:"id"`
			} `json:"from"`
			Message chat `json:"message"`
		} `json:"callback_query"`
	}
	err := json.Unmarshal(body, &head)
	if errors.As(err, new(*json.UnmarshalTypeError)) {
		err = nil // a field has another type; the rest was read
	}
	if err != nil || head.UpdateID <= 0 {
		return models.BotUpdate{}, false
	}
	u = models.BotUpdate{UpdateID: head.UpdateID, Body: body}
	for _, id := range []int64{
		head.Message.Chat.ID, head.CallbackQuery.Message.Chat.ID, head.CallbackQuery.From.ID, head.MyChatMember.Chat.ID,
	} {
		if id != 0 {
			u.ChatID = id
			break
		}
	}
	return u, true
}
