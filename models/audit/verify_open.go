package audit

import (
	"context"
	"fmt"
	"time"

	"mcbk/models/admin"
	"mcbk/models/wallet"
)

// overdueActions lists questions that ExpireActions should have closed by its last run.
func overdueActions(ctx context.Context, s *Auditor, now time.Time) ([]string, error) {
	return s.staleRows(ctx, admin.ExpireActionsJob, "admin action %d", "SELECT id FROM admin_actions WHERE state = 'asked' AND expires_at < ? ORDER BY id LIMIT ?", now)
}

// staleRows lists what a job should have closed by its last run: rows that the query finds due ten minutes before that run. What
// fell due while the program did not run is no fault.
func (s *Auditor) staleRows(ctx context.Context, job, name, query string, now time.Time) ([]string, error) {
	last, err := s.alarms.LastRun(ctx, job, now)
	if err != nil {
		return nil, err
	}
	var ids []int64
	err = s.db.Read(ctx).Raw(query, last.DoneAt.UTC().Add(-admin.ConfirmationOverdue), mostListed).Scan(&ids).Error
	overdue := make([]string, len(ids))
	for i, id := range ids {
		overdue[i] = fmt.Sprintf(name, id)
	}
	return overdue, err
}

// overdueNonces lists nonces that ExpireNonces should have closed by its last run.
func overdueNonces(ctx context.Context, s *Auditor, now time.Time) ([]string, error) {
	return s.staleRows(ctx, wallet.ExpireNoncesJob, "wallet nonce %d", "SELECT id FROM wallet_nonces WHERE state = 'open' AND expires_at < ? ORDER BY id LIMIT ?", now)
}
