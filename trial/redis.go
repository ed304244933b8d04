package trial

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
)

// Redis is a trial's own server without persistence, for injecting faults.
type Redis struct {
	Address string
	port    int
	cmd     *exec.Cmd
}

// redisStarts limits its start.
const redisStarts = 10 * time.Second

// NewRedis starts a server.
func NewRedis(ctx context.Context) (*Redis, error) {
	port, err := freePort(ctx)
	if err != nil {
		return nil, err
	}
	r := &Redis{Address: fmt.Sprintf("redis://127.0.0.1:%d", port), port: port}
	return r, r.Start(ctx)
}

// Start starts the server again, empty.
func (r *Redis) Start(ctx context.Context) error {
	//nolint:gosec,noctx // our own arguments; it ends with us
	r.cmd = exec.Command("redis-server", "--port", strconv.Itoa(r.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no")
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := r.cmd.Start(); err != nil {
		return fmt.Errorf("redis-server, which `make services` installs: %w", err)
	}
	for deadline := time.Now().Add(redisStarts); ; time.Sleep(20 * time.Millisecond) {
		if err := r.do(ctx, "PING"); err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return errors.New("the Redis of this trial does not answer")
		}
	}
}

// Flush deletes all keys.
func (r *Redis) Flush(ctx context.Context) error { return r.do(ctx, "FLUSHALL") }

func (r *Redis) do(ctx context.Context, command string) error {
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + strconv.Itoa(r.port), MaxRetries: -1})
	defer client.Close() //nolint:errcheck // used once
	return client.Do(ctx, command).Err()
}

// Stop kills the server.
func (r *Redis) Stop() {
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
}
