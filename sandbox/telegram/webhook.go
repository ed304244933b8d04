package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"time"
)

// webhook is the webhook's settings.
type webhook struct {
	URL    string `json:"url"`
	Secret string `json:"secret"`
}

// Telegram's own delays are longer.
const (
	firstRetry   = 200 * time.Millisecond
	longestRetry = 5 * time.Second
)

var secretShape = regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`)

// setWebhook also accepts http, unlike Telegram.
func (s *Server) setWebhook(p params) (any, error) {
	secret := p.text("secret_token")
	if secret != "" && !secretShape.MatchString(secret) {
		return nil, badRequest("secret token contains unallowed characters")
	}
	to := p.text("url")
	if to != "" {
		u, err := url.Parse(to)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, badRequest("bad webhook: invalid webhook URL specified")
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.setAllowed(p); err != nil {
		return nil, err
	}
	s.state.Webhook = webhook{URL: to, Secret: secret}
	s.afterWebhook(p)
	return true, nil
}

func (s *Server) deleteWebhook(p params) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Webhook = webhook{}
	s.afterWebhook(p)
	return true, nil
}

func (s *Server) afterWebhook(p params) {
	if p.flag("drop_pending_updates") {
		s.state.Pending = nil
	}
	s.dirty = true
	s.signal()
}

// RetryNow ends the delay between attempts when the bot is available again.
func (s *Server) RetryNow() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.signal()
}

// deliver posts pending updates in order; a failed one is retried before later ones.
func (s *Server) deliver(ctx context.Context) {
	pause := firstRetry
	for {
		s.mu.Lock()
		hook, wake := s.state.Webhook, s.wake
		var first *Update
		if hook.URL != "" && len(s.state.Pending) > 0 {
			u := s.state.Pending[0]
			first = &u
		}
		s.mu.Unlock()

		var retry <-chan time.Time
		if first != nil {
			err := s.post(ctx, hook, *first)
			if err == nil {
				s.confirmDelivered(first.ID)
				pause = firstRetry
				continue
			}
			retry = time.After(pause)
			pause = min(2*pause, longestRetry)
		}
		select {
		case <-ctx.Done():
			return
		case <-wake:
		case <-retry:
		}
	}
}

func (s *Server) post(ctx context.Context, hook webhook, u Update) error {
	body, err := json.Marshal(u)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, hook.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if hook.Secret != "" {
		req.Header.Set("X-Telegram-Bot-Api-Secret-Token", hook.Secret)
	}
	resp, err := s.webhook.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("wrong response from the webhook: %s", resp.Status)
	}
	return nil
}

func (s *Server) confirmDelivered(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.confirm(id + 1)
}
