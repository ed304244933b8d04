package telegram

// The wire types have the Bot API's fields that a game bot uses (https://core.telegram.org/bots/api).

// User is a person or the bot.
type User struct {
	ID           int64  `json:"id"`
	IsBot        bool   `json:"is_bot"`
	FirstName    string `json:"first_name"`
	LastName     string `json:"last_name,omitempty"`
	Username     string `json:"username,omitempty"`
	LanguageCode string `json:"language_code,omitempty"`
	IsPremium    bool   `json:"is_premium,omitempty"`
}

// Chat is a private chat: its id is the player's.
type Chat struct {
	ID        int64  `json:"id"`
	Type      string `json:"type"`
	Title     string `json:"title,omitempty"`
	FirstName string `json:"first_name,omitempty"`
	LastName  string `json:"last_name,omitempty"`
	Username  string `json:"username,omitempty"`
}

// Message is a message in a chat.
type Message struct {
	ID              int64       `json:"message_id"`
	From            User        `json:"from"`
	Chat            Chat        `json:"chat"`
	Date            int64       `json:"date"`
	EditDate        int64       `json:"edit_date,omitempty"`
	ReplyTo         *Message    `json:"reply_to_message,omitempty"`
	Text            string      `json:"text,omitempty"`
	Entities        []Entity    `json:"entities,omitempty"`
	Photo           []PhotoSize `json:"photo,omitempty"`
	Caption         string      `json:"caption,omitempty"`
	CaptionEntities []Entity    `json:"caption_entities,omitempty"`
	ReplyMarkup     *Inline     `json:"reply_markup,omitempty"`
	// WriteAccess marks the notice that the bot may write.
	WriteAccess *WriteAccess `json:"write_access_allowed,omitempty"`
	// SuccessfulPayment and RefundedPayment mark the service messages of payments; both are from the player.
	SuccessfulPayment *StarPayment `json:"successful_payment,omitempty"`
	RefundedPayment   *StarPayment `json:"refunded_payment,omitempty"`
}

// StarPayment is a payment in Stars, or its refund.
type StarPayment struct {
	Currency         string `json:"currency"`
	Amount           int64  `json:"total_amount"`
	Payload          string `json:"invoice_payload"`
	ChargeID         string `json:"telegram_payment_charge_id"`
	ProviderChargeID string `json:"provider_payment_charge_id"` // empty for Stars
}

// PreCheckoutQuery asks the bot whether a payment may be made.
type PreCheckoutQuery struct {
	ID       string `json:"id"`
	From     User   `json:"from"`
	Currency string `json:"currency"`
	Amount   int64  `json:"total_amount"`
	Payload  string `json:"invoice_payload"`
}

// StarTransaction has a source if the bot received Stars, a receiver if it returned them. A refund has its payment's id.
type StarTransaction struct {
	ID       string   `json:"id"`
	Amount   int64    `json:"amount"`
	Date     int64    `json:"date"`
	Source   *Partner `json:"source,omitempty"`
	Receiver *Partner `json:"receiver,omitempty"`
}

// Partner is the player of a transaction.
type Partner struct {
	Type            string `json:"type"`
	TransactionType string `json:"transaction_type"`
	User            User   `json:"user"`
	Payload         string `json:"invoice_payload"`
}

// WriteAccess is the source of the permission to write.
type WriteAccess struct {
	FromRequest bool `json:"from_request,omitempty"` // requested by the mini-app
}

// Entity formats a range of text; offset and length count UTF-16 units.
type Entity struct {
	Type     string `json:"type"`
	Offset   int    `json:"offset"`
	Length   int    `json:"length"`
	URL      string `json:"url,omitempty"`
	Language string `json:"language,omitempty"`
}

// PhotoSize names a stored picture.
type PhotoSize struct {
	FileID       string `json:"file_id"`
	FileUniqueID string `json:"file_unique_id"`
	Width        int    `json:"width"`
	Height       int    `json:"height"`
	FileSize     int    `json:"file_size,omitempty"`
}

// Inline is the keyboard under a message.
type Inline struct {
	Rows [][]InlineButton `json:"inline_keyboard"`
}

// InlineButton opens a URL, sends callback data, or opens the mini-app.
type InlineButton struct {
	Text   string  `json:"text"`
	URL    string  `json:"url,omitempty"`
	Data   string  `json:"callback_data,omitempty"`
	WebApp *WebApp `json:"web_app,omitempty"`
}

// WebApp is the address of a mini-app.
type WebApp struct {
	URL string `json:"url"`
}

// Update is an event for the bot.
type Update struct {
	ID               int64             `json:"update_id"`
	Message          *Message          `json:"message,omitempty"`
	CallbackQuery    *CallbackQuery    `json:"callback_query,omitempty"`
	MyChatMember     *MemberUpdate     `json:"my_chat_member,omitempty"`
	PreCheckoutQuery *PreCheckoutQuery `json:"pre_checkout_query,omitempty"`
}

func (u Update) kind() string {
	switch {
	case u.CallbackQuery != nil:
		return "callback_query"
	case u.MyChatMember != nil:
		return "my_chat_member"
	case u.PreCheckoutQuery != nil:
		return "pre_checkout_query"
	}
	return "message"
}

// CallbackQuery is a press on an inline button with data.
type CallbackQuery struct {
	ID           string   `json:"id"`
	From         User     `json:"from"`
	Message      *Message `json:"message,omitempty"`
	ChatInstance string   `json:"chat_instance"`
	Data         string   `json:"data"`
}

// MemberUpdate notifies the bot of a block or unblock.
type MemberUpdate struct {
	Chat Chat   `json:"chat"`
	From User   `json:"from"`
	Date int64  `json:"date"`
	Old  Member `json:"old_chat_member"`
	New  Member `json:"new_chat_member"`
}

// Member is a user's membership of a chat.
type Member struct {
	Status    string `json:"status"`
	User      User   `json:"user"`
	IsMember  *bool  `json:"is_member,omitempty"`
	UntilDate *int64 `json:"until_date,omitempty"`
}

// Command is one entry of the bot's menu.
type Command struct {
	Command     string `json:"command"`
	Description string `json:"description"`
}

// MenuButton is the button left of the text field.
type MenuButton struct {
	Type   string  `json:"type"`
	Text   string  `json:"text,omitempty"`
	WebApp *WebApp `json:"web_app,omitempty"`
}

// Answer is the bot's response to a callback query.
type Answer struct {
	QueryID string `json:"callback_query_id"`
	Text    string `json:"text"`
	Alert   bool   `json:"show_alert"`
	URL     string `json:"url,omitempty"`
}
