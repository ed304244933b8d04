package child

import (
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcbk-sandbox/check"
)

var fake string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "fake-mcbk")
	if err != nil {
		panic(err)
	}
	fake = filepath.Join(dir, "fake")
	if out, err := exec.Command("go", "build", "-o", fake, "./testdata/fake").CombinedOutput(); err != nil {
		panic(string(out))
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

func newChild(t *testing.T, manner string) (*Child, string) {
	t.Helper()
	l := check.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	address := l.Addr().String()
	_ = l.Close()
	grace := 10 * time.Second // a busy machine is slow to say goodbye
	if manner == "stubborn" {
		grace = 300 * time.Millisecond // which is waited for
	}
	c := New(Config{
		Path: fake, Dir: t.TempDir(), Env: map[string]string{"LISTEN": address, "FAKE": manner},
		ReadyURL: "http://" + address + "/health/ready", Output: t.Output(),
		Grace: grace, StartTimeout: 10 * time.Second,
	})
	t.Cleanup(func() { _ = c.Kill() })
	return c, address
}

func start(t *testing.T, c *Child) {
	t.Helper()
	check.NoError(t, c.Start(t.Context()))
	if s := c.Status(); s.State != Ready || s.PID == 0 {
		t.Fatalf("after a start: %+v", s)
	}
}

func wait(t *testing.T, c *Child, want State) Status {
	t.Helper()
	for range 1000 {
		if s := c.Status(); s.State == want {
			return s
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("never %s: %+v", want, c.Status())
	return Status{}
}

func TestStoppedProgramExitsGracefullyAndRestarts(t *testing.T) {
	t.Setenv("SECRET_OF_THE_SHELL", "1")
	c, _ := newChild(t, "")
	start(t, c)
	check.NoError(t, c.Stop())
	s := c.Status()
	check.That(t, s.State == Stopped && s.PID == 0 && slices.Contains(s.Log, "goodbye"), "after a stop: %+v", s)
	if !strings.Contains(s.Log[0], "LISTEN=") || strings.Contains(s.Log[0], "SECRET_OF_THE_SHELL") {
		t.Errorf("it saw %s", s.Log[0])
	}
	start(t, c)
}

func TestKilledProgramExitsAtOnce(t *testing.T) {
	c, _ := newChild(t, "")
	start(t, c)
	check.NoError(t, c.Kill())
	s := c.Status()
	check.That(t, s.State == Stopped && !slices.Contains(s.Log, "goodbye") && strings.Contains(s.Exit, "killed"), "after kill -9: %+v", s)
}

func TestUnresponsiveProgramIsKilledAfterGracePeriod(t *testing.T) {
	c, _ := newChild(t, "stubborn")
	start(t, c)
	check.NoError(t, c.Stop())
	s := c.Status()
	check.That(t, s.State == Stopped && strings.Contains(s.Exit, "killed"), "after a stop: %+v", s)
}

func TestCrashIsReported(t *testing.T) {
	c, address := newChild(t, "")
	start(t, c)
	if resp, err := http.Get("http://" + address + "/crash"); err == nil {
		_ = resp.Body.Close()
	}
	s := wait(t, c, Crashed)
	check.That(t, s.Exit == "exit status 7" && s.PID == 0, "after a crash: %+v", s)
	start(t, c)
}

func TestProgramEndingBeforeReadyFailsStart(t *testing.T) {
	c, _ := newChild(t, "crash")
	err := c.Start(t.Context())
	check.That(t, err != nil && strings.Contains(err.Error(), "exit status 3"), "the start said %v", err)
	s := c.Status()
	check.That(t, s.State == Crashed && slices.Contains(s.Log, "no database"), "after it: %+v", s)
}

func TestCommandsReportMissingProgram(t *testing.T) {
	c := New(Config{Output: t.Output()})
	check.That(t, c.Status().State == None && errors.Is(c.Start(t.Context()), ErrNone) && errors.Is(c.Kill(), ErrNone), "it pretended to run something")
}
