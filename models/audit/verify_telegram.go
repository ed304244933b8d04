package audit

import (
	"context"
	"fmt"

	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/stars"
)

// StarsReport is how the recorded charges differ from Telegram's list of transactions.
type StarsReport struct {
	Found    []string // the first twenty differences
	Recorded int64    // transactions that were read again
	Waiting  int64    // in the list, and not read yet
}

func (r *StarsReport) find(format string, args ...any) {
	if len(r.Found) < mostListed {
		r.Found = append(r.Found, fmt.Sprintf(format, args...))
	}
}

// starsPage is the most transactions that Telegram lists at once.
const starsPage = 100

// VerifyStars compares what is recorded of payments in Stars with Telegram's list, transaction by transaction, beside a running server.
// list is a page of it, oldest first.
func (s *Auditor) VerifyStars(ctx context.Context, list func(ctx context.Context, offset int64, limit int) ([]stars.Transaction, error)) (report StarsReport, err error) {
	books, err := s.stars.Books(ctx) // read first: what is recorded later is in the list that is read later, too
	if err != nil {
		return report, err
	}
	var charges, refunds int64
	for offset := int64(0); ; offset += starsPage {
		page, err := list(ctx, offset, starsPage)
		if err != nil {
			return report, err
		}
		for i, t := range page {
			if offset+int64(i) >= books.Transactions {
				report.Waiting++
				continue
			}
			report.Recorded++
			booked, err := s.compareCharge(ctx, t, &report)
			if err != nil {
				return report, err
			}
			switch {
			case booked && t.Kind == stars.ChargeTransaction:
				charges++
			case booked:
				refunds++
			}
		}
		if len(page) < starsPage {
			break
		}
	}
	if report.Recorded < books.Transactions {
		report.find("%d transactions were read, and Telegram lists %d", books.Transactions, report.Recorded)
	}
	for _, c := range []struct {
		listed int64
		column string
	}{{charges, "listed"}, {refunds, "refund_listed"}} {
		recorded, err := db.Count(s.db.Read(ctx).Model(&models.StarCharge{}).Where(c.column))
		if err != nil {
			return report, err
		}
		if recorded < c.listed || recorded > c.listed+report.Waiting { // what waits may have been read meanwhile
			report.find("%d charges are recorded as %s, and Telegram lists %d", recorded, c.column, c.listed)
		}
	}
	return report, nil
}

// compareCharge compares a transaction with its charge; booked is false for one that is not the game's.
func (s *Auditor) compareCharge(ctx context.Context, t stars.Transaction, report *StarsReport) (booked bool, err error) {
	if t.Kind == stars.OtherTransaction {
		return false, nil
	}
	ours, err := s.stars.IsOurs(ctx, t)
	if err != nil || !ours {
		return false, err
	}
	c, err := s.stars.Charge(ctx, t.ChargeID)
	switch {
	case err != nil:
		report.find("%s of %d Stars is not recorded: %v", t.ChargeID, t.Stars, err)
		return false, nil
	case c.Stars != t.Stars || c.Payer != t.Payer:
		report.find("%s is recorded as %d Stars of %d, and Telegram lists %d of %d", t.ChargeID, c.Stars, c.Payer, t.Stars, t.Payer)
	case t.Kind == stars.ChargeTransaction && (c.Payload != t.Payload || !c.Listed):
		report.find("%s is recorded for %q, and Telegram lists it for %q", t.ChargeID, c.Payload, t.Payload)
	case t.Kind == stars.RefundTransaction && c.RefundedAt == nil:
		report.find("%s was refunded, which is not recorded", t.ChargeID)
	}
	return true, nil
}
