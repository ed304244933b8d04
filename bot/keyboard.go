package bot

import tg "github.com/go-telegram/bot/models"

// keyboard is an inline keyboard, row by row. The library's own type would send with each button an empty text to be copied,
// which Telegram may refuse.
type keyboard struct {
	Rows [][]button `json:"inline_keyboard"`
}

// button does one thing: it sends its data to the bot, or opens a web app.
type button struct {
	Text         string         `json:"text"`
	CallbackData string         `json:"callback_data,omitempty"`
	WebApp       *tg.WebAppInfo `json:"web_app,omitempty"`
}
