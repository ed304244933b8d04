package tasks_test

import (
	"strings"
	"testing"

	"mcbk/models/tasks"
)

func TestOnlySafeLinksAreShown(t *testing.T) {
	for _, link := range []string{"https://exchange.example/join?a=b#c", "https://t.me/mcbk_news"} {
		if !tasks.IsPublicLink(link) {
			t.Errorf("%s is refused", link)
		}
	}
	for _, link := range []string{
		"", "javascript:alert(1)", "JavaScript:alert(1)//https://a.example", "http://exchange.example", "//evil.example", "/join", "evil.example",
		"https://a:b@exchange.example", "https://exchange.example:8443/", "https://localhost/", "https:evil.example", "data:text/html,hi",
		"tg://resolve?domain=x", "HTTPS://exchange.example", "https://127.0.0.1/x", "https://[::1]/", "https://a..example", "https://exchange.example/" + strings.Repeat("a", 2048),
		"https://", "https://%zz.example", " https://a.example",
	} {
		if tasks.IsPublicLink(link) {
			t.Errorf("%s is accepted", link)
		}
	}
}

func TestChannelIsNamedInTwoWays(t *testing.T) {
	for _, name := range []string{"mcbk_news", "mcbk"} {
		for _, channel := range []string{"@" + name, "https://t.me/" + name} {
			if link, ok := tasks.ChannelLink(channel); !ok || link != "https://t.me/"+name || tasks.ChannelName(link) != "@"+name {
				t.Errorf("%s is %s, %t", channel, link, ok)
			}
		}
	}
	for _, channel := range []string{
		"", "mcbk_news", "@a", "@abc", "@1news", "https://t.me/+invitation", "https://t.me/mcbk_news/1", "https://t.me/mcbk_news?x=1", "http://t.me/mcbk_news",
		"https://evil.example/mcbk_news", "https://t.me.evil.example/mcbk", "@" + strings.Repeat("a", 33), "https://t.me/@mcbk_news",
	} {
		if link, ok := tasks.ChannelLink(channel); ok {
			t.Errorf("%s is %s", channel, link)
		}
	}
}
