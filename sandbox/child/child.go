// Package child runs mcbk: it starts, watches and stops it and stores the end of its log.
package child

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"sort"
	"sync"
	"syscall"
	"time"
)

// State is the program's state.
type State string

// The states of a child. A crashed program is restarted only on request.
const (
	None     State = "none" // no program was given
	Stopped  State = "stopped"
	Starting State = "starting"
	Ready    State = "ready"
	Stopping State = "stopping"
	Crashed  State = "crashed"
)

// Config describes the program.
type Config struct {
	Path     string            // of the binary; empty runs nothing
	Dir      string            // its working directory
	Env      map[string]string // its whole environment, with PATH and HOME
	ReadyURL string            // answers 200 once it serves
	Output   io.Writer         // gets its log, line by line
	Changed  func()            // called after every change of state
	Logged   func(line string) // called with every line of its log
	// Grace is how long a stop waits before it kills.
	Grace time.Duration
	// StartTimeout is how long a start may take.
	StartTimeout time.Duration
}

// Status is the child's state.
type Status struct {
	State State    `json:"state"`
	PID   int      `json:"pid,omitempty"`
	Exit  string   `json:"exit,omitempty"` // how the last run ended
	Since string   `json:"since,omitempty"`
	Log   []string `json:"log"`
}

// Child is a program, run any number of times.
type Child struct {
	cfg    Config
	log    *ring
	client http.Client

	turn sync.Mutex // serial starts and stops

	mu    sync.Mutex
	state State
	since time.Time
	run   *run
	exit  string
}

// run is one process.
type run struct {
	cmd   *exec.Cmd
	ended chan struct{}
	asked bool // stopped on request: its end is no crash
}

// ErrNone means that no program is configured.
var ErrNone = errors.New("the sandbox runs without mcbk: give -mcbk PATH")

// New starts nothing.
func New(cfg Config) *Child {
	c := &Child{cfg: cfg, state: Stopped, client: http.Client{Timeout: 2 * time.Second}}
	if cfg.Path == "" {
		c.state = None
	}
	c.log = newRing(func(line string) {
		_, _ = fmt.Fprintln(cfg.Output, line)
		if cfg.Logged != nil {
			cfg.Logged(line)
		}
	})
	return c
}

// Status returns the child's state, with the end of its log.
func (c *Child) Status() Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := Status{State: c.state, Exit: c.exit, Log: c.log.lines()}
	if !c.since.IsZero() {
		s.Since = c.since.UTC().Format(time.RFC3339)
	}
	if c.run != nil {
		s.PID = c.run.cmd.Process.Pid
	}
	return s
}

// Start runs the program, unless it runs, and returns once it is ready.
func (c *Child) Start(ctx context.Context) error {
	if c.cfg.Path == "" {
		return ErrNone
	}
	c.turn.Lock()
	defer c.turn.Unlock()
	c.mu.Lock()
	r := c.run
	leaving := r != nil && r.asked
	c.mu.Unlock()
	if leaving {
		<-r.ended
		r = nil
	}
	if r == nil {
		var err error
		if r, err = c.launch(); err != nil {
			return fmt.Errorf("start mcbk: %w", err)
		}
	}
	return c.waitReady(ctx, r)
}

func (c *Child) launch() (*run, error) {
	cmd := exec.Command(c.cfg.Path) //nolint:noctx // it outlives the request that starts it
	cmd.Dir = c.cfg.Dir
	cmd.Env = c.environment()
	cmd.Stdout = c.log
	cmd.Stderr = c.log
	cmd.WaitDelay = time.Second // for a grandchild that holds the log open
	cmd.SysProcAttr = attributes()

	r := &run{cmd: cmd, ended: make(chan struct{})}
	started := make(chan error)
	go func() {
		// The kernel ties "die with the parent" to the starting thread, so that thread is locked while the program runs.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		if err == nil {
			c.mu.Lock()
			c.run, c.exit = r, ""
			c.become(Starting)
			c.mu.Unlock()
		}
		started <- err
		if err != nil {
			return
		}
		c.cfg.changed()
		c.ended(r, cmd.Wait())
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return r, nil
}

func (c *Child) ended(r *run, err error) {
	c.log.flush()
	c.mu.Lock()
	c.run = nil
	c.exit = "exit status 0"
	if err != nil {
		c.exit = err.Error()
	}
	if r.asked {
		c.become(Stopped)
	} else {
		c.become(Crashed)
		c.log.add("sandbox: mcbk ended by itself: " + c.exit)
	}
	c.mu.Unlock()
	close(r.ended)
	c.cfg.changed()
}

func (c *Child) waitReady(ctx context.Context, r *run) error {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.StartTimeout)
	defer cancel()
	for {
		if c.answers(ctx) {
			c.mu.Lock()
			if c.run == r && c.state == Starting {
				c.become(Ready)
			}
			c.mu.Unlock()
			c.cfg.changed()
			return nil
		}
		select {
		case <-r.ended:
			return fmt.Errorf("mcbk ended before it was ready: %s", c.Status().Exit)
		case <-ctx.Done():
			return fmt.Errorf("mcbk is not ready after %v", c.cfg.StartTimeout)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (c *Child) answers(ctx context.Context) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.cfg.ReadyURL, nil)
	if err != nil {
		return false
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// Stop stops the program, kills it after the grace period, and returns when it has ended.
func (c *Child) Stop() error { return c.end(syscall.SIGTERM) }

// Kill kills the program, as a crash of the machine would.
func (c *Child) Kill() error { return c.end(syscall.SIGKILL) }

func (c *Child) end(signal syscall.Signal) error {
	if c.cfg.Path == "" {
		return ErrNone
	}
	c.mu.Lock()
	r := c.run
	if r == nil {
		if c.state == Crashed {
			c.become(Stopped)
		}
		c.mu.Unlock()
		c.cfg.changed()
		return nil
	}
	r.asked = true
	c.become(Stopping)
	c.mu.Unlock()
	c.cfg.changed()
	// An error means that it has ended.
	_ = r.cmd.Process.Signal(signal)
	select {
	case <-r.ended:
	case <-time.After(c.cfg.Grace):
		c.log.add("sandbox: mcbk did not stop in " + c.cfg.Grace.String() + ", killing it")
		_ = r.cmd.Process.Kill()
		<-r.ended
	}
	return nil
}

// become sets a state; the caller holds the lock.
func (c *Child) become(s State) { c.state, c.since = s, time.Now() }

func (c *Child) environment() []string {
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
	for k, v := range c.cfg.Env {
		env = append(env, k+"="+v)
	}
	sort.Strings(env)
	return env
}

func (cfg Config) changed() {
	if cfg.Changed != nil {
		cfg.Changed()
	}
}
