package wallet

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"mcbk-sandbox/chain"
)

// Request is a payment that an app waits for.
type Request struct {
	ID  string   `json:"id"`
	App Manifest `json:"app"`
	// Messages are the transfers it makes, all or none.
	Messages []Message `json:"messages"`
	// ValidUntil is in Unix seconds; 0 is for ever.
	ValidUntil int64 `json:"valid_until,omitempty"`
	// Params are as the app sent them, and RPC its own number.
	Params string `json:"params"`
	RPC    string `json:"rpc"`
}

type rpc struct {
	Method string   `json:"method"`
	Params []string `json:"params"`
	ID     string   `json:"id"`
}

type result struct {
	ID     string `json:"id"`
	Result any    `json:"result"`
}

type rpcError struct {
	ID    string  `json:"id"`
	Error failure `json:"error"`
}

// receive handles what an app wrote to one of the wallets here. What cannot be read, or was heard before, is dropped: its author
// is unknown, whatever the bridge says.
func (a *App) receive(to, _, text string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.kept.Sessions, func(s *session) bool { return s.id() == to })
	if i < 0 {
		return false
	}
	s := a.kept.Sessions[i]
	plain, ok := s.unseal(text)
	var asked rpc
	if !ok || json.Unmarshal(plain, &asked) != nil {
		return true
	}
	number, err := strconv.ParseInt(asked.ID, 10, 64)
	if err == nil && number <= s.Last {
		return true
	}
	s.Last = max(s.Last, number)
	a.answer(s, asked)
	a.changed(s.Player)
	return true
}

// answer does what needs no approval, and keeps the rest until it is given. The caller holds the lock.
func (a *App) answer(s *session, asked rpc) {
	var reply any
	switch asked.Method {
	case "disconnect":
		a.drop(s)
		reply = result{asked.ID, struct{}{}}
	case "sendTransaction":
		request, err := a.read(s, asked)
		if err == nil {
			s.Requests = append(s.Requests, request)
		} else {
			reply = rpcError{asked.ID, failure{badRequest, err.Error()}}
		}
	default:
		reply = rpcError{asked.ID, failure{methodNotSupported, "The method is not supported"}}
	}
	if err := a.save(); err != nil {
		reply = rpcError{asked.ID, failure{unknownError, err.Error()}}
	}
	if reply != nil {
		_ = a.send(s, reply) // it has been read with the same keys
	}
}

// read checks a payment before anybody is asked. An error is the app's fault.
func (a *App) read(s *session, asked rpc) (Request, error) {
	if len(asked.Params) != 1 {
		return Request{}, errors.New("sendTransaction has one parameter")
	}
	w, err := a.walletOf(s.Player)
	if err != nil {
		return Request{}, err
	}
	t, err := a.parse(asked.Params[0], w)
	if err != nil {
		return Request{}, err
	}
	return Request{
		ID: s.id()[:8] + "-" + asked.ID, App: s.App, Messages: t.shown(), ValidUntil: t.ValidUntil, Params: asked.Params[0], RPC: asked.ID,
	}, nil
}

// Paid is the result of an approved payment.
type Paid struct {
	// Result is the message from outside that the app is answered with, a bag of cells in base64.
	Result string `json:"result"`
	// Moved says that the money went; a wallet with too little signs, and moves nothing.
	Moved bool `json:"moved"`
}

// Approve makes a payment that an app waits for, the oldest if id is empty, and tells the app. An error is
// ErrNoRequest, or why nothing was signed, of which the app hears too.
func (a *App) Approve(player int64, id string) (Paid, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s, request, err := a.take(player, id)
	if err != nil {
		return Paid{}, err
	}
	bag, err := a.pay(player, request)
	if err != nil && !errors.Is(err, chain.ErrTooLittle) {
		code := unknownError
		if errors.Is(err, ErrRequest) {
			code = badRequest
		}
		return Paid{}, errors.Join(err, a.send(s, rpcError{request.RPC, failure{code, err.Error()}}))
	}
	return Paid{bag, err == nil}, a.send(s, result{request.RPC, bag})
}

// Refuse declines a payment that an app waits for, the oldest if id is empty, and tells the app.
func (a *App) Refuse(player int64, id string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	s, request, err := a.take(player, id)
	if err != nil {
		return err
	}
	return a.send(s, rpcError{request.RPC, failure{declined, "Wallet declined the request"}})
}

// take removes a request from those that wait. The caller holds the lock.
func (a *App) take(player int64, id string) (*session, Request, error) {
	for _, s := range a.kept.Sessions {
		for i, r := range s.Requests {
			if s.Player == player && (id == "" || r.ID == id) {
				s.Requests = slices.Delete(s.Requests, i, i+1)
				a.changed(player)
				return s, r, a.save()
			}
		}
	}
	return nil, Request{}, ErrNoRequest
}

// late returns an error if it is too late to make a payment.
func late(until int64, now time.Time) error {
	if until != 0 && now.Unix() >= until {
		return fmt.Errorf("%w: it was valid until %s", ErrRequest, time.Unix(until, 0).UTC().Format(time.RFC3339))
	}
	return nil
}
