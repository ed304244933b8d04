package trial

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// Postgres is a trial's own PostgreSQL server, for injecting faults.
type Postgres struct {
	Address string // of its database postgres
	folder  string
	port    int
	as      *syscall.Credential // PostgreSQL refuses to run as root
	process *os.Process
	ended   chan struct{} // closed when the process has
}

// NewPostgresServer creates a server in a folder, optionally with its write-ahead log in another one, and starts it.
func NewPostgresServer(ctx context.Context, folder, wal string) (*Postgres, error) {
	p := &Postgres{folder: folder}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	if os.Getuid() == 0 {
		if err := p.becomePostgres(folder, wal); err != nil {
			return nil, err
		}
	}
	initdb, err := postgresProgram("initdb")
	if err != nil {
		return nil, err
	}
	// Small WAL segments, for small disks.
	arguments := []string{"-D", p.data(), "-U", "postgres", "-A", "trust", "-N", "--wal-segsize=1"}
	if wal != "" {
		arguments = append(arguments, "--waldir", filepath.Join(wal, "wal"))
	}
	cmd := exec.CommandContext(ctx, initdb, arguments...) //nolint:gosec // found by program
	p.dress(cmd)
	if output, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, output)
	}
	if p.port, err = freePort(ctx); err != nil {
		return nil, err
	}
	p.Address = fmt.Sprintf("postgres://postgres@127.0.0.1:%d/postgres?sslmode=disable", p.port)
	return p, p.Start(ctx)
}

func (p *Postgres) becomePostgres(folders ...string) error {
	account, err := user.Lookup("postgres")
	if err != nil {
		return err
	}
	uid, err := strconv.ParseUint(account.Uid, 10, 32)
	if err != nil {
		return err
	}
	gid, err := strconv.ParseUint(account.Gid, 10, 32)
	if err != nil {
		return err
	}
	p.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	for _, folder := range folders {
		if folder == "" {
			continue
		}
		if err := os.Chown(folder, int(uid), int(gid)); err != nil {
			return err
		}
	}
	return nil
}

func (p *Postgres) data() string { return filepath.Join(p.folder, "data") }

// postgresProgram finds a program of the newest installed PostgreSQL.
func postgresProgram(name string) (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if err == nil && len(found) > 0 {
		return slices.Max(found), nil
	}
	return exec.LookPath(name)
}

func (p *Postgres) dress(cmd *exec.Cmd) {
	cmd.Dir = p.folder
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.as, Pdeathsig: syscall.SIGKILL}
}

// Start starts the server and waits until it answers.
func (p *Postgres) Start(ctx context.Context) error {
	server, err := postgresProgram("postgres")
	if err != nil {
		return err
	}
	cmd := exec.Command(server, "-D", p.data(), "-p", strconv.Itoa(p.port), "-k", p.data(), //nolint:gosec,noctx // found by program; it ends with us
		"-c", "listen_addresses=127.0.0.1", "-c", "max_connections=300", "-c", "shared_buffers=16MB", "-c", "min_wal_size=2MB", "-c", "max_wal_size=16MB")
	p.dress(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	p.process, p.ended = cmd.Process, make(chan struct{})
	go func(ended chan struct{}) {
		defer close(ended)
		_ = cmd.Wait()
	}(p.ended)
	return p.answers(ctx)
}

func (p *Postgres) answers(ctx context.Context) error {
	db, err := sql.Open("pgx", p.Address)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // nothing was asked
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		failed := db.PingContext(ctx)
		if failed == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("PostgreSQL does not answer: %w", failed)
		case <-p.ended:
			return fmt.Errorf("PostgreSQL has ended: %w", failed)
		case <-again.C:
		}
	}
}

// Stop ends the server: cleanly, or as a crash would.
func (p *Postgres) Stop(crash bool) {
	how := syscall.SIGINT
	if crash {
		how = syscall.SIGQUIT
	}
	_ = p.process.Signal(how) // unless it has ended
	<-p.ended
}

// Runs reports whether the server is running.
func (p *Postgres) Runs() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

func freePort(ctx context.Context) (int, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close() //nolint:errcheck // it only finds a port
	address, ok := listener.Addr().(*net.TCPAddr)
	if !ok {
		return 0, fmt.Errorf("%s has no port", listener.Addr())
	}
	return address.Port, nil
}
