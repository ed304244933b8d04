package bot

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"

	tg "github.com/go-telegram/bot/models"

	"mcbk/models"
)

// update has only the fields that the bot uses: Telegram adds kinds of origins, members and attachments, and the library's types fail
// on an unknown kind.
type update struct {
	UpdateID      int64          `json:"update_id"`
	Message       *message       `json:"message"`
	ChannelPost   *message       `json:"channel_post"`
	CallbackQuery *callbackQuery `json:"callback_query"`
	MyChatMember  struct {
		Chat          chat `json:"chat"`
		NewChatMember struct {
			Status tg.ChatMemberType `json:"status"`
		} `json:"new_chat_member"`
	} `json:"my_chat_member"`
	PreCheckoutQuery *checkout `json:"pre_checkout_query"`
}

// decodeUpdate decodes an update. A field of another type stays empty.
func decodeUpdate(body []byte) (*update, error) {
	u := new(update)
	if err := json.Unmarshal(body, u); err != nil && !errors.As(err, new(*json.UnmarshalTypeError)) {
		return nil, err
	}
	return u, nil
}

// chatID returns the chat in whose order an update is handled; 0 without one.
func (u *update) chatID() int64 {
	var sent, pressed, presser int64
	if u.Message != nil {
		sent = u.Message.Chat.ID
	}
	if q := u.CallbackQuery; q != nil {
		pressed, presser = q.Message.Chat.ID, q.From.ID
	}
	return cmp.Or(sent, pressed, presser, u.MyChatMember.Chat.ID)
}

// callbackQuery is a press on a button.
type callbackQuery struct {
	ID      string   `json:"id"`
	From    user     `json:"from"`
	Message message  `json:"message"`
	Data    userText `json:"data"`
}

// editableMessage returns the message of the button; nil without a date: it is too old to be edited.
func (q *callbackQuery) editableMessage() *message {
	if q.Message.Date == 0 {
		return nil
	}
	return &q.Message
}

type user struct {
	ID           int64    `json:"id"`
	FirstName    userText `json:"first_name"`
	LanguageCode string   `json:"language_code"`
}

type chat struct {
	ID   int64       `json:"id"`
	Type tg.ChatType `json:"type"`
}

type message struct {
	ID      int      `json:"message_id"`
	Date    int64    `json:"date"` // Unix seconds
	Chat    chat     `json:"chat"`
	From    *user    `json:"from"`
	Text    userText `json:"text"`
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
	Currency string   `json:"currency"`
	Stars    int64    `json:"total_amount"`
	Payload  userText `json:"invoice_payload"`
	ChargeID string   `json:"telegram_payment_charge_id"`
}

// inStars reports whether a payment is in Stars; false without one.
func (p *payment) inStars() bool { return p != nil && p.Currency == string(models.CurrencyStars) }

// userText is written by people. It drops NUL, which PostgreSQL cannot store.
type userText string

// UnmarshalJSON leaves the text empty if the value is none: an error would end the decoding of the whole update.
func (t *userText) UnmarshalJSON(value []byte) error {
	var written string
	_ = json.Unmarshal(value, &written)
	*t = userText(strings.ReplaceAll(written, "\x00", ""))
	return nil
}
