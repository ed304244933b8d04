module mcbk-sandbox

go 1.26.0

require (
	github.com/go-telegram/bot v1.19.0
	github.com/telegram-mini-apps/init-data-golang v1.5.0
	github.com/xssnick/tonutils-go v1.18.0
	golang.org/x/crypto v0.53.0
)

require (
	filippo.io/edwards25519 v1.2.0 // indirect
	github.com/bwesterb/go-ristretto v1.2.3 // indirect
	github.com/cloudflare/circl v1.6.4 // indirect
	github.com/pierrec/lz4/v4 v4.1.27 // indirect
	golang.org/x/sys v0.46.0 // indirect
)
