// Package people holds the sandbox's players: five residents, and added ones.
package people

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Person is a Telegram user.
type Person struct {
	ID           int64  `json:"id"`
	FirstName    string `json:"first_name"`
	LastName     string `json:"last_name,omitempty"`
	Username     string `json:"username,omitempty"`
	LanguageCode string `json:"language_code"`
	IsPremium    bool   `json:"is_premium,omitempty"`
	IsAdmin      bool   `json:"is_admin,omitempty"`
	// HasPhoto adds photo_url to launch data.
	HasPhoto bool `json:"has_photo,omitempty"`
}

// The residents. Their ids are fixed, so that a database stays valid.
const (
	Marina int64 = 7000000101
	Boris  int64 = 7000000102
	Olga   int64 = 7000000103
	Adam   int64 = 7000000104
	Zoe    int64 = 7000000105
)

var residents = []Person{
	{ID: Marina, FirstName: "Marina", LastName: "Costa", Username: "marina_costa", LanguageCode: "en", HasPhoto: true},
	{ID: Boris, FirstName: "Boris", LastName: "Lind", Username: "borislind", LanguageCode: "en", IsPremium: true, HasPhoto: true},
	{ID: Olga, FirstName: "Ольга", LastName: "Ветрова", Username: "olga_vetrova", LanguageCode: "ru"},
	{ID: Adam, FirstName: "Adam", Username: "adam_keeper", LanguageCode: "en", IsAdmin: true},
	// Markup in a name must be escaped; no last name, no username.
	{ID: Zoe, FirstName: "Zoë <b>&amp;</b>", LanguageCode: "pt-br"},
}

var newNames = []string{
	"Ines", "Tomas", "Priya", "Kofi", "Lena", "Mateo", "Aiko", "Samir", "Freya", "Diego",
	"Nora", "Emil", "Zara", "Hugo", "Yuki", "Carla", "Omar", "Vera", "Felix", "Amara",
}

// ErrNoPlayer means an unknown id.
var ErrNoPlayer = errors.New("no such player")

// Book is all players; added ones are persistent.
type Book struct {
	file string

	mu    sync.Mutex
	added []Person
}

// Open loads the added players from dir.
func Open(dir string) (*Book, error) {
	b := &Book{file: filepath.Join(dir, "people.json")}
	raw, err := os.ReadFile(b.file)
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the people: %w", err)
	}
	if err := json.Unmarshal(raw, &b.added); err != nil {
		return nil, fmt.Errorf("read the people in %s: %w", b.file, err)
	}
	return b, nil
}

// All lists everyone, the residents first.
func (b *Book) All() []Person {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append(append([]Person{}, residents...), b.added...)
}

// Find returns the person with that id.
func (b *Book) Find(id int64) (Person, bool) {
	for _, p := range b.All() {
		if p.ID == id {
			return p, true
		}
	}
	return Person{}, false
}

// Add makes a player. Empty fields are chosen; the id is random, so that a new directory never repeats one in a database.
func (b *Book) Add(p Person) (Person, error) {
	p.ID = 7_100_000_000 + rand.Int64N(900_000_000)
	if p.FirstName == "" {
		p.FirstName = newNames[rand.IntN(len(newNames))]
		if p.Username == "" {
			p.Username = fmt.Sprintf("%s_%d", strings.ToLower(p.FirstName), p.ID%100_000)
		}
	}
	if p.LanguageCode == "" {
		p.LanguageCode = "en"
	}
	p.IsAdmin = false // mcbk loads its admins at the start

	b.mu.Lock()
	defer b.mu.Unlock()
	added := append(append([]Person{}, b.added...), p)
	raw, err := json.MarshalIndent(added, "", "  ")
	if err != nil {
		return Person{}, err
	}
	if err := os.WriteFile(b.file, raw, 0o600); err != nil {
		return Person{}, fmt.Errorf("keep the new player: %w", err)
	}
	b.added = added
	return p, nil
}
