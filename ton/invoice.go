package ton

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"mcbk/game"
)

// Invoice is a payment request to a player.
type Invoice struct {
	To      Address
	Amount  game.Nanoton
	Comment string
	// Expires is when wallets should refuse to sign; the zero time sets none. Some wallets ignore it: an invoice may be paid at any time.
	Expires time.Time
}

// Link returns <base>/transfer/<address>?amount=<nanoton>&text=<comment>&exp=<unix seconds>. base belongs to a wallet app:
// https://wallet.example or a scheme such as ton://.
func (i Invoice) Link(base string, n Network) string {
	if !strings.HasSuffix(base, "://") {
		base = strings.TrimRight(base, "/") + "/"
	}
	link := base + "transfer/" + i.To.Friendly(n) + "?amount=" + strconv.FormatInt(int64(i.Amount), 10) +
		"&text=" + strings.ReplaceAll(url.QueryEscape(i.Comment), "+", "%20") // wallets read + as a plus
	if !i.Expires.IsZero() {
		link += "&exp=" + strconv.FormatInt(i.Expires.Unix(), 10)
	}
	return link
}
