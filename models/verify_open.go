package models

import (
	"context"
	"fmt"
	"time"
)

// overdueActions lists questions that ExpireActions should have closed by its last run.
func overdueActions(ctx context.Context, s *Store, now time.Time) ([]string, error) {
	return s.leftOpen(ctx, ExpireActionsJob, "admin action %d", "SELECT id FROM admin_actions WHERE state = 'asked' AND expires_at < ? ORDER BY id LIMIT ?", now)
}

// leftOpen lists what a job should have closed by its last run: rows that the query finds due ten minutes before that run. What
// fell due while the program did not run is no fault.
func (s *Store) leftOpen(ctx context.Context, job, name, query string, now time.Time) ([]string, error) {
	last, err := s.LastRun(ctx, job, now)
	if err != nil {
		return nil, err
	}
	var ids []int64
	err = s.DB.reading(ctx).Raw(query, last.DoneAt.UTC().Add(-questionOverdue), mostListed).Scan(&ids).Error
	overdue := make([]string, len(ids))
	for i, id := range ids {
		overdue[i] = fmt.Sprintf(name, id)
	}
	return overdue, err
}

// overdueNonces lists nonces that ExpireNonces should have closed by its last run.
func overdueNonces(ctx context.Context, s *Store, now time.Time) ([]string, error) {
	return s.leftOpen(ctx, ExpireNoncesJob, "wallet nonce %d", "SELECT id FROM wallet_nonces WHERE state = 'open' AND expires_at < ? ORDER BY id LIMIT ?", now)
}
