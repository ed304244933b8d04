package telegram

import (
	"net"
	"net/url"
	"strings"
)

// keyboard is reply_markup, of which only inline keyboards are known.
func (p params) keyboard() (*Inline, error) {
	var keys Inline
	if err := p.object("reply_markup", &keys); err != nil || len(keys.Rows) == 0 {
		return nil, err
	}
	return &keys, checkInline(keys.Rows)
}

func checkInline(rows [][]InlineButton) error {
	for _, row := range rows {
		for _, b := range row {
			switch {
			case b.Text == "":
				return badRequest("inline keyboard button text must be non-empty")
			case b.WebApp != nil:
				if err := checkWebApp("inline keyboard button", b.WebApp.URL); err != nil {
					return err
				}
			case b.URL != "":
				u, err := url.Parse(b.URL)
				if err != nil || u.Host == "" && u.Scheme != "tg" {
					return badRequest("inline keyboard button URL '%s' is invalid: Wrong HTTP URL", b.URL)
				}
			case b.Data != "":
				if len(b.Data) > 64 {
					return badRequest("BUTTON_DATA_INVALID")
				}
			default:
				return badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
			}
		}
	}
	return nil
}

// checkWebApp requires https, like Telegram, except on this machine.
func checkWebApp(what, address string) error {
	u, err := url.Parse(address)
	if err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname())) {
		return nil
	}
	return badRequest("%s Web App URL '%s' is invalid: Only HTTPS links are allowed", what, address)
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
