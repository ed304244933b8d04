package config

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"mcbk/ton"
)

var errMalformed = errors.New("malformed")

var (
	tokenShape  = regexp.MustCompile(`^[0-9]{1,20}:[A-Za-z0-9_-]{3,}$`)
	secretShape = regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`)
	appShape    = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)
	hostShape   = regexp.MustCompile(`^https?://[A-Za-z0-9.*-]+(:[0-9]+)?$`)
	netShape    = regexp.MustCompile(`^(mainnet|testnet)$`)
	adsShape    = regexp.MustCompile(`^(s2s|client)$`)
	logShape    = regexp.MustCompile(`^(json|text)$`)
	nameShape   = regexp.MustCompile(`^(\*\.)?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+(:[0-9]+)?$`)
)

// Token is a bot token; it is also the key of launch data.
type Token string

// UnmarshalText checks only the form.
func (t *Token) UnmarshalText(text []byte) error { return shaped((*string)(t), text, tokenShape) }

// Secret is the webhook's shared secret.
type Secret string

// UnmarshalText accepts what setWebhook accepts.
func (s *Secret) UnmarshalText(text []byte) error { return shaped((*string)(s), text, secretShape) }

// URL is an absolute http or https address, unchanged.
type URL string

// UnmarshalText accepts an absolute http(s) address without a user or fragment.
func (u *URL) UnmarshalText(text []byte) error {
	_, err := absolute(text)
	*u = URL(text)
	return err
}

// LinkBase is the prefix of payment links: a BaseURL, or a wallet's scheme.
type LinkBase string

// walletSchemes are the schemes that the mini-app opens (webapp/src/telegram/links.ts).
var walletSchemes = []string{"ton://", "tonkeeper://", "keeper://"}

// UnmarshalText accepts a BaseURL, or a wallet's scheme with nothing after it.
func (l *LinkBase) UnmarshalText(text []byte) error {
	if slices.Contains(walletSchemes, string(text)) {
		*l = LinkBase(text)
		return nil
	}
	var base BaseURL
	err := base.UnmarshalText(text)
	*l = LinkBase(base)
	return err
}

// BaseURL is a URL without a query or trailing slash, to which paths are appended.
type BaseURL string

// UnmarshalText accepts an absolute http(s) address without a user, query or fragment.
func (u *BaseURL) UnmarshalText(text []byte) error {
	parsed, err := absolute(text)
	if err != nil || parsed.RawQuery != "" || parsed.ForceQuery {
		return errMalformed
	}
	*u = BaseURL(strings.TrimRight(string(text), "/"))
	return nil
}

func absolute(text []byte) (*url.URL, error) {
	parsed, err := url.Parse(string(text))
	if err != nil || (parsed.Scheme != "https" && parsed.Scheme != "http") || parsed.Host == "" ||
		parsed.User != nil || strings.Contains(string(text), "#") || !possiblePort(parsed) || !isASCII(parsed.Host) {
		return nil, errMalformed
	}
	return parsed, nil
}

// isASCII reports whether a host is in the form that browsers and wallets sign: xn--… for an international name.
func isASCII(host string) bool {
	return !strings.ContainsFunc(host, func(r rune) bool { return r > unicode.MaxASCII })
}

// possiblePort reports whether an address has no port or a valid one.
func possiblePort(address *url.URL) bool {
	if address.Port() == "" {
		return !strings.HasSuffix(address.Host, ":")
	}
	port, err := strconv.ParseUint(address.Port(), 10, 16)
	return err == nil && port > 0
}

// Path is the address's path, at least "/"; "" without an address.
func (u BaseURL) Path() string {
	parsed, err := url.Parse(string(u))
	if u == "" || err != nil {
		return ""
	}
	return "/" + strings.TrimPrefix(parsed.Path, "/")
}

// takesUpdates reports whether the public Bot API posts updates there: https, on one of four ports.
func (u BaseURL) takesUpdates() bool {
	parsed, err := url.Parse(string(u))
	return err == nil && parsed.Scheme == "https" && slices.Contains([]string{"", "443", "80", "88", "8443"}, parsed.Port())
}

func (u BaseURL) loopback() bool {
	parsed, err := url.Parse(string(u))
	if err != nil {
		return false
	}
	addr, err := netip.ParseAddr(parsed.Hostname())
	return parsed.Hostname() == "localhost" || err == nil && addr.IsLoopback()
}

func (u BaseURL) secure() bool {
	return strings.HasPrefix(string(u), "https://") || u.loopback()
}

// IDs are Telegram user IDs.
type IDs []int64

// UnmarshalText reads positive numbers separated by commas.
func (ids *IDs) UnmarshalText(text []byte) error {
	for _, part := range listed(string(text)) {
		id, err := strconv.ParseInt(part, 10, 64)
		if err != nil || id <= 0 {
			return errMalformed
		}
		*ids = append(*ids, id)
	}
	return nil
}

// AppName is an app's name in lists of wallets.
type AppName string

// UnmarshalText accepts letters, digits, dots, dashes and underscores.
func (n *AppName) UnmarshalText(text []byte) error { return shaped((*string)(n), text, appShape) }

// Address is host:port; the host may be missing.
type Address string

// UnmarshalText accepts a port from 0 (any free one) to 65535.
func (a *Address) UnmarshalText(text []byte) error {
	_, port, err := net.SplitHostPort(string(text))
	if err != nil {
		return err
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return err
	}
	*a = Address(text)
	return nil
}

// DatabaseURL names a SQLite file or a PostgreSQL database.
type DatabaseURL string

// UnmarshalText accepts sqlite:PATH, postgres:// and postgresql://.
func (d *DatabaseURL) UnmarshalText(text []byte) error {
	s := string(text)
	path, isFile := strings.CutPrefix(s, "sqlite:")
	switch {
	case isFile && path != "" && !strings.HasPrefix(path, "file:") && !strings.Contains(path, "://") && !strings.ContainsAny(path, "?#"): // SQLite reads file: as a URL
	case strings.HasPrefix(s, "postgres://"), strings.HasPrefix(s, "postgresql://"):
		if parsed, err := url.Parse(s); err != nil || len(parsed.Path) < len("/x") || !escapedPassword(s) { // the database must be named
			return errMalformed
		}
	default:
		return errMalformed
	}
	*d = DatabaseURL(s)
	return nil
}

// escapedPassword reports whether the end of an address's password is unambiguous: at most one @, before the path, and no fragment.
func escapedPassword(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	server, after, _ := strings.Cut(rest, "/")
	return strings.Count(server, "@") <= 1 && !strings.Contains(after, "@") && !strings.Contains(rest, "#")
}

// RedisURL names a Redis server.
type RedisURL string

// UnmarshalText accepts redis:// and rediss://.
func (r *RedisURL) UnmarshalText(text []byte) error {
	parsed, err := url.Parse(string(text))
	if err != nil || (parsed.Scheme != "redis" && parsed.Scheme != "rediss") || parsed.Host == "" || !possiblePort(parsed) || !escapedPassword(string(text)) {
		return errMalformed
	}
	*r = RedisURL(text)
	return nil
}

// Date is a time in UTC; the zero Date means none.
type Date struct{ time.Time }

// UnmarshalText reads 2026-01-31 as that day's start in UTC, or a full RFC 3339 time of whole seconds.
func (d *Date) UnmarshalText(text []byte) error {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		at, err := time.Parse(layout, string(text))
		if err == nil && at.Nanosecond() == 0 && at.Year() >= 2020 && at.Year() < 2200 { // fractions would be truncated
			d.Time = at.UTC()
			return nil
		}
	}
	return errMalformed
}

// Network is the TON network.
type Network string

// UnmarshalText accepts mainnet and testnet.
func (n *Network) UnmarshalText(text []byte) error { return shaped((*string)(n), text, netShape) }

// AdsMode is who confirms an ad: the network (s2s) or the app (client).
type AdsMode string

// UnmarshalText accepts s2s and client.
func (m *AdsMode) UnmarshalText(text []byte) error { return shaped((*string)(m), text, adsShape) }

// LogFormat is json or text; empty means text on a terminal, else json.
type LogFormat string

// UnmarshalText accepts json and text.
func (f *LogFormat) UnmarshalText(text []byte) error { return shaped((*string)(f), text, logShape) }

// URLs are several addresses.
type URLs []string

// UnmarshalText reads addresses separated by commas.
func (u *URLs) UnmarshalText(text []byte) error {
	for _, part := range listed(string(text)) {
		var one URL
		if err := one.UnmarshalText([]byte(part)); err != nil {
			return err
		}
		*u = append(*u, part)
	}
	return nil
}

// Hosts are sources for a content security policy.
type Hosts []string

// UnmarshalText reads entries like https://host or host.name, which means https, separated by spaces or commas.
func (h *Hosts) UnmarshalText(text []byte) error {
	for _, part := range listed(strings.Join(strings.Fields(string(text)), ",")) {
		if nameShape.MatchString(part) {
			part = "https://" + part
		}
		if !hostShape.MatchString(part) {
			return errMalformed
		}
		*h = append(*h, part)
	}
	return nil
}

// Rate is requests a second; 0 means no limit.
type Rate int

// UnmarshalText reads a whole number from 0.
func (r *Rate) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 31)
	if err != nil {
		return err
	}
	*r = Rate(n)
	return nil
}

// Prefixes are networks of trusted proxies.
type Prefixes []netip.Prefix

// UnmarshalText reads CIDRs separated by commas.
func (p *Prefixes) UnmarshalText(text []byte) error {
	for _, part := range listed(string(text)) {
		prefix, err := netip.ParsePrefix(part)
		if err != nil {
			return err
		}
		if prefix.Addr().Is4In6() {
			prefix = netip.PrefixFrom(prefix.Addr().Unmap(), prefix.Bits()-96)
		}
		if !prefix.IsValid() {
			return errMalformed
		}
		*p = append(*p, prefix)
	}
	return nil
}

// TONAddress is an address of either network, in raw or friendly form, with a valid checksum.
type TONAddress string

// UnmarshalText refuses an invalid address; Config.check checks its network.
func (a *TONAddress) UnmarshalText(text []byte) error {
	if _, err := ton.ParseAddress(string(text), ton.Testnet); err != nil {
		return errMalformed
	}
	*a = TONAddress(text)
	return nil
}

// isOf reports whether an address, if there is one, may belong to a network.
func (a TONAddress) isOf(network Network) bool {
	_, err := ton.ParseAddress(string(a), ton.Network(network))
	return a == "" || err == nil
}

func shaped(into *string, text []byte, shape *regexp.Regexp) error {
	if !shape.Match(text) {
		return errMalformed
	}
	*into = string(text)
	return nil
}

// listed returns the trimmed, non-empty parts of a comma-separated list.
func listed(s string) (parts []string) {
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}
