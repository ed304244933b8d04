package tasks

import (
	"net/netip"
	"net/url"
	"regexp"
	"strings"
)

// longestLink is the longest link that the API contract allows, bytes.
const longestLink = 2048

// IsPublicLink reports whether a link may be shown to players to be opened: https, to a host name, without a user or a port.
func IsPublicLink(link string) bool {
	at, err := url.Parse(link)
	if err != nil || strings.Contains(at.Hostname(), "..") {
		return false
	}
	if _, err := netip.ParseAddr(at.Hostname()); err == nil { // a number is no name
		return false
	}
	return strings.HasPrefix(link, "https://") && len(link) <= longestLink && at.User == nil && at.Port() == "" && at.Opaque == "" &&
		strings.Contains(strings.Trim(at.Hostname(), "."), ".")
}

// publicChannel matches the names that Telegram gives channels: at least five characters, or four where the name was bought.
var publicChannel = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{3,31}$`)

// ChannelLink returns the link of a public channel, given as @channel or by its link; ok is false for anything else.
func ChannelLink(channel string) (link string, ok bool) {
	name, named := strings.CutPrefix(channel, "@")
	if !named {
		name, named = strings.CutPrefix(channel, "https://t.me/")
	}
	return "https://t.me/" + name, named && publicChannel.MatchString(name)
}

// ChannelName returns the name that Telegram is asked about: @channel, from a link that ChannelLink gave.
func ChannelName(link string) string { return "@" + strings.TrimPrefix(link, "https://t.me/") }
