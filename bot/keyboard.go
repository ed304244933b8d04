package bot

import tg "github.com/go-telegram/bot/models"

// keyboard is an inline keyboard, row by row. The library's type would send an empty copy_text with each button, which Telegram may
// refuse.
type keyboard struct {
	Rows [][]button `json:"inline_keyboard"`
}

// button sends its data to the bot, or opens a web app.
type button struct {
	Text         string         `json:"text"`
	CallbackData string         `json:"callback_data,omitempty"`
	WebApp       *tg.WebAppInfo `json:"web_app,omitempty"`
}
