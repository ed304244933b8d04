package drill

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"mcbk/trial"
)

// onDisk names the small disk's folder, in the process that may mount it.
const onDisk = "DRILL_DISK"

func TestProgramSurvivesFullDisk(t *testing.T) {
	if disk := os.Getenv(onDisk); disk != "" {
		fillDisks(t, disk)
		return
	}
	t.Parallel()
	for name := range disks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// In a process with its own mount namespace, so that none is left behind.
			folder, err := os.MkdirTemp("", "drill-disk")
			must(t, err)
			defer os.RemoveAll(folder) //nolint:errcheck // temporary
			self, err := os.Executable()
			must(t, err)
			cmd := exec.CommandContext(t.Context(), self, "-test.run=^"+strings.ReplaceAll(t.Name(), "/", "$/^")+"$", "-test.v",
				fmt.Sprintf("-long=%t", *long), fmt.Sprintf("-seed=%d", *seed), "-mcbk="+*binary)
			cmd.Env = append(os.Environ(), onDisk+"="+folder)
			cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
			if os.Getuid() != 0 { // anybody may mount in a user namespace
				me, group := os.Getuid(), os.Getgid()
				const mayMount = 21 // CAP_SYS_ADMIN
				cmd.SysProcAttr = &syscall.SysProcAttr{
					Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL, AmbientCaps: []uintptr{mayMount},
					UidMappings: []syscall.SysProcIDMap{{ContainerID: me, HostID: me, Size: 1}},
					GidMappings: []syscall.SysProcIDMap{{ContainerID: group, HostID: group, Size: 1}},
				}
			}
			told, err := cmd.CombinedOutput()
			if errors.Is(err, fs.ErrPermission) {
				t.Fatal("a small disk is mounted with CAP_SYS_ADMIN or in a user namespace: docker run --cap-add SYS_ADMIN, or on Ubuntu sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0, and try again")
			}
			t.Logf("%s", told)
			must(t, err)
		})
	}
}

// disks are the cases with their size.
var disks = map[string]struct {
	size  string
	setUp func(t *testing.T, disk string) (db trial.Database, revive func())
}{
	"sqlite": {"size=24m", func(_ *testing.T, disk string) (trial.Database, func()) {
		return trial.NewSQLite(disk), nil
	}},
	"postgres": {"size=96m", func(t *testing.T, disk string) (trial.Database, func()) {
		wal, err := os.MkdirTemp("", "drill-wal")
		must(t, err)
		t.Cleanup(func() { _ = os.RemoveAll(wal) })
		return onServer(t, server(t, disk, wal))
	}},
	"postgres, its log too": {"size=128m", func(t *testing.T, disk string) (trial.Database, func()) {
		return onServer(t, server(t, disk, ""))
	}},
}

// onServer is a PostgreSQL that ends itself when it can write neither log nor checkpoint; revive plays the supervisor that restarts it.
func onServer(t *testing.T, own *trial.Postgres) (db trial.Database, revive func()) {
	t.Helper()
	db, err := trial.NewPostgres(t.Context(), own.Address)
	must(t, err)
	return db, func() {
		if !own.Runs() {
			t.Logf("PostgreSQL had ended itself; started again: %v", own.Start(t.Context()))
		}
	}
}

func fillDisks(t *testing.T, folder string) {
	for name, disk := range disks {
		t.Run(name, func(t *testing.T) {
			must(t, syscall.Mount("tmpfs", folder, "tmpfs", 0, disk.size+",mode=0777"))
			db, revive := disk.setUp(t, folder)
			s := newScene(t, db)
			s.revive = revive
			program := s.start()
			s.arrive(program.URL)
			var slowest time.Duration
			for range size().fills {
				s.during(func() {
					s.wait(time.Second)
					filler := filepath.Join(folder, "filler")
					must(t, fill(filler))
					refused := s.crowd.Seen.Answers("503 try_again")
					s.until("writes are refused", time.Minute, func() bool { return s.crowd.Seen.Answers("503 try_again") > refused+size().people })
					time.Sleep(size().full) // the fault itself
					must(t, os.Remove(filler))
					slowest = max(slowest, s.recovered(program.URL, recovers))
					heard := s.crowd.Seen.Answers("200")
					s.until("people play again", time.Minute, func() bool {
						s.keepDatabase()
						return s.crowd.Seen.Answers("200") > heard+2*size().people
					})
				})
			}
			t.Logf("%d times full, recovered within %s", size().fills, slowest.Round(time.Millisecond))
			s.crowd.Leave()
			terminate(t, program)
			s.allAnswered()
			s.prove()
		})
	}
}

func fill(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // nobody reads it
	for _, piece := range [][]byte{make([]byte, 1<<20), make([]byte, 4<<10), make([]byte, 1)} {
		for err = nil; err == nil; {
			_, err = file.Write(piece)
		}
	}
	if !errors.Is(err, syscall.ENOSPC) {
		return err
	}
	return nil
}
