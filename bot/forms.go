package bot

import (
	"context"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"mcbk/models/tasks"
	"mcbk/models/treasury"
)

// subcommand is one syntax of an admin command.
type subcommand struct {
	syntax string // after the name; a word of the table parameters is a placeholder
	run    func(h *adminHandler, ctx context.Context, values []string) (reply, error)

	ofPlayer bool // ID is a player's: also a Telegram ID or @username
}

// parameters are the placeholders with their checks, each returning what is wrong or "".
var parameters = map[string]func(value string) (wrong string){
	"ID":                  validator(isNumber, "is not a number from 1 up"),
	"PAYMENT":             validator(isNumber, "is not a number from 1 up"),
	"URL":                 validator(tasks.IsPublicLink, "is not a link that begins with https://"),
	"URL|@CHANNEL":        validator(isChannel, "is not a public channel, like @channel or https://t.me/channel"),
	"TITLE":               validateTitle,
	"ORDER|PLAYER|refund": validator(isMatchTarget, "is neither an order's comment, like MC-ABCDEFGH23, nor a player's number or @username, nor refund"),
	"HASH":                validator(hash.MatchString, "is not the hash of a transaction, in 64 hex digits or base64"),
	"CHARGE":              validator(isShort, "is too long for the id of a charge"), // Telegram does not say what they are made of
	"START":               validator(isDay, "is not a day, like 2026-12-01"),
	"REASON":              validateReason,
}

// validator returns a check whose complaint begins with the value.
func validator(isValid func(value string) bool, problem string) func(value string) string {
	return func(value string) string {
		if isValid(value) {
			return ""
		}
		return value + " " + problem
	}
}

// takesRest are the parameters that take all remaining words.
var takesRest = map[string]bool{"TITLE": true, "REASON": true}

func (h *adminHandler) answerForms(ctx context.Context, c adminCommand, payload string) (reply, error) {
	words := strings.Fields(payload)
	for _, form := range c.forms {
		values, matches, wrong := form.parse(words)
		if matches && wrong == "" {
			return form.run(h, ctx, values)
		}
		if matches {
			return reply{text: html.EscapeString(wrong) + ".\n" + usageLines(c.name, form)}, nil
		}
	}
	return reply{text: usageLines(c.name, c.forms...)}, nil
}

// parse reads words. matches reports whether they have this syntax; wrong is what is wrong with a value.
func (c subcommand) parse(words []string) (values []string, matches bool, wrong string) {
	pattern := strings.Fields(c.syntax)
	if len(pattern) == 0 {
		return nil, len(words) == 0, ""
	}
	for i, want := range pattern {
		check, isParameter := parameters[want]
		if want == "ID" && c.ofPlayer {
			check = validatePlayer
		}
		switch {
		case !isParameter && (i >= len(words) || !strings.EqualFold(words[i], want)):
			return nil, false, ""
		case !isParameter:
			continue
		case i >= len(words):
			return nil, true, want + " is missing"
		}
		value := words[i]
		if takesRest[want] {
			value = strings.Join(words[i:], " ")
		}
		if wrong := validate(check, value); wrong != "" {
			return nil, true, wrong
		}
		if values = append(values, value); takesRest[want] {
			return values, true, ""
		}
	}
	if len(words) > len(pattern) {
		return nil, true, "Nothing comes after " + pattern[len(pattern)-1]
	}
	return values, true, ""
}

// validate returns what is wrong with a value, which it truncates; "" if nothing.
func validate(check func(string) string, value string) string {
	return strings.Replace(check(value), value, truncateInput(value), 1)
}

// usageLines describes a command's syntax, one subcommand a line.
func usageLines(name string, all ...subcommand) string {
	lines := []string{"Usage:"}
	for _, c := range all {
		lines = append(lines, "<code>"+html.EscapeString(strings.TrimSpace("/"+name+" "+c.syntax))+"</code>")
	}
	return strings.Join(lines, "\n")
}

var (
	username = regexp.MustCompile(`^@[A-Za-z0-9_]{1,32}$`)
	bareName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,31}$`)
	comment  = regexp.MustCompile(`^M[CS]-[A-Z2-7]{10}$`)
	hash     = regexp.MustCompile(`^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=)$`)
)

func isNumber(value string) bool {
	id, err := strconv.ParseInt(value, 10, 64)
	return err == nil && id > 0
}

func isChannel(value string) bool {
	_, ok := tasks.ChannelLink(value)
	return ok
}

func isDay(value string) bool {
	_, err := time.Parse(time.DateOnly, value)
	return err == nil
}

// longestReason is in characters; a banned player is shown the reason.
const longestReason = 200

func isShort(value string) bool { return utf8.RuneCountInString(value) <= longestReason }

func validatePlayer(value string) (wrong string) {
	if username.MatchString(value) || isNumber(value) {
		return ""
	}
	wrong = value + " is not a player's number, a Telegram number or a @username"
	if bareName.MatchString(value) { // ambiguous: perhaps a mistyped word, perhaps a player called "refund"
		wrong += ": a username begins with @"
	}
	return wrong
}

func validateTitle(value string) string {
	languages := strings.Split(value, "|")
	if len(languages) != 2 || strings.TrimSpace(languages[0]) == "" || strings.TrimSpace(languages[1]) == "" {
		return "TITLE is written as English | Russian"
	}
	for _, title := range languages {
		if !strings.ContainsFunc(title, unicode.IsLetter) {
			return "TITLE needs letters in each language"
		}
		if utf8.RuneCountInString(strings.TrimSpace(title)) > tasks.LongestTaskTitle {
			return fmt.Sprintf("TITLE may have at most %d characters in each language", tasks.LongestTaskTitle)
		}
	}
	return ""
}

func validateReason(value string) string {
	if !isShort(value) {
		return fmt.Sprintf("REASON may have at most %d characters", longestReason)
	}
	return ""
}

func isMatchTarget(value string) bool {
	word := normalizeTarget(value)
	return word == treasury.MatchRefund || comment.MatchString(word) || username.MatchString(value) || isNumber(value)
}

// normalizeTarget returns the canonical case of an order's comment or "refund"; any other word is unchanged.
func normalizeTarget(word string) string {
	switch {
	case strings.EqualFold(word, treasury.MatchRefund):
		return treasury.MatchRefund
	case comment.MatchString(strings.ToUpper(word)):
		return strings.ToUpper(word)
	}
	return word
}
