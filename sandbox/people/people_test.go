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
		if p.ID <= 0 || seen[p.ID] {
			t.Errorf("%s has id %d", p.FirstName, p.ID)
		}
		seen[p.ID] = true
		premium = premium || p.IsPremium
		plain = plain || !p.IsPremium
		russian = russian || p.LanguageCode == "ru"
		admin = admin || p.IsAdmin
		photo = photo || p.HasPhoto
		bare = bare || !p.HasPhoto
	}
	if !premium || !plain || !russian || !admin || !photo || !bare {
		t.Error("a kind of player is missing")
	}
}

func TestNewPlayerSurvivesRestart(t *testing.T) {
	dir := t.TempDir()
	b := check.Must(Open(dir))(t)
	p := check.Must(b.Add(Person{LanguageCode: "ru", IsPremium: true, IsAdmin: true}))(t)
	if p.ID <= 0 || p.FirstName == "" || !p.IsPremium || p.LanguageCode != "ru" {
		t.Errorf("new player %+v", p)
	}
	if p.IsAdmin {
		t.Error("a new player became an admin mcbk does not know of")
	}
	b = check.Must(Open(dir))(t)
	if got, ok := b.Find(p.ID); !ok || got != p {
		t.Errorf("after a restart: %+v, %v", got, ok)
	}
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
