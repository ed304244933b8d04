package repo

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// secretsKnown are harmless.
var secretsKnown = []string{
	"7000000001:sandbox-token-not-a-secret-00000000", // the sandbox's
	"secretsecret",           // what tests must not find in logs
	"sandbox-webhook-secret", // the sandbox's
}

// secretKinds are patterns of secrets.
var secretKinds = map[string]*regexp.Regexp{
	"a bot's token":        regexp.MustCompile(`\b[0-9]{8,10}:[A-Za-z0-9_-]{35}\b`),
	"a private key":        regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY`),
	"a key of a cloud":     regexp.MustCompile(`\bAKIA[0-9A-Z]{16}\b|\bAIza[0-9A-Za-z_-]{35}`),
	"a token of a forge":   regexp.MustCompile(`\bgh[pousr]_[A-Za-z0-9]{36}|\bgithub_pat_[A-Za-z0-9_]{40}|\bglpat-[A-Za-z0-9_-]{20}`),
	"a token of a chat":    regexp.MustCompile(`\bxox[abprs]-[A-Za-z0-9-]{10}`),
	"a password in a link": regexp.MustCompile(`[a-z]://[^\s/:@"'$]*:[^\s/:@"'${}]{6,}@`),
	"a secret by its name": regexp.MustCompile(`(?i)(?:secret|token|password|passwd|api_?key|mnemonic|private_?key)["']?\s*[:=]+\s*["'][A-Za-z0-9+/_=-]{20,}["']`),
	"a wallet's words":     regexp.MustCompile(`(?i)(?:mnemonic|seed|words)["']?\s*[:=]+\s*["']?(?:[a-z]{3,8} ){11,23}[a-z]{3,8}\b`),
}

// secretsIn are unknown matches of secretKinds in a text.
func secretsIn(text string) (found []string) {
	for kind, looks := range secretKinds {
		for _, part := range looks.FindAllString(text, -1) {
			if !slices.ContainsFunc(secretsKnown, func(known string) bool { return strings.Contains(part, known) }) {
				found = append(found, kind+": "+part)
			}
		}
	}
	return found
}

// A committed secret is readable for ever.
func TestRepositoryContainsNoSecret(t *testing.T) {
	t.Parallel()
	files := textFiles(t)
	if len(files) < 500 {
		t.Fatalf("only %d files are read", len(files))
	}
	for name, text := range files {
		for _, secret := range secretsIn(text) {
			t.Errorf("%s holds %.60s…: take it back wherever it is good, and give it by the environment", name, secret)
		}
	}
}

func TestSecretsOfEveryKindAreFound(t *testing.T) {
	long := strings.Repeat("aB3", 16) // assembled here, so that this file contains none
	for kind, text := range map[string]string{
		"a bot's token":        "token := `" + "123456789:" + long[:35] + "`",
		"a private key":        "-----BEGIN " + "EC PRIVATE KEY-----",
		"a key of a cloud":     "AKIA" + strings.Repeat("A7", 8),
		"a token of a forge":   "ghp_" + long[:36],
		"a token of a chat":    "xoxb-" + long[:12],
		"a password in a link": "postgres://mcbk:" + long[:12] + "@db/mcbk",
		"a secret by its name": `ADS_SECRET="` + long[:24] + `"`,
		"a wallet's words":     "MNEMONIC=" + strings.Repeat("abandon ", 23) + "art",
	} {
		if secretKinds[kind] == nil || !secretKinds[kind].MatchString(text) || len(secretsIn(text)) == 0 {
			t.Errorf("%s is not found in %q", kind, text)
		}
	}
	for _, harmless := range []string{"POSTGRES_PASSWORD=", "postgres://mcbk:${POSTGRES_PASSWORD}@db", "token: ${{ secrets.TOKEN }}", secretsKnown[0]} {
		if found := secretsIn(harmless); found != nil {
			t.Errorf("%q is taken for %v", harmless, found)
		}
	}
}
