package repo

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// addressesKnown are the allowed third-party hosts, with the reason.
var addressesKnown = map[string]string{
	"www.w3.org":       "names of XML, not fetched",
	"t.me":             "Telegram's links",
	"api.telegram.org": "the Bot API", "web.telegram.org": "shows the mini-app", "core.telegram.org": "what Telegram promises",
	"cdn4.telesco.pe": "photos that Telegram signs", "cdn5.cdn-telegram.org": "where it redirects them", "cdn1.telegram-cdn.org": "where it redirects them",
	"eviltelegram.org": "what a test refuses",
	"ton.org":          "the public lite servers, an icon in a wallet's manifest",
	"tonapi.io":        "what a TON costs", "api.coingecko.com": "what a TON costs",
	"app.tonkeeper.com": "the usual wallet's payment links and connect links", "tonkeeper.com": "its page and picture", "bridge.tonapi.io": "its bridge",
	"scripts.sil.org": "the fonts' licence", "github.com": "the fonts' licence",
	"keepachangelog.com": "the form of the changelog",
	"example.com":        "nobody's",
}

// Package sources are each machine's choice, and a new remote host is a decision: neither may slip in.
func TestNoUnknownHostIsNamed(t *testing.T) {
	for name, text := range textFiles(t) {
		for _, host := range hostsIn(text) {
			if addressesKnown[host] == "" {
				t.Errorf("%s names %s: use a host under .example, or add it with its reason to addressesKnown; leave out a package registry (after a change of webapp's packages, `npm run lock` there)", name, host)
			}
		}
	}
}

func TestUnknownHostsAreFound(t *testing.T) {
	// Assembled here, so that this file passes.
	registry, scheme := "registry.npm"+"js.org", "https:"+"//"
	for text, want := range map[string][]string{
		scheme + registry + "/a/-/a-1.tgz":           {registry},
		"GOPROXY=proxy.go" + "lang.org,direct":       {"proxy.go" + "lang.org"},
		"see " + scheme + "Other.Host.net.":          {"other.host.net"},
		scheme + "localhost:8090 game.example":       nil,
		scheme + "game.example/x " + scheme + "host": nil,
		scheme + "127.0.0.1:8080":                    nil,
		"registry.MustRegister(collectors)":          nil,
	} {
		if got := hostsIn(text); !slices.Equal(got, want) {
			t.Errorf("%q has %v, not %v", text, got, want)
		}
	}
}

var (
	inAddress  = regexp.MustCompile(`https?://([A-Za-z0-9.-]+)`)
	ofRegistry = regexp.MustCompile(`\b((?:registry|proxy|sum|index|mirrors?|files|pypi)\.[a-z0-9-]+\.(?:org|com|net|io|dev))\b`)
	nobodys    = regexp.MustCompile(`^[^.]*$|^[0-9.]+$|\.(example|test|localhost)$`)
)

// hostsIn are the third-party hosts in a text.
func hostsIn(text string) (hosts []string) {
	for _, found := range append(inAddress.FindAllStringSubmatch(text, -1), ofRegistry.FindAllStringSubmatch(text, -1)...) {
		host := strings.ToLower(strings.Trim(found[1], ".-"))
		if !nobodys.MatchString(host) && !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// textFiles are the repository's own files, without built, installed or recorded ones.
func textFiles(t *testing.T) map[string]string {
	t.Helper()
	made := []string{".git", "node_modules", "dist", "bin", "data", "pictures", ".services", "test-results", "playwright-report", "rapid"}
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case slices.Contains(made, entry.Name()) && entry.IsDir():
			return filepath.SkipDir
		case !entry.Type().IsRegular(), entry.Name() == ".env", entry.Name() == ".git":
			return nil
		}
		content, err := os.ReadFile(path) //nolint:gosec // this repository's own
		if !bytes.ContainsRune(content[:min(len(content), 8000)], 0) {
			files[strings.TrimPrefix(path, root+"/")] = string(content)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
