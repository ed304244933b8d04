package trial

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Backup copies the live database consistently to a new file, by the commands of docs/operations.md.
func (d Database) Backup(ctx context.Context, file string) error {
	if !d.isFile() {
		return tool(ctx, "pg_dump", "--format=custom", "--file="+file, d.Address)
	}
	db, err := sql.Open("sqlite", strings.TrimPrefix(d.Address, "sqlite:")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // it only copies
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", file)
	return err
}

// Restore fills an empty, unused database from a backup.
func (d Database) Restore(ctx context.Context, file string) error {
	if !d.isFile() {
		return tool(ctx, "pg_restore", "--exit-on-error", "--no-owner", "--dbname="+d.Address, file)
	}
	text, err := os.ReadFile(file) //nolint:gosec // the trial's own
	if err != nil {
		return err
	}
	return os.WriteFile(strings.TrimPrefix(d.Address, "sqlite:"), text, 0o600)
}

func tool(ctx context.Context, name string, arguments ...string) error {
	program, err := postgresProgram(name)
	if err != nil {
		return err
	}
	output, err := exec.CommandContext(ctx, program, arguments...).CombinedOutput() //nolint:gosec // found by postgresProgram
	if err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(program), err, output)
	}
	return nil
}
