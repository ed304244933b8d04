package wallet

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"mcbk-sandbox/chain"
)

// Message is a transfer as shown to the player.
type Message struct {
	To       string `json:"to"`
	Nanotons uint64 `json:"nanotons"`
	Comment  string `json:"comment,omitempty"`
	// Call marks a body other than a comment.
	Call bool `json:"call,omitempty"`
}

// transaction is the parameter of sendTransaction.
type transaction struct {
	ValidUntil int64  `json:"valid_until"`
	Network    string `json:"network"`
	From       string `json:"from"`
	Messages   []struct {
		Address       string            `json:"address"`
		Amount        string            `json:"amount"`
		Payload       string            `json:"payload"`
		StateInit     string            `json:"stateInit"`
		ExtraCurrency map[string]string `json:"extra_currency"`
	} `json:"messages"`

	transfers []chain.Transfer
}

// parse parses a payment and checks that this wallet may make it. An error is ErrRequest.
func (a *App) parse(params string, w *chain.Wallet) (transaction, error) {
	wrong := func(format string, args ...any) (transaction, error) {
		return transaction{}, fmt.Errorf("%w: "+format, append([]any{ErrRequest}, args...)...)
	}
	var t transaction
	if err := json.Unmarshal([]byte(params), &t); err != nil {
		return wrong("no transaction")
	}
	if err := late(t.ValidUntil, a.cfg.Now()); err != nil {
		return t, err
	}
	if t.Network != "" && t.Network != a.network() {
		return wrong("the wallet is in network %s", a.network())
	}
	if t.From != "" {
		if from, err := chain.ParseAddress(t.From); err != nil || from.StringRaw() != w.WalletAddress().StringRaw() {
			return wrong("from is another wallet")
		}
	}
	if len(t.Messages) == 0 || len(t.Messages) > maxMessages {
		return wrong("1 to %d messages", maxMessages)
	}
	for i := range t.Messages {
		transfer, err := t.transfer(i)
		if err != nil {
			return wrong("message %d: %w", i+1, err)
		}
		t.transfers = append(t.transfers, transfer)
	}
	return t, nil
}

func (t transaction) transfer(i int) (transfer chain.Transfer, err error) {
	m := t.Messages[i]
	if len(m.ExtraCurrency) > 0 {
		return transfer, errors.New("other currencies are not supported")
	}
	if transfer.To, err = address.ParseAddr(m.Address); err != nil { // the raw form does not say whether to bounce
		return transfer, fmt.Errorf("its address: %w", err)
	}
	transfer.Bounce = transfer.To.IsBounceable()
	if transfer.Nanotons, err = strconv.ParseUint(m.Amount, 10, 64); err != nil {
		return transfer, errors.New("its amount is no number of nanotons")
	}
	transfer.Body = chain.Nothing
	if m.Payload != "" {
		if transfer.Cell, err = cells(m.Payload); err != nil {
			return transfer, fmt.Errorf("its payload: %w", err)
		}
	}
	if m.StateInit != "" {
		if transfer.Init, err = contract(m.StateInit); err != nil {
			return transfer, fmt.Errorf("its stateInit: %w", err)
		}
	}
	return transfer, nil
}

// cells decodes a bag of cells in base64.
func cells(text string) (*cell.Cell, error) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	return cell.FromBOC(raw)
}

// contract decodes the state_init of a deployment.
func contract(text string) (*tlb.StateInit, error) {
	root, err := cells(text)
	if err != nil {
		return nil, err
	}
	slice, err := root.BeginParse()
	if err != nil {
		return nil, err
	}
	init := new(tlb.StateInit)
	if err := tlb.LoadFromCell(init, slice); err != nil {
		return nil, err
	}
	if slice.BitsLeft() > 0 || slice.RefsNum() > 0 {
		return nil, errors.New("there is more in it than a state_init")
	}
	return init, nil
}

func (t transaction) shown() []Message {
	var list []Message
	for i, transfer := range t.transfers {
		text, ok := comment(transfer.Cell)
		list = append(list, Message{To: t.Messages[i].Address, Nanotons: transfer.Nanotons, Comment: text, Call: !ok})
	}
	return list
}

// comment reads a body's text; false for another body.
func comment(body *cell.Cell) (string, bool) {
	if body == nil || body.BitsSize() == 0 {
		return "", true
	}
	slice, err := body.BeginParse()
	if err != nil {
		return "", false
	}
	if op, err := slice.LoadUInt(32); err != nil || op != 0 {
		return "", false
	}
	text, err := slice.LoadStringSnake()
	return text, err == nil
}

// pay checks a payment again, since time has passed, and makes it; it returns the message in base64, also with chain.ErrTooLittle.
func (a *App) pay(player int64, r Request) (message string, err error) {
	w, err := a.walletOf(player)
	if err != nil {
		return "", err
	}
	t, err := a.parse(r.Params, w)
	if err != nil {
		return "", err
	}
	bag, err := a.cfg.Chain.Send(owner(player), t.transfers...)
	return base64.StdEncoding.EncodeToString(bag), err
}
