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

// Request is a payment that waits for approval.
type Request struct {
	ID  string   `json:"id"`
	App Manifest `json:"app"`
	// Messages are its transfers, all or none.
	Messages []Message `json:"messages"`
	// ValidUntil is in Unix seconds; 0 means no limit.
	ValidUntil int64 `json:"valid_until,omitempty"`
	// Params are the app's, RPC its number.
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

// receive handles an app's message to a wallet. An unreadable or repeated one is dropped: its author is unknown.
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

// answer responds to requests without approval, and stores the others. The caller holds the lock.
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

// read checks a payment before approval. An error is the app's fault.
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
	// Result is the response to the app: the external message, a bag of cells in base64.
	Result string `json:"result"`
	// Moved is false if the balance was too small: the wallet signs and moves nothing.
	Moved bool `json:"moved"`
}

// Approve makes a pending payment, the oldest if id is empty, and notifies the app. An error is ErrNoRequest, or the reason why nothing
// was signed, which the app gets too.
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

// Refuse declines a pending payment, the oldest if id is empty, and notifies the app.
func (a *App) Refuse(player int64, id string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	s, request, err := a.take(player, id)
	if err != nil {
		return err
	}
	return a.send(s, rpcError{request.RPC, failure{declined, "Wallet declined the request"}})
}

// take removes a pending request. The caller holds the lock.
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

// late returns an error after a payment's time limit.
func late(until int64, now time.Time) error {
	if until != 0 && now.Unix() >= until {
		return fmt.Errorf("%w: it was valid until %s", ErrRequest, time.Unix(until, 0).UTC().Format(time.RFC3339))
	}
	return nil
}
