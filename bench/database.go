package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// database is a PostgreSQL database of this run, with the program's tables and pgbench's.
type database struct {
	server, name, address string
	pid                   int // of the server's main process
}

var databases atomic.Int64

func newDatabase(ctx context.Context, server string) (*database, error) {
	db := &database{server: server, name: fmt.Sprintf("bench_%d_%d", os.Getpid(), databases.Add(1))}
	address, err := url.Parse(server)
	if err != nil {
		return nil, err
	}
	address.Path = "/" + db.name
	db.address = address.String()
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return nil, err
	}
	defer conn.Close(ctx) //nolint:errcheck // its work is done
	db.pid = processTime(int(conn.PgConn().PID())).parent
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+db.name); err != nil {
		return nil, err
	}
	return db, execute(ctx, db.address, peerTables)
}

func (db *database) drop() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := execute(ctx, db.server, "DROP DATABASE "+db.name+" WITH (FORCE)"); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
	}
}

// rows returns the number of rows for taps.
func (db *database) rows(ctx context.Context) (rows int64, err error) {
	conn, err := pgx.Connect(ctx, db.address)
	if err != nil {
		return 0, err
	}
	defer conn.Close(ctx) //nolint:errcheck // read only
	err = conn.QueryRow(ctx, `SELECT (SELECT COUNT(*) FROM postings WHERE reference LIKE 'tap:%')
		+ (SELECT COUNT(*) FROM idempotency_keys WHERE operation LIKE '%Tap')`).Scan(&rows)
	return rows, err
}

func execute(ctx context.Context, address, statements string) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer conn.Close(ctx) //nolint:errcheck // its work is done
	_, err = conn.Exec(ctx, statements)
	return err
}

// pgbench's tables have a tap's writes: one updated and one added row.
const peerTables = `
CREATE TABLE peer_player (id BIGINT PRIMARY KEY, coins BIGINT NOT NULL, energy BIGINT NOT NULL, taps INTEGER NOT NULL,
	at TIMESTAMPTZ NOT NULL) WITH (fillfactor = 80);
INSERT INTO peer_player SELECT id, 0, 0, 0, now() FROM generate_series(1, 5000) id;
CREATE TABLE peer_posting (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, player_id BIGINT NOT NULL, reference TEXT NOT NULL,
	amount BIGINT NOT NULL, memo TEXT NOT NULL, at TIMESTAMPTZ NOT NULL, UNIQUE (player_id, reference));`

const (
	txnScript = `\set id random(1, 5000)
\set r random(1, 9000000000000000)
BEGIN;
UPDATE peer_player SET coins = coins + 1000, energy = energy + 1, taps = taps + 1, at = now() WHERE id = :id;
INSERT INTO peer_posting (player_id, reference, amount, memo, at) VALUES (:id, 'tap:' || :r, 1000, '1 1 0 1 1000 0 0 0 0 0 0 0', now());
END;
`
	cteScript = `\set id random(1, 5000)
\set r random(1, 9000000000000000)
WITH changed AS (UPDATE peer_player SET coins = coins + 1000, energy = energy + 1, taps = taps + 1, at = now() WHERE id = :id RETURNING id)
INSERT INTO peer_posting (player_id, reference, amount, memo, at) SELECT id, 'tap:' || :r, 1000, '1 1 0 1 1000 0 0 0 0 0 0 0', now() FROM changed;
`
	peerConnections = "32"
)

// Query protocols of pgbench.
const (
	asItComes = "simple"
	prepared  = "prepared"
)

// pgbenchResult is the output of one run of pgbench.
type pgbenchResult struct {
	perSecond float64
	p99       time.Duration
	cost      cost // of one transaction
}

var (
	tps       = regexp.MustCompile(`tps = ([0-9.]+)`)
	processed = regexp.MustCompile(`actually processed: ([0-9]+)`)
)

// pgbench runs a script; its log has each transaction's time.
func (db *database) pgbench(ctx context.Context, protocol, script string, into *[]pgbenchResult) error {
	folder, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // temporary
	file := filepath.Join(folder, "script.sql")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "pgbench", "-n", "-M", protocol, "-c", peerConnections, "-j", "2", "-l", //nolint:gosec // our own arguments
		"-T", strconv.Itoa(int(length.Seconds())), "-f", file, db.address)
	cmd.Dir = folder
	before := serverTime(db.pid)
	output, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("pgbench: %w: %s", err, output)
	}
	spent := serverTime(db.pid) - before
	rate, count := tps.FindSubmatch(output), processed.FindSubmatch(output)
	if rate == nil || count == nil {
		return fmt.Errorf("pgbench printed no tps: %s", output)
	}
	perSecond, rateErr := strconv.ParseFloat(string(rate[1]), 64)
	transactions, countErr := strconv.ParseFloat(string(count[1]), 64)
	p99, logErr := p99OfLogs(folder)
	client := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	*into = append(*into, pgbenchResult{perSecond, p99, cost{Postgres: spent / transactions * 1e6, Client: client.Seconds() / transactions * 1e6}})
	return errors.Join(rateErr, countErr, logErr)
}
