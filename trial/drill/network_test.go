package drill

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/Shopify/toxiproxy/v2/stream"
	"github.com/Shopify/toxiproxy/v2/toxics"
	"github.com/rs/zerolog"

	"mcbk/trial"
)

// A temporarily bad network costs time and responses, never coins, and leaks nothing.
func TestProgramSurvivesBadNetwork(t *testing.T) {
	t.Parallel()
	for name, toxic := range map[string]struct {
		kind, attributes string
		lasts            time.Duration
	}{
		"two seconds late":        {slowness, `{"delay": 2000, "size": 65536}`, size().ail},
		"one kilobyte a second":   {slowness, `{"delay": 100, "size": 100}`, size().ail},
		"sliced into a few bytes": {slowness, `{"delay": 1, "size": 16}`, size().ail},
		"reset":                   {"reset_peer", `{"timeout": 0}`, size().ail},
		"cut":                     {"timeout", `{"timeout": 0}`, size().cut},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, program, proxy := proxied(t)
			idle := s.idle(program)
			var took time.Duration
			s.during(func() {
				s.wait(time.Second)
				proxy.add(t, toxic.kind, toxic.attributes)
				time.Sleep(toxic.lasts) // the fault itself
				proxy.remove(t)
				took = s.recovered(program.URL, unaided)
				s.wait(time.Second)
			})
			t.Logf("recovered within %s", took.Round(time.Millisecond))
			s.crowd.Leave()
			s.until("no more goroutines than before", 30*time.Second, func() bool { return s.goroutines(program) <= idle })
			terminate(t, program)
			s.allAnswered()
			s.prove()
		})
	}
}

// The connection breaks at a COMMIT, before the database receives it or before its response. The outcome is unknown, so the response is
// try_again, and the same key gets the true one.
func TestUnansweredCommitIsNotAcknowledged(t *testing.T) {
	t.Parallel()
	s, program, proxy := proxied(t)
	proxy.add(t, commitCut, "{}")
	s.during(func() {
		s.until("enough COMMITs are cut", time.Minute, func() bool { return cutUnheard.Load() > int64(size().cuts) && cutHeard.Load() > int64(size().cuts) })
		proxy.remove(t)
		s.recovered(program.URL, recovers)
	})
	t.Logf("cut %d COMMITs before they were heard, %d after", cutUnheard.Load(), cutHeard.Load())
	s.crowd.Leave()
	terminate(t, program)
	if s.crowd.Seen.Answers("503 try_again") == 0 {
		t.Error("nobody was told to try again: the drill shows nothing")
	}
	s.allAnswered()
	s.prove()
}

// proxied is a program whose PostgreSQL is behind a proxy.
func proxied(t *testing.T) (*scene, *trial.Program, *network) {
	t.Helper()
	s := newScene(t, postgres(t))
	address, err := url.Parse(s.db.Address)
	must(t, err)
	toxiServer := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	proxy := toxiproxy.NewProxy(toxiServer, "database", "127.0.0.1:0", address.Host)
	must(t, proxy.Start())
	t.Cleanup(proxy.Stop)
	address.Host = proxy.Listen
	program := s.startWith(trial.Settings(address.String(), "CLOCK_OFFSET_FILE="+s.clock))
	s.arrive(program.URL)
	return s, program, &network{proxy}
}

// network is the proxy between a program and its database.
type network struct{ proxy *toxiproxy.Proxy }

var directions = []string{"upstream", "downstream"}

func (n *network) add(t *testing.T, kind, attributes string) {
	t.Helper()
	for _, direction := range directions {
		_, err := n.proxy.Toxics.AddToxicJson(strings.NewReader(
			fmt.Sprintf(`{"name":%q,"type":%q,"stream":%q,"attributes":%s}`, direction, kind, direction, attributes)))
		must(t, err)
	}
}

func (n *network) remove(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, direction := range directions {
		must(t, n.proxy.Toxics.RemoveToxic(ctx, direction))
	}
}

// idle is the number of goroutines of an idle program, with some tolerance.
func (s *scene) idle(program *trial.Program) int {
	s.t.Helper()
	s.during(func() { s.wait(time.Second) })
	s.crowd.Leave()
	const few = 5
	fewest := s.goroutines(program)
	for range 20 {
		s.wait(50 * time.Millisecond)
		fewest = min(fewest, s.goroutines(program))
	}
	return fewest + few
}

func (s *scene) goroutines(program *trial.Program) int {
	s.t.Helper()
	n, err := program.Goroutines(s.t.Context())
	must(s.t, err)
	return n
}

// cutOnCommit closes a connection at one COMMIT in four.
type cutOnCommit struct{}

const commitCut = "cut_on_commit"

var commits, cutUnheard, cutHeard atomic.Int64

func init() {
	toxics.Register(commitCut, new(cutOnCommit))
	toxics.Register(slowness, new(slow))
	zerolog.SetGlobalLevel(zerolog.Disabled) // the proxy's
}

func (*cutOnCommit) Pipe(stub *toxics.ToxicStub) {
	for chunk := next(stub); chunk != nil; chunk = next(stub) {
		cut, heard := false, false
		if bytes.Contains(chunk.Data, []byte("commit\x00")) {
			n := commits.Add(1)
			cut, heard = n%4 == 0, n%8 == 0
		}
		if (!cut || heard) && !passes(stub, chunk, chunk) {
			return
		}
		if cut {
			if heard {
				cutHeard.Add(1)
			} else {
				cutUnheard.Add(1)
			}
			stub.Close()
			return
		}
	}
}

// slow passes so many bytes at a time, with a delay. Toxiproxy's own toxics of this kind hang when removed while sending to a closed
// connection.
type slow struct {
	Delay int64 `json:"delay"` // milliseconds
	Size  int   `json:"size"`  // bytes, at least one
}

const slowness = "slow"

// Pipe sends the rest at once when interrupted.
func (s *slow) Pipe(stub *toxics.ToxicStub) {
	for chunk := next(stub); chunk != nil; chunk = next(stub) {
		for len(chunk.Data) > 0 {
			part := *chunk
			part.Data = chunk.Data[:min(s.Size, len(chunk.Data))]
			select {
			case <-time.After(time.Duration(s.Delay) * time.Millisecond):
			case <-stub.Interrupt:
				flush(stub, chunk)
				return
			}
			if !passes(stub, &part, chunk) {
				return
			}
			chunk.Data = chunk.Data[len(part.Data):]
		}
	}
}

// next is the next chunk; nil when the toxic is removed or the connection has ended.
func next(stub *toxics.ToxicStub) *stream.StreamChunk {
	select {
	case <-stub.Interrupt:
		return nil
	case chunk := <-stub.Input:
		if chunk == nil {
			stub.Close()
		}
		return chunk
	}
}

// passes sends a part of a chunk; when interrupted, the whole, and false.
func passes(stub *toxics.ToxicStub, part, whole *stream.StreamChunk) bool {
	select {
	case stub.Output <- part:
		return true
	case <-stub.Interrupt:
		flush(stub, whole)
		return false
	}
}

// flush gives up on a closed connection.
func flush(stub *toxics.ToxicStub, chunk *stream.StreamChunk) {
	_ = stub.WriteOutput(chunk, 5*time.Second)
}
