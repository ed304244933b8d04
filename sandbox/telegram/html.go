package telegram

import (
	"cmp"
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Entity types by tag of the HTML parse mode.
var tagEntities = map[string]string{
	"b": "bold", "strong": "bold",
	"i": "italic", "em": "italic",
	"u": "underline", "ins": "underline",
	"s": "strikethrough", "strike": "strikethrough", "del": "strikethrough",
	"code": "code", "pre": "pre", "a": "text_link",
	"tg-spoiler": "spoiler", "span": "spoiler", "blockquote": "blockquote",
}

type openTag struct {
	name   string
	entity Entity
}

var hrefAttr = regexp.MustCompile(`(?i)\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`)

// formatted converts the bot's text to plain text and entities.
func formatted(text, mode string, given []Entity) (string, []Entity, error) {
	switch strings.ToLower(mode) {
	case "":
		return text, given, nil
	case "html":
		return parseHTML(text)
	}
	return "", nil, badRequest("unsupported parse_mode (the sandbox reads HTML only)")
}

// parseHTML approximates Telegram's HTML mode: the same tags, refusal of unknown or unbalanced ones, entities in UTF-16 units.
func parseHTML(src string) (string, []Entity, error) {
	var (
		out   strings.Builder
		units int // UTF-16 units written so far
		open  []openTag
		found []Entity
	)
	write := func(s string) {
		out.WriteString(s)
		units += utf16Len(s)
	}
	for i := 0; i < len(src); {
		switch src[i] {
		case '&':
			end := strings.IndexByte(src[i:], ';')
			if end > 0 && end <= 10 && html.UnescapeString(src[i:i+end+1]) != src[i:i+end+1] {
				write(html.UnescapeString(src[i : i+end+1]))
				i += end + 1
				continue
			}
			write("&")
			i++
		case '<':
			end := strings.IndexByte(src[i:], '>')
			if end < 0 {
				return "", nil, badRequest("can't parse entities: Unclosed start tag at byte offset %d", i)
			}
			tag := src[i+1 : i+end]
			if name, closes := strings.CutPrefix(tag, "/"); closes {
				name = strings.ToLower(strings.TrimSpace(name))
				if len(open) == 0 {
					return "", nil, badRequest("can't parse entities: Unexpected end tag at byte offset %d", i)
				}
				last := open[len(open)-1]
				if name != "" && name != last.name {
					return "", nil, badRequest("can't parse entities: Unmatched end tag at byte offset %d, expected \"</%s>\", found \"</%s>\"", i, last.name, name)
				}
				open = open[:len(open)-1]
				if last.entity.Length = units - last.entity.Offset; last.entity.Length > 0 && last.entity.Type != "" {
					found = append(found, last.entity)
				}
			} else {
				entity, name, err := startTag(tag, i)
				if err != nil {
					return "", nil, err
				}
				entity.Offset = units
				open = append(open, openTag{name, entity})
			}
			i += end + 1
		default:
			_, size := utf8.DecodeRuneInString(src[i:])
			write(src[i : i+size])
			i += size
		}
	}
	if len(open) > 0 {
		return "", nil, badRequest("can't parse entities: Can't find end tag corresponding to start tag \"%s\"", open[len(open)-1].name)
	}
	slices.SortStableFunc(found, func(a, b Entity) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(b.Length, a.Length))
	})
	return out.String(), found, nil
}

func startTag(tag string, at int) (Entity, string, error) {
	name, attrs, _ := strings.Cut(strings.TrimSpace(tag), " ")
	name = strings.ToLower(name)
	kind, known := tagEntities[name]
	if !known || name == "span" && !strings.Contains(attrs, "tg-spoiler") {
		return Entity{}, "", badRequest("can't parse entities: Unsupported start tag \"%s\" at byte offset %d", name, at)
	}
	entity := Entity{Type: kind}
	if name == "a" {
		if m := hrefAttr.FindStringSubmatch(attrs); m != nil {
			entity.URL = html.UnescapeString(m[1] + m[2] + m[3])
		}
		if entity.URL == "" {
			entity.Type = "" // Telegram keeps the text and drops the link
		}
	}
	return entity, name, nil
}

var (
	commandWord = regexp.MustCompile(`(?:^|\s)(/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?)`)
	bareLink    = regexp.MustCompile(`(?:^|[\s(])((?:https?://|t\.me/)[^\s<>"]*[^\s<>".,!?:;)])`)
)

// addFound adds Telegram's automatic entities, commands and bare URLs, unless a link exists.
func addFound(text string, entities []Entity) []Entity {
	taken := func(from, length int) bool {
		for _, e := range entities {
			if (e.Type == "text_link" || e.Type == "code" || e.Type == "pre" || e.Type == "url") && from < e.Offset+e.Length && e.Offset < from+length {
				return true
			}
		}
		return false
	}
	for kind, pattern := range map[string]*regexp.Regexp{"url": bareLink, "bot_command": commandWord} {
		for _, m := range pattern.FindAllStringSubmatchIndex(text, -1) {
			e := Entity{Type: kind, Offset: utf16Len(text[:m[2]]), Length: utf16Len(text[m[2]:m[3]])}
			if !taken(e.Offset, e.Length) {
				entities = append(entities, e)
			}
		}
	}
	slices.SortStableFunc(entities, func(a, b Entity) int { return cmp.Compare(a.Offset, b.Offset) })
	return entities
}

func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}
