package trial

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"syscall"
	"time"
)

// Chain is the sandbox as a separate program: its TON network with three lite servers, a price service, and Telegram (stars.go).
type Chain struct {
	URL      string            // of the sandbox
	Exported map[string]string // settings of a program that uses it, such as TON_CONFIG

	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
}

// Payer is the sandbox's player with the paying wallet.
const Payer = 7000000101

// BuildSandbox builds the sandbox from its module's folder.
func BuildSandbox(ctx context.Context, module, binary string) error {
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, ".") //nolint:gosec // paths of the trial's own
	build.Dir = module
	if output, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the sandbox: %w: %s", err, output)
	}
	return nil
}

var exportLine = regexp.MustCompile(`export ([A-Z_]+)=(\S+)|ready: open (\S+)`)

// StartChain runs only the sandbox, with its chain stored in the folder, and waits until it is ready.
func StartChain(ctx context.Context, binary, folder string) (*Chain, error) {
	c := &Chain{Exported: map[string]string{}, done: make(chan struct{})}
	c.cmd = exec.Command(binary, "-listen", "localhost:0", "-app", "localhost:0", "-ops", "localhost:0", "-data", folder) //nolint:gosec,noctx // it ends with us
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	output, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", binary, err)
	}
	ready := make(chan string, 1)
	go func() {
		defer close(c.done)
		lines := bufio.NewScanner(output)
		for lines.Scan() {
			for _, found := range exportLine.FindAllStringSubmatch(lines.Text(), -1) {
				if found[3] != "" {
					ready <- found[3]
					continue
				}
				c.Exported[found[1]] = found[2]
			}
		}
		_ = c.cmd.Wait()
	}()
	select {
	case c.URL = <-ready:
		return c, nil
	case <-c.done:
		return nil, errors.New("the sandbox ended before it was ready")
	case <-time.After(startTime):
	case <-ctx.Done():
	}
	c.Stop()
	return nil, errors.New("the sandbox is not ready in time")
}

// Stop ends the sandbox, as a crash would.
func (c *Chain) Stop() {
	_ = c.cmd.Process.Kill()
	<-c.done
}

// Settings are the settings of a program that sells coins on this chain, with its clock.
func (c *Chain) Settings() (settings []string) {
	for _, name := range []string{"TON_NETWORK", "TON_CONFIG", "TON_PRICE_URL", "TREASURY_ADDRESS", "CLOCK_OFFSET_FILE"} {
		settings = append(settings, name+"="+c.Exported[name])
	}
	return settings
}

// Pay sends nanotons to the treasury, with a comment unless it is empty.
func (c *Chain) Pay(ctx context.Context, nanotons int64, comment string) error {
	return c.control(ctx, "chain/pay", map[string]any{"player": Payer, "nanotons": nanotons, "comment": comment})
}

// Break sets a fault of each lite server, see sandbox/README.md; an empty one repairs it.
func (c *Chain) Break(ctx context.Context, faults ...string) error {
	var all error
	for i, fault := range faults {
		all = errors.Join(all, c.control(ctx, "chain/fault", map[string]any{"server": i, "fault": fault}))
	}
	return all
}

// SetPrice enables or disables the price service.
func (c *Chain) SetPrice(ctx context.Context, reports bool) error {
	return c.control(ctx, "rates", map[string]any{"broken": !reports})
}

// Advance steps the clock of the chain and of programs that use it.
func (c *Chain) Advance(ctx context.Context, by time.Duration) error {
	return c.control(ctx, "clock", map[string]any{"add": by.String()})
}

func (c *Chain) control(ctx context.Context, call string, body map[string]any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return c.call(ctx, http.MethodPost, call, text, nil)
}

// call decodes what a call of the control API answers, unless into is nil.
func (c *Chain) call(ctx context.Context, method, call string, body []byte, into any) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, c.URL+"/sandbox/"+call, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close() //nolint:errcheck // read only
	output, err := io.ReadAll(response.Body)
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s %s", call, body, response.Status, output)
	}
	if err != nil || into == nil {
		return err
	}
	return json.Unmarshal(output, into)
}
