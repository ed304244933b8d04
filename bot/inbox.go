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
	"sync"
	"time"

	"mcbk/models"
	"mcbk/models/store"
)

// maxUpdate is the largest webhook body (decision 0004: limits).
const maxUpdate = 1 << 20

// inbox stores updates from Telegram's webhook or polling until they are handled.
type inbox struct {
	settings Settings
	store    *store.Store
	now      func() time.Time
	log      *slog.Logger
	http     *http.Client  // its timeout exceeds a long poll
	arrived  chan struct{} // wakes the workers

	checkouts sync.WaitGroup // that polling has begun to answer
	answer    func(ctx context.Context, c checkout) (approved bool, err error)
}

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
		update, checkout, ok := parseUpdate(body)
		if !ok {
			i.log.WarnContext(r.Context(), "update dropped: malformed", "bytes", len(body))
			return // a retry would not help
		}
		if checkout != nil {
			i.answerCheckout(r.Context(), *checkout)
			return // asked again, Telegram would have waited too long
		}
		if err := i.receive(r.Context(), update); err != nil {
			i.log.WarnContext(r.Context(), "save update", "update", update.UpdateID, "error", truncateError(err))
			writeError(w, http.StatusServiceUnavailable, "try_again", "Try again")
		}
	})
}

// writeError responds in the API's error format.
func writeError(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	// A failed write means that the client is gone.
	_ = json.NewEncoder(w).Encode(map[string]string{
		"code": code, "message": message, "requestId": w.Header().Get("X-Request-Id"),
	})
}

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

// parseUpdate returns an update as it is stored, and its checkout, if it is one. ok is false without a number.
func parseUpdate(body []byte) (u models.BotUpdate, c *checkout, ok bool) {
	in, err := decodeUpdate(body)
	if err != nil || in.UpdateID <= 0 {
		return models.BotUpdate{}, nil, false
	}
	return models.BotUpdate{UpdateID: in.UpdateID, ChatID: in.chatID(), Body: body}, in.PreCheckoutQuery, true
}
