package people

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"mcbk-sandbox/check"
)

func TestResidentsCoverEveryKindOfPlayer(t *testing.T) {
	b := check.Must(Open(t.TempDir()))(t)
	var premium, plain, russian, admin, photo, bare bool
	seen := map[int64]bool{}
	for _, p := range b.All() {
		check.That(t, p.ID > 0 && !seen[p.ID], "%s has id %d", p.FirstName, p.ID)
		seen[p.ID] = true
		premium = premium || p.IsPremium
		plain = plain || !p.IsPremium
		russian = russian || p.LanguageCode == "ru"
		admin = admin || p.IsAdmin
		photo = photo || p.HasPhoto
		bare = bare || !p.HasPhoto
	}
	check.That(t, premium && plain && russian && admin && photo && bare, "a kind of player is missing")
}

func TestNewPlayerSurvivesRestart(t *testing.T) {
	dir := t.TempDir()
	b := check.Must(Open(dir))(t)
	p := check.Must(b.Add(Person{LanguageCode: "ru", IsPremium: true, IsAdmin: true}))(t)
	check.That(t, p.ID > 0 && p.FirstName != "" && p.IsPremium && p.LanguageCode == "ru", "new player %+v", p)
	check.That(t, !p.IsAdmin, "a new player became an admin mcbk does not know of")
	b = check.Must(Open(dir))(t)
	got, ok := b.Find(p.ID)
	check.That(t, ok && got == p, "after a restart: %+v, %v", got, ok)
}

func TestEveryAvatarIsWellFormed(t *testing.T) {
	for _, p := range append([]Person{{FirstName: "<&>"}, {}}, residents...) {
		d := xml.NewDecoder(strings.NewReader(string(Avatar(p))))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Errorf("%q: %v", p.FirstName, err)
				break
			}
		}
	}
}
