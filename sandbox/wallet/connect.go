package wallet

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"mcbk-sandbox/chain"
	"mcbk-sandbox/people"
)

// Error codes of TON Connect.
const (
	unknownError       = 0
	badRequest         = 1
	manifestNotFound   = 2
	declined           = 300
	methodNotSupported = 400
)

// failure is an error for an app.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Connect connects a player's wallet to the app of a link. An error is people.ErrNoPlayer, ErrLink, or ErrNoManifest, which the app gets too.
func (a *App) Connect(ctx context.Context, player int64, text string) (Connection, error) {
	l, s, err := a.meet(player, text)
	if err != nil {
		return Connection{}, err
	}
	w, err := a.walletOf(player)
	if err != nil {
		return Connection{}, err
	}
	app, domain, err := a.manifest(ctx, l.request.ManifestURL)
	if err != nil {
		return Connection{}, errors.Join(err, a.refuse(s, failure{manifestNotFound, "App manifest not found"}))
	}
	items, err := a.items(w, l.request, domain)
	if err != nil {
		return Connection{}, err
	}
	s.App, s.Since = app, a.cfg.Now().UTC()
	a.mu.Lock()
	defer a.mu.Unlock()
	// An app that reconnects has lost its session.
	a.kept.Sessions = slices.DeleteFunc(a.kept.Sessions, func(old *session) bool { return old.Client == s.Client })
	a.kept.Sessions = append(a.kept.Sessions, s)
	a.changed(player)
	return s.Connection, a.tell(s, "connect", map[string]any{"items": items, "device": device})
}

// Decline refuses a link's connection. An error is people.ErrNoPlayer or ErrLink.
func (a *App) Decline(player int64, text string) error {
	_, s, err := a.meet(player, text)
	if err != nil {
		return err
	}
	return a.refuse(s, failure{declined, "Wallet declined the request"})
}

func (a *App) refuse(s *session, why failure) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.tell(s, "connect_error", why)
}

// meet makes an unapproved session with the app of a link.
func (a *App) meet(player int64, text string) (link, *session, error) {
	if _, ok := a.cfg.People.Find(player); !ok {
		return link{}, nil, people.ErrNoPlayer
	}
	l, err := parseLink(text)
	if err != nil {
		return link{}, nil, err
	}
	s, err := newSession(player, l.client)
	return l, s, err
}

// items returns the requested data of a connection.
func (a *App) items(w *chain.Wallet, request connectRequest, domain string) ([]any, error) {
	var list []any
	for _, item := range request.Items {
		switch item.Name {
		case "ton_addr":
			account, err := a.account(w)
			if err != nil {
				return nil, err
			}
			list = append(list, account)
		case "ton_proof":
			list = append(list, prove(w, domain, item.Payload, a.cfg.Now()))
		default:
			list = append(list, map[string]any{"name": item.Name, "error": failure{methodNotSupported, "This item is not supported"}})
		}
	}
	return list, nil
}

// account describes the wallet and its address.
func (a *App) account(w *chain.Wallet) (map[string]string, error) {
	init, err := w.StateInit()
	if err != nil {
		return nil, fmt.Errorf("make the state_init: %w", err)
	}
	return map[string]string{
		"name": "ton_addr", "address": w.WalletAddress().StringRaw(), "network": a.network(),
		"publicKey": hex.EncodeToString(w.PublicKey()), "walletStateInit": base64.StdEncoding.EncodeToString(init.ToBOC()),
	}, nil
}

// Disconnect ends the player's connection with the app of this public key, or all of them if empty, and notifies the apps.
func (a *App) Disconnect(player int64, client string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	var gone []*session
	for _, s := range a.kept.Sessions {
		if s.Player == player && (client == "" || s.Client == client) {
			gone = append(gone, s)
		}
	}
	if len(gone) == 0 {
		return ErrNoApp
	}
	a.changed(player)
	for _, s := range gone {
		a.drop(s)
		if err := a.tell(s, "disconnect", struct{}{}); err != nil {
			return err
		}
	}
	return nil
}
