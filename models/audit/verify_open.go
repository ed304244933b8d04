package audit

import (
	"context"
	"time"

	"mcbk/models/admin"
	"mcbk/models/wallet"
)

// overdueActions lists questions that ExpireActions should have closed by its last run.
func overdueActions(ctx context.Context, s *Auditor, now time.Time) ([]string, error) {
	return s.staleRows(ctx, admin.ExpireActionsJob, "admin action %s", "SELECT id FROM admin_actions WHERE state = 'asked' AND expires_at < ? ORDER BY id LIMIT ?", now)
}

// staleRows lists what a job should have closed by its last run: rows that the query finds due ten minutes before that run. What
// fell due while the program did not run is no fault.
func (s *Auditor) staleRows(ctx context.Context, job, what, query string, now time.Time) ([]string, error) {
	last, err := s.alarms.LastRun(ctx, job, now)
	if err != nil {
		return nil, err
	}
	return list(s.db.Read(ctx), what, query, last.DoneAt.UTC().Add(-admin.ConfirmationOverdue))
}

// overdueNonces lists nonces that ExpireNonces should have closed by its last run.
func overdueNonces(ctx context.Context, s *Auditor, now time.Time) ([]string, error) {
	return s.staleRows(ctx, wallet.ExpireNoncesJob, "wallet nonce %s", "SELECT id FROM wallet_nonces WHERE state = 'open' AND expires_at < ? ORDER BY id LIMIT ?", now)
}
