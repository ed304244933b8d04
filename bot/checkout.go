package bot

import (
	"context"
	"errors"
	"fmt"
	"time"

	telegram "github.com/go-telegram/bot"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/stars"
)

// checkout is what Telegram asks before it takes a player's Stars. It waits ten seconds, so the answer does not wait in the inbox.
type checkout struct {
	ID      string   `json:"id"`
	From    user     `json:"from"`
	Stars   int64    `json:"total_amount"`
	Payload userText `json:"invoice_payload"`
}

// checkoutTimeout is for the whole answer; Telegram waits 10 s from when it asked.
const checkoutTimeout = 8 * time.Second

// answerCheckout answers on arrival. Without an answer Telegram takes nothing, and the player tries again.
func (i *inbox) answerCheckout(ctx context.Context, c checkout) {
	ctx, cancel := context.WithTimeout(ctx, checkoutTimeout)
	defer cancel()
	began, end := i.now(), "refused"
	approved, err := i.answer(ctx, c)
	switch {
	case err != nil:
		end = "failed"
		i.log.WarnContext(ctx, "answer a checkout", "payload", truncateInput(string(c.Payload)), "error", truncateError(err))
	case approved:
		end = "approved"
	}
	i.settings.CheckoutDone(end, i.now().Sub(began))
}

// approveCheckout approves a checkout, or says in the payer's language why not.
func (s *sender) approveCheckout(ctx context.Context, c checkout) (approved bool, err error) {
	bounded, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	err = s.store.Stars.ApproveCheckout(bounded, stars.Checkout{Payer: c.From.ID, Stars: game.Stars(c.Stars), Payload: string(c.Payload)}, s.now())
	answer := &telegram.AnswerPreCheckoutQueryParams{PreCheckoutQueryID: c.ID, OK: err == nil}
	if err != nil {
		language := c.From.LanguageCode
		if chosen, unknown := s.languageOf(ctx, &c.From); unknown == nil {
			language = chosen
		}
		answer.ErrorMessage = checkoutRefusal(err).in(language)
	}
	_, failure := s.client.AnswerPreCheckoutQuery(ctx, answer)
	if _, refused := errors.AsType[*game.Refusal](err); refused {
		err = nil // the player has read it
	}
	if failure != nil {
		failure = fmt.Errorf("answerPreCheckoutQuery: %w", failure)
	}
	return answer.OK, errors.Join(err, failure)
}

// checkoutRefusal says why a payment is not taken.
func checkoutRefusal(err error) phrase {
	refusal, ok := errors.AsType[*game.Refusal](err)
	if !ok {
		return texts.checkoutLater
	}
	switch refusal.Code {
	case game.AlreadyClaimed:
		return texts.checkoutPaid
	case models.Expired:
		return texts.checkoutExpired
	case stars.SalesOff:
		return texts.checkoutOff
	case game.UserBlocked:
		return texts.checkoutBanned
	}
	return texts.checkoutUnknown
}
