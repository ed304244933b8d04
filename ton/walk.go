package ton

import (
	"context"
	"errors"
	"fmt"

	"github.com/tonkeeper/tongo/boc"
)

// Errors of a read, besides the errors of single servers.
var (
	// ErrNoServer says that no lite server gave a usable answer, or too few to be believed. Try again later.
	ErrNoServer = errors.New("no lite server answers")
	// ErrDiffer says that servers show different histories and none has a majority. Nothing may be
	// credited until they agree.
	ErrDiffer = errors.New("lite servers differ")
	// ErrBehind says that all servers are behind the cursor. The cursor stays; try again later.
	ErrBehind = errors.New("lite servers are behind the cursor")
	// ErrCursorLost says that the account's history, as servers agree on it, does not contain the cursor: it was read from
	// another chain, or for another account. A person must investigate.
	ErrCursorLost = errors.New("the cursor is not in the account's history")
	// ErrTruncated says that no server keeps the history back to the cursor.
	ErrTruncated = errors.New("lite servers have forgotten the history since the cursor")
)

// pager returns pages of an account's history, newest first.
type pager interface {
	page(ctx context.Context, account Address, from Cursor, most uint32) ([]*boc.Cell, error)
}

// walk reads back from head to the cursor and hands over the transactions page by page, newest first. Each hash is recomputed
// from its cell, so only the history that leads to head is accepted. If a server sends anything else, blame is called and the
// next server is asked. If no server gives a whole page, all are asked again for a quarter of one: sixteen messages may be more
// than a server sends, or we read, at once, and nobody who sends large ones may stop the payments of all. An error of take ends
// the walk.
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
	forgotten := true // until a server fails for another reason
	tried := 0        // the first server that was asked since the last accepted page
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

// readPage returns the transactions of a page that are proven, and why the page is not whole.
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
		if err == nil && hash != at.Hash { // what is of no true transaction is not decoded: its dictionaries may have no end
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

// LieError is an answer of a server that cannot be true.
type LieError struct{ What string }

func (e *LieError) Error() string { return e.What }

// recoverLie turns a panic of the parsing library into a LieError.
func recoverLie(err *error) {
	if r := recover(); r != nil {
		*err = &LieError{fmt.Sprintf("its answer cannot be read: %v", r)}
	}
}
