// Package trial tests the built program from outside: it plays over HTTP with signed launch data, kills the program and verifies its
// ledger, for benchmarks and drills. Everything runs on loopback.
package trial

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Token is the bot token of programs under test.
const Token = "1234:trial-token"

// AdSecret is the secret of the trial's ad network.
const AdSecret = "trial-secret"

const (
	// startTime limits a start on a busy machine.
	startTime = 3 * time.Minute
	// verifyTries limits retries of a verify that could not check, as on a busy machine.
	verifyTries = 10
	// longestLine fits a panic with its stack.
	longestLine = 1 << 20
)

// Program is a running mcbk.
type Program struct {
	URL  string // of its API, such as http://127.0.0.1:40123
	ops  string // of its metrics
	cmd  *exec.Cmd
	log  *tail
	done chan struct{} // closed when it has ended
}

// Settings are the environment of a program with this database, without limits and Telegram.
func Settings(database string, more ...string) []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"),
		"BOT_TOKEN=" + Token, "WEBAPP_URL=http://localhost:8080", "TELEGRAM_API_URL=http://127.0.0.1:1",
		"LISTEN=127.0.0.1:0", "OPS_LISTEN=127.0.0.1:0", "DATABASE_URL=" + database, "LOG_FORMAT=json",
		"RATE_LIMIT_IP=0", "RATE_LIMIT_USER=0",
		"ADS_SCRIPT_URL=https://ads.example/sdk.js", "ADS_BLOCK_ID=1", "ADS_SECRET=" + AdSecret,
	}, more...)
}

var readyLine = regexp.MustCompile(`"msg":"ready","address":"([^"]+)".*"ops":"([^"]+)"`)

// Start runs the binary until it is ready, and restarts it, like an operator, when the database was not reachable in time.
func Start(ctx context.Context, binary string, settings []string) (*Program, error) {
	p, err := start(ctx, binary, settings)
	for try := 1; try < startTries && errors.Is(err, errNotReached); try++ {
		p, err = start(ctx, binary, settings)
	}
	return p, err
}

const startTries = 10

var (
	errNotReached = errors.New("the database was not reached")
	notReached    = regexp.MustCompile(`mcbk: (DATABASE_URL: reach the database|migrate: failed to initialize: failed to connect|ask the database for the time)|database is not available, try again`)
)

func start(ctx context.Context, binary string, settings []string) (*Program, error) {
	cmd := exec.Command(binary) //nolint:gosec,noctx // the binary under trial; it ends with us
	cmd.Env = settings
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", binary, err)
	}
	p := &Program{cmd: cmd, log: &tail{}, done: make(chan struct{})}
	ready := make(chan []string, 1)
	go func() {
		defer close(p.done)
		lines := bufio.NewScanner(stderr)
		lines.Buffer(nil, longestLine)
		for lines.Scan() {
			p.log.add(lines.Text())
			if match := readyLine.FindStringSubmatch(lines.Text()); match != nil {
				ready <- match[1:]
			}
		}
		_ = cmd.Wait()
	}()
	select {
	case addresses := <-ready:
		p.URL, p.ops = "http://"+addresses[0], "http://"+addresses[1]
		return p, nil
	case <-p.done:
		err := fmt.Errorf("the program ended before it was ready: %s", p.log)
		if notReached.MatchString(err.Error()) {
			err = fmt.Errorf("%w: %w", errNotReached, err)
		}
		return nil, err
	case <-time.After(startTime):
		p.Kill()
		return nil, errors.New("the program is not ready in time")
	case <-ctx.Done():
		p.Kill()
		return nil, ctx.Err()
	}
}

// Kill is kill -9; it returns when the process has ended.
func (p *Program) Kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
}

// Term sends SIGTERM and returns the exit error.
func (p *Program) Term(within time.Duration) error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case <-p.done:
	case <-time.After(within):
		p.Kill()
		return fmt.Errorf("the program still runs %s after SIGTERM", within)
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 0 {
		return fmt.Errorf("the program ended with exit %d: %s", code, p.log)
	}
	return nil
}

// PID is the program's process id.
func (p *Program) PID() int { return p.cmd.Process.Pid }

// Log returns the end of the program's log.
func (p *Program) Log() string { return p.log.String() }

// Failures returns the first error lines of the log.
func (p *Program) Failures() []string {
	p.log.mu.Lock()
	defer p.log.mu.Unlock()
	return slices.Clone(p.log.failures)
}

// Goroutines returns the program's number of goroutines.
func (p *Program) Goroutines(ctx context.Context) (int, error) {
	count, err := p.Metric(ctx, "go_goroutines")
	return int(count), err
}

// Metric returns the value of one of the program's metrics without labels.
func (p *Program) Metric(ctx context.Context, name string) (float64, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.ops+"/metrics", nil)
	if err != nil {
		return 0, err
	}
	request.Close = true // a kept-alive connection would be counted
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close() //nolint:errcheck // read only
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err
	}
	match := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (\S+)$`).FindSubmatch(text)
	if match == nil {
		return 0, fmt.Errorf("the metrics tell no %s: %.200s", name, text)
	}
	return strconv.ParseFloat(string(match[1]), 64)
}

// Freeze pauses the program (SIGSTOP); Thaw lets it go on.
func (p *Program) Freeze() error { return p.cmd.Process.Signal(syscall.SIGSTOP) }

// Thaw ends Freeze.
func (p *Program) Thaw() error { return p.cmd.Process.Signal(syscall.SIGCONT) }

// Verify runs `mcbk verify`, with retries while it cannot check; an error has its findings.
func Verify(ctx context.Context, binary string, settings []string) error {
	return verifyUntilSound(ctx, binary, settings)
}

// VerifyChain runs `mcbk verify --chain`.
func VerifyChain(ctx context.Context, binary string, settings []string) error {
	return verifyUntilSound(ctx, binary, settings, "--chain")
}

// VerifyStars runs `mcbk verify --stars`.
func VerifyStars(ctx context.Context, binary string, settings []string) error {
	return verifyUntilSound(ctx, binary, settings, "--stars")
}

func verifyUntilSound(ctx context.Context, binary string, settings []string, more ...string) error {
	err := verify(ctx, binary, settings, more)
	var ended *exec.ExitError
	for try := 1; try < verifyTries && errors.As(err, &ended) && ended.ExitCode() == undecided; try++ {
		if len(more) > 0 && !notReached.MatchString(err.Error()) {
			return err // a failing chain is a finding, too
		}
		err = verify(ctx, binary, settings, more)
	}
	return err
}

// undecided is verify's exit code if it could not check.
const undecided = 2

func verify(ctx context.Context, binary string, settings, more []string) error {
	cmd := exec.CommandContext(ctx, binary, append([]string{"verify"}, more...)...) //nolint:gosec // the binary under trial
	cmd.Env = settings
	output, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("verify: %w: %s", err, output)
	}
	return nil
}

// tail stores the last lines of a log, and the first errors.
type tail struct {
	mu              sync.Mutex
	lines, failures []string
}

const tailLength = 20

func (t *tail) add(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, line)
	if strings.Contains(line, `"level":"ERROR"`) && len(t.failures) < tailLength {
		t.failures = append(t.failures, line)
	}
	if len(t.lines) > tailLength {
		t.lines = t.lines[1:]
	}
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return fmt.Sprint(t.lines)
}
