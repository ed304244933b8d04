package wallet

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// Path is the path of connect links.
const Path = "/wallet"

// longestManifest is in bytes.
const longestManifest = 64 << 10

// Manifest describes an app.
type Manifest struct {
	URL     string `json:"url"`
	Name    string `json:"name"`
	IconURL string `json:"iconUrl"`
}

// link is a parsed connect link.
type link struct {
	client  string // the app's public key in hex
	request connectRequest
}

type connectRequest struct {
	ManifestURL string `json:"manifestUrl"`
	Items       []struct {
		Name    string `json:"name"`
		Payload string `json:"payload"`
	} `json:"items"`
}

// parseLink parses a universal or a tc:// link; only its query counts. An error is ErrLink.
func parseLink(text string) (link, error) {
	wrong := func(what string) (link, error) { return link{}, fmt.Errorf("%w: %s", ErrLink, what) }
	parsed, err := url.Parse(text)
	if err != nil {
		return wrong("no address at all")
	}
	q := parsed.Query()
	l := link{client: q.Get("id")}
	if raw, err := hex.DecodeString(l.client); err != nil || len(raw) != 32 {
		return wrong("its id is no public key")
	}
	if q.Get("v") != "2" {
		return wrong("its v is not 2")
	}
	if err := json.Unmarshal([]byte(q.Get("r")), &l.request); err != nil {
		return wrong("its r is no request")
	}
	if l.request.ManifestURL == "" || len(l.request.Items) == 0 {
		return wrong("its r names no manifest or no items")
	}
	return l, nil
}

// Question is a connect link's request to the player.
type Question struct {
	App Manifest `json:"app"`
	// Items are "ton_addr" and other requested data.
	Items []string `json:"items"`
}

// Read parses a connect link and loads its manifest. An error is ErrLink or ErrNoManifest.
func (a *App) Read(ctx context.Context, text string) (Question, error) {
	l, err := parseLink(text)
	if err != nil {
		return Question{}, err
	}
	q := Question{}
	for _, item := range l.request.Items {
		q.Items = append(q.Items, item.Name)
	}
	q.App, _, err = a.manifest(ctx, l.request.ManifestURL)
	return q, err
}

// PlayerOf returns the player connected to the app of this public key; 0 if none.
func (a *App) PlayerOf(client string) int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range a.kept.Sessions {
		if s.Client == client {
			return s.Player
		}
	}
	return 0
}

// manifest fetches an app's manifest; domain is that of its proofs. An error is ErrNoManifest.
func (a *App) manifest(ctx context.Context, from string) (m Manifest, domain string, err error) {
	wrong := func(what any) (Manifest, string, error) { return m, "", fmt.Errorf("%w: %v", ErrNoManifest, what) }
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return wrong(err)
	}
	response, err := a.client.Do(request)
	if err != nil {
		return wrong(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return wrong(response.Status)
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, longestManifest)).Decode(&m); err != nil {
		return wrong(err)
	}
	app, err := url.Parse(m.URL)
	if err != nil || app.Host == "" || m.Name == "" || m.IconURL == "" {
		return wrong("it lacks url, name or iconUrl")
	}
	return m, app.Host, nil
}
