package jobs

import (
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/audit"
	"mcbk/models/db"
	"mcbk/models/treasury"
	"mcbk/ton"
)

type treasuryChain struct {
	reader  *ton.Reader
	account ton.Address
	servers *serverLog // nil where nobody reads the log
}

// NewChain reads an account's history. The log names failed lite servers.
func NewChain(reader *ton.Reader, account ton.Address, log *slog.Logger) Chain {
	return treasuryChain{reader, account, newServerLog(log)}
}

// NewWholeChain reads an account's history for verify.
func NewWholeChain(reader *ton.Reader, account ton.Address) audit.WholeChain {
	return treasuryChain{reader: reader, account: account}
}

// Servers is how many lite servers are listed.
func (c treasuryChain) Servers(ctx context.Context) (int, error) { return c.reader.Servers(ctx) }

// Read lists the account's transactions after the cursor, as far as the servers agree.
func (c treasuryChain) Read(ctx context.Context, since models.ChainCursor, now time.Time) (treasury.History, error) {
	after, err := tonCursor(since)
	if err != nil {
		return treasury.History{}, err
	}
	read, err := c.reader.Read(ctx, c.account, after, now)
	if c.servers != nil {
		c.servers.record(ctx, read.Servers)
	}
	if err != nil {
		return treasury.History{}, err
	}
	single, err := c.isSingleSource(ctx, read)
	if err != nil {
		return treasury.History{}, err
	}
	history := treasury.History{Since: since, Head: cursor(read.Head), KnownUntil: read.Block.Time, Agreed: read.Agreed, SingleSource: single}
	for _, t := range read.Transactions {
		history.Transactions = append(history.Transactions, transaction(t))
	}
	return history, nil
}

// isSingleSource reports whether only one lite server of several has it.
func (c treasuryChain) isSingleSource(ctx context.Context, read ton.History) (bool, error) {
	listed, err := c.reader.Servers(ctx)
	return read.Agreed == 1 && listed > 1, err
}

// Head returns the account's latest transaction, as far as the servers agree; models.ErrOneServer if only one of several has it.
func (c treasuryChain) Head(ctx context.Context, now time.Time) (models.ChainCursor, error) {
	read, err := c.reader.Head(ctx, c.account, now)
	if err != nil {
		return models.ChainCursor{}, err
	}
	single, err := c.isSingleSource(ctx, read)
	if err == nil && single {
		err = treasury.ErrOneServer
	}
	return cursor(read.Head), err
}

// ReadBack reads the same history newest first, page by page.
func (c treasuryChain) ReadBack(ctx context.Context, since models.ChainCursor, now time.Time, take func([]treasury.ChainTransaction) error) (treasury.History, error) {
	after, err := tonCursor(since)
	if err != nil {
		return treasury.History{}, err
	}
	read, err := c.reader.ReadBack(ctx, c.account, after, now, func(page []ton.Transaction) error {
		return take(db.MapSlice(page, transaction))
	})
	single, unlisted := c.isSingleSource(ctx, read)
	if errors.Is(err, ton.ErrCursorLost) {
		err = audit.ErrNotOnChain
	}
	history := treasury.History{Since: since, Head: cursor(read.Head), KnownUntil: read.Block.Time, SingleSource: single}
	if err == nil {
		history.Agreed = read.Agreed
	}
	return history, errors.Join(err, unlisted)
}

// HashOf returns the hash, in hex, of a stored transaction.
func (treasuryChain) HashOf(stored []byte) (string, error) {
	h, err := ton.HashOf(stored)
	return hex.EncodeToString(h[:]), err
}

// transaction converts a transaction of the chain to the form in which it is stored.
func transaction(t ton.Transaction) treasury.ChainTransaction {
	one := treasury.ChainTransaction{
		ChainCursor: cursor(t.Cursor), Prev: cursor(t.Prev), At: t.Time, Kind: string(t.Kind),
		Amount: t.Value, Comment: t.Comment.Text, CommentKind: string(t.Comment.Kind), BoC: t.BoC,
	}
	for _, sent := range t.Sent {
		if !sent.Bounced {
			one.Sent = append(one.Sent, treasury.ChainTransfer{To: sent.To.Raw(), Amount: sent.Value, Comment: sent.Comment.Text})
		}
	}
	if t.Source != (ton.Address{}) {
		one.Source = t.Source.Raw()
	}
	if t.Kind == ton.Incoming && t.Comment.Kind == ton.CommentJetton && t.Value < game.LeastPurchase {
		one.Kind = string(ton.CommentJetton) // another coin; so little TON only pays for the notification
	}
	return one
}

// cursor converts a cursor to the form in which it is stored; before the first transaction its hash is empty.
func cursor(c ton.Cursor) models.ChainCursor {
	if c.LT == 0 {
		return models.ChainCursor{}
	}
	return models.ChainCursor{LT: int64(c.LT), Hash: hex.EncodeToString(c.Hash[:])} //nolint:gosec // logical times are far below
}

func tonCursor(c models.ChainCursor) (after ton.Cursor, err error) {
	if c.LT == 0 {
		return ton.Cursor{}, nil
	}
	after.LT = uint64(c.LT) //nolint:gosec // never negative, see the table
	_, err = hex.Decode(after.Hash[:], []byte(c.Hash))
	return after, err
}
