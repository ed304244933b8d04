package bot

import (
	"encoding/json"
	"errors"
	"strings"

	tg "github.com/go-telegram/bot/models"

	"mcbk/models"
)

// decodeUpdate decodes only the fields that the bot uses: Telegram adds kinds of origins, members and attachments, and the library's
// types fail on an unknown kind.
func decodeUpdate(body []byte) (*tg.Update, error) {
	var in struct {
		UpdateID      int64    `json:"update_id"`
		Message       *message `json:"message"`
		ChannelPost   *message `json:"channel_post"`
		CallbackQuery *struct {
			ID      string   `json:"id"`
			From    user     `json:"from"`
			Message *message `json:"message"`
			Data    string   `json:"data"`
		} `json:"callback_query"`
		MyChatMember *struct {
			Chat          chat `json:"chat"`
			NewChatMember struct {
				Status tg.ChatMemberType `json:"status"`
			} `json:"new_chat_member"`
		} `json:"my_chat_member"`
	}
	err := json.Unmarshal(body, &in)
	if err != nil && !errors.As(err, new(*json.UnmarshalTypeError)) { // a field of another type stays empty
		return nil, err
	}
	update := &tg.Update{ID: in.UpdateID, Message: in.Message.telegram(), ChannelPost: in.ChannelPost.telegram()}
	if q := in.CallbackQuery; q != nil {
		update.CallbackQuery = &tg.CallbackQuery{ID: q.ID, From: *q.From.telegram(), Data: withoutNUL(q.Data)}
		if q.Message != nil && q.Message.Date != 0 { // a message without a date is too old to be edited
			update.CallbackQuery.Message.Message = q.Message.telegram()
		}
	}
	if m := in.MyChatMember; m != nil {
		update.MyChatMember = &tg.ChatMemberUpdated{Chat: m.Chat.telegram(), NewChatMember: tg.ChatMember{Type: m.NewChatMember.Status}}
	}
	return update, nil
}

type user struct {
	ID           int64  `json:"id"`
	FirstName    string `json:"first_name"`
	LanguageCode string `json:"language_code"`
}

func (u *user) telegram() *tg.User {
	if u == nil {
		return nil
	}
	return &tg.User{ID: u.ID, FirstName: withoutNUL(u.FirstName), LanguageCode: u.LanguageCode}
}

type chat struct {
	ID   int64       `json:"id"`
	Type tg.ChatType `json:"type"`
}

func (c chat) telegram() tg.Chat { return tg.Chat{ID: c.ID, Type: c.Type} }

type message struct {
	ID      int    `json:"message_id"`
	Date    int64  `json:"date"` // Unix seconds
	Chat    chat   `json:"chat"`
	From    *user  `json:"from"`
	Text    string `json:"text"`
	ReplyTo *struct {
		ID   int  `json:"message_id"`
		Chat chat `json:"chat"`
	} `json:"reply_to_message"`
	SuccessfulPayment *payment `json:"successful_payment"`
	RefundedPayment   *payment `json:"refunded_payment"`
	ForwardOrigin     any      `json:"forward_origin"` // only its presence counts
	ViaBot            any      `json:"via_bot"`
}

// payment is a service message: Stars were paid, or given back.
type payment struct {
	Currency string `json:"currency"`
	Stars    int    `json:"total_amount"`
	Payload  string `json:"invoice_payload"`
	ChargeID string `json:"telegram_payment_charge_id"`
}

func (m *message) telegram() *tg.Message {
	if m == nil {
		return nil
	}
	out := &tg.Message{ID: m.ID, Date: int(m.Date), Chat: m.Chat.telegram(), From: m.From.telegram(), Text: withoutNUL(m.Text)}
	if m.ReplyTo != nil {
		out.ReplyToMessage = &tg.Message{ID: m.ReplyTo.ID, Chat: m.ReplyTo.Chat.telegram()}
	}
	if p := m.SuccessfulPayment; p != nil && p.Currency == string(models.CurrencyStars) {
		out.SuccessfulPayment = &tg.SuccessfulPayment{TotalAmount: p.Stars, InvoicePayload: withoutNUL(p.Payload), TelegramPaymentChargeID: p.ChargeID}
	}
	if p := m.RefundedPayment; p != nil && p.Currency == string(models.CurrencyStars) {
		out.RefundedPayment = &tg.RefundedPayment{TotalAmount: p.Stars, InvoicePayload: withoutNUL(p.Payload), TelegramPaymentChargeID: p.ChargeID}
	}
	if m.ForwardOrigin != nil {
		out.ForwardOrigin = &tg.MessageOrigin{}
	}
	if m.ViaBot != nil {
		out.ViaBot = &tg.User{}
	}
	return out
}

// withoutNUL drops NUL, which PostgreSQL cannot store.
func withoutNUL(text string) string { return strings.ReplaceAll(text, "\x00", "") }
