package db

import (
	"context"
	"database/sql"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// postgresLease is an advisory lock of a session of its own: PostgreSQL frees it when the session ends, and ends the session when
// it is silent for a while (from version 14 on). It needs a direct connection; behind a transaction pooler the next check runs in
// another session, which does not hold the lock, and that is noticed. Each schema has its own locks.
type postgresLease struct {
	name string
	pool *sql.DB // of one connection

	mu   sync.Mutex // one check at a time: the jobs and the heartbeat check concurrently
	conn *sql.Conn
}

func newPostgresLease(settings *pgx.ConnConfig, name string) *postgresLease {
	own := settings.Copy()
	own.RuntimeParams["application_name"] = "mcbk lease"
	return &postgresLease{name: name, pool: stdlib.OpenDB(*own, stdlib.OptionAfterConnect(endsWhenSilent))}
}

func endsWhenSilent(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "SELECT set_config(name, $1, false) FROM pg_settings WHERE name = 'idle_session_timeout'",
		fmt.Sprint(leaseTimeout.Milliseconds()))
	return err
}

func (l *postgresLease) Take(ctx context.Context) (ours bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn == nil {
		if l.conn, err = l.pool.Conn(ctx); err != nil {
			return false, err
		}
	}
	err = l.conn.QueryRowContext(ctx, "SELECT pg_try_advisory_lock(hashtext($1), hashtext(current_schema()))", l.name).Scan(&ours)
	return ours, err
}

func (l *postgresLease) Held(ctx context.Context) (ours bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	err = l.conn.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = pg_backend_pid()
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
		AND classid = CAST(hashtext($1) AS oid) AND objid = CAST(hashtext(current_schema()) AS oid) AND objsubid = 2)`, l.name).Scan(&ours)
	return ours, err
}

func (l *postgresLease) Close() error {
	if l.conn != nil {
		_ = l.conn.Close() // only returned; the pool closes it
	}
	return l.pool.Close()
}
