module mcbk-sandbox

go 1.26

require (
	github.com/go-telegram/bot v1.19.0
	github.com/telegram-mini-apps/init-data-golang v1.5.0
)
