package ton

import (
	"context"
	"errors"
	"fmt"

	"github.com/tonkeeper/tongo/boc"
)

// Errors of a read that are not of a single server.
var (
	// ErrNoServer means no usable response, or no quorum; retry later.
	ErrNoServer = errors.New("no lite server answers")
	// ErrDiffer means different histories without a majority: nothing may be credited.
	ErrDiffer = errors.New("lite servers differ")
	// ErrBehind means that all servers lag behind the cursor; retry later.
	ErrBehind = errors.New("lite servers are behind the cursor")
	// ErrCursorLost means that the agreed history lacks the cursor: it belongs to another chain or account. An operator must investigate.
	ErrCursorLost = errors.New("the cursor is not in the account's history")
	// ErrTruncated means that all servers have pruned the history since the cursor.
	ErrTruncated = errors.New("lite servers have pruned the history since the cursor")
)

// pager returns pages of an account's history, newest first.
type pager interface {
	page(ctx context.Context, account Address, from Cursor, most uint32) ([]*boc.Cell, error)
}

// walk reads back from head to the cursor and passes pages to take, newest first, until it returns an error. Each hash is recomputed, so
// only the history of head is accepted. For other data it calls blame and tries the next server. If no server returns a whole page, all
// are retried with a quarter of it: large messages may exceed a response's limit, and must not block payments.
func walk(ctx context.Context, account Address, head, since Cursor, servers []pager, blame func(int, error), take func([]Transaction) error) error {
	switch {
	case head == since:
		return nil
	case head.LT < since.LT:
		return ErrBehind
	case head.LT == since.LT:
		return ErrCursorLost
	}
	at, server, most := head, 0, uint32(pageSize)
	forgotten := true // until another error
	tried := 0        // since the last accepted page
	for at != since {
		if at.LT <= since.LT {
			return ErrCursorLost
		}
		if server == len(servers) {
			switch {
			case forgotten:
				return ErrTruncated
			case most == 1:
				return ErrNoServer
			}
			server, most, forgotten = 0, max(1, most/4), true
			for ; tried < len(servers); tried++ {
				blame(tried, nil)
			}
			tried = 0
		}
		page, err := readPage(ctx, servers[server], account, at, since, most)
		if len(page) > 0 {
			at = page[len(page)-1].Prev
			if err := take(page); err != nil {
				return err
			}
		}
		if err == nil {
			tried, most = server, min(2*most, pageSize)
		} else {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			forgotten = forgotten && errors.Is(err, ErrTruncated)
			blame(server, err)
			server++
		}
	}
	return nil
}

// readPage returns a page's proven transactions, and why it is incomplete.
func readPage(ctx context.Context, server pager, account Address, at, since Cursor, most uint32) (page []Transaction, err error) {
	defer recoverLie(&err)
	cells, err := server.page(ctx, account, at, most)
	if err != nil {
		return nil, err
	}
	if len(cells) == 0 {
		return nil, ErrTruncated
	}
	for _, cell := range cells {
		if at.LT <= since.LT {
			break
		}
		hash, err := hashOf(cell)
		if err == nil && hash != at.Hash { // an unproven transaction is not decoded: its dictionaries may be endless
			err = &LieError{fmt.Sprintf("its transaction %d is altered: the hash does not fit", at.LT)}
		}
		if err != nil {
			return page, err
		}
		t, owner, err := decode(cell)
		switch {
		case err != nil:
			return page, err
		case t.Cursor != at:
			return page, &LieError{fmt.Sprintf("its transaction %d has another time", at.LT)}
		case owner != account.Hash:
			return page, &LieError{fmt.Sprintf("transaction %d is of another account", at.LT)}
		case t.Prev.LT >= t.LT:
			return page, &LieError{fmt.Sprintf("transaction %d follows a later one", at.LT)}
		}
		page, at = append(page, t), t.Prev
	}
	return page, nil
}

// LieError is a provably false response.
type LieError struct{ What string }

func (e *LieError) Error() string { return e.What }

func recoverLie(err *error) {
	if r := recover(); r != nil {
		*err = &LieError{fmt.Sprintf("its answer cannot be read: %v", r)}
	}
}
