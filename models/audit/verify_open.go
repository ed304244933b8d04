package audit

import (
	"context"
	"time"

	"mcbk/models/admin"
	"mcbk/models/wallet"
)

// overdueActions lists questions that ExpireActions should have closed by its last run.
var overdueActions = staleRows(admin.ExpireActionsJob, "admin action %s",
	"SELECT id FROM admin_actions WHERE state = 'asked' AND expires_at < ? ORDER BY id LIMIT ?")

// staleRows is the check for what a job should have closed by its last run: rows that the query finds due ten minutes before that run.
// What fell due while the program did not run is no fault.
func staleRows(job, what, query string) databaseCheck {
	return func(ctx context.Context, s *Auditor, now time.Time) ([]string, error) {
		last, err := s.alarms.LastRun(ctx, job, now)
		if err != nil {
			return nil, err
		}
		return list(s.db.Read(ctx), what, query, last.DoneAt.UTC().Add(-admin.ConfirmationOverdue))
	}
}

// overdueNonces lists nonces that ExpireNonces should have closed by its last run.
var overdueNonces = staleRows(wallet.ExpireNoncesJob, "wallet nonce %s",
	"SELECT id FROM wallet_nonces WHERE state = 'open' AND expires_at < ? ORDER BY id LIMIT ?")
