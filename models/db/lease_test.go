package db_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

// within waits for something that is to happen, and fails the test when it does not.
func within[T any](t *testing.T, timeout time.Duration, what string, happens <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-happens:
	case <-time.After(timeout):
		t.Fatalf("not within %s: %s", timeout, what)
	}
	return v
}

// leader is a process that leads, or tries to.
type leader struct {
	leads chan func() error // held, once it leads
	ended chan error
	stop  context.CancelFunc
}

func lead(t *testing.T, store *store.Store, name string) leader {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	l := leader{make(chan func() error, 1), make(chan error, 1), stop}
	var ending sync.WaitGroup
	ending.Go(func() {
		err := db.ErrUnavailable
		for errors.Is(err, db.ErrUnavailable) && ctx.Err() == nil {
			err = store.DB.Lead(ctx, name, func(ctx context.Context, held func() error) error {
				l.leads <- held
				<-ctx.Done()
				return ctx.Err()
			})
		}
		l.ended <- err
	})
	t.Cleanup(func() {
		stop()
		ending.Wait()
	})
	return l
}

func (l leader) waits(t *testing.T, timeout time.Duration) {
	t.Helper()
	select {
	case <-l.leads:
		t.Fatal("two lead")
	case err := <-l.ended:
		t.Fatalf("it does not wait: %v", err)
	case <-time.After(timeout):
	}
}

func TestLeaderHoldsLeaseUntilItEnds(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		l := lead(t, store, "jobs")
		held := within(t, 10*time.Second, "somebody leads", l.leads)
		modelstest.NoError(t, held())
		l.stop()
		modelstest.NoError(t, within(t, 10*time.Second, "it ends", l.ended), "told to end, it returned")
		modelstest.WantFailure(t, held(), "", "it still holds the lease after its end")
	})
}

func TestLeadReturnsErrorOfItsWork(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		wrong := errors.New("wrong")
		modelstest.WantError(t, store.DB.Lead(t.Context(), "jobs", func(context.Context, func() error) error { return wrong }), wrong, "it returned")
		modelstest.NoError(t, store.DB.Lead(t.Context(), "jobs", func(context.Context, func() error) error { return nil }), "again it returned")
	})
}

func TestNextProcessLeadsWhenLeaderEnds(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	one := lead(t, modelstest.OpenStore(t, address), "jobs")
	within(t, 10*time.Second, "the first leads", one.leads)
	second := modelstest.OpenStore(t, address)
	other := lead(t, second, "jobs")
	other.waits(t, 2500*time.Millisecond) // longer than a try
	within(t, 10*time.Second, "another name has a leader of its own", lead(t, second, "else").leads)
	one.stop()
	modelstest.NoError(t, within(t, 10*time.Second, "the first ends", one.ended))
	within(t, 5*time.Second, "the other leads", other.leads)
}

// Each test's schema stands for a database of its own on the same server.
func TestLeasesOfTwoDatabasesAreIndependent(t *testing.T) {
	t.Parallel()
	one, other := lead(t, modelstest.Store(t, "postgres"), "jobs"), lead(t, modelstest.Store(t, "postgres"), "jobs")
	within(t, 10*time.Second, "the first leads", one.leads)
	within(t, 10*time.Second, "the other leads", other.leads)
}

// killLeader ends the session of who leads in this schema.
const killLeader = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2
	AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
	AND classid = CAST(hashtext('jobs') AS oid) AND objid = CAST(hashtext(current_schema()) AS oid)`

func TestLeaderWithLostSessionStopsAndAnotherLeads(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	raw := modelstest.Raw(t, address)
	one := lead(t, modelstest.OpenStore(t, address), "jobs")
	held := within(t, 10*time.Second, "the first leads", one.leads)
	other := lead(t, modelstest.OpenStore(t, address), "jobs")
	other.waits(t, 100*time.Millisecond)
	modelstest.MustExec(t, raw, killLeader)
	modelstest.WantError(t, held(), db.ErrNotLeading, "the first step after the loss")
	modelstest.WantError(t, within(t, 10*time.Second, "the first ends", one.ended), db.ErrNotLeading, "it returned")
	within(t, 10*time.Second, "the other leads", other.leads)
}

// Nobody asks: the leader notices by itself.
func TestLeaderNoticesLostLock(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	raw := modelstest.Raw(t, address)
	store := modelstest.OpenStore(t, address)
	l := lead(t, store, "jobs")
	within(t, 10*time.Second, "somebody leads", l.leads)
	modelstest.MustExec(t, raw, killLeader)
	modelstest.WantError(t, within(t, 20*time.Second, "it ends by itself", l.ended), db.ErrNotLeading, "it returned")
}

// takeLease is the lease of the jobs, which was free.
func takeLease(t *testing.T, store *store.Store) db.Lease {
	t.Helper()
	lease := modelstest.Must(store.DB.Lease("jobs"))(t)
	t.Cleanup(func() { _ = lease.Close() })
	modelstest.Returns(lease.Take(t.Context()))(t, true, "take the lease")
	return lease
}

// The jobs and the clock ask beside each other.
func TestLeaseAnswersConcurrentCalls(t *testing.T) {
	store := modelstest.Store(t, "postgres")
	lease := takeLease(t, store)
	modelstest.Concurrently(8, func(int) {
		for range 100 {
			if ours, err := lease.Held(t.Context()); err != nil || !ours {
				t.Errorf("held: %t, %v", ours, err)
				return
			}
		}
	})
}

// A process that is frozen asks nothing. Its session must not hold the lease for as long as the
// machine beneath it keeps the connection.
func TestFrozenLeaderLosesLease(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	store := modelstest.OpenStore(t, address)
	began := time.Now()
	silent := takeLease(t, store)
	within(t, 15*time.Second, "the other leads", lead(t, modelstest.OpenStore(t, address), "jobs").leads)
	if took := time.Since(began); took < 5*time.Second {
		t.Errorf("the lease was free after %s", took)
	}
	if ours, err := silent.Held(t.Context()); ours || err == nil {
		t.Errorf("the frozen one is told %t, %v", ours, err)
	}
}

func TestProcessWithClockSkewDoesNotLead(t *testing.T) {
	t.Parallel()
	store := modelstest.Store(t, "postgres")
	l := lead(t, store, "jobs")
	within(t, 10*time.Second, "somebody leads", l.leads)
	day := func() time.Time { return time.Now().Add(24 * time.Hour) }
	modelstest.ComparedClocks(t, store, day)
	modelstest.WantError(t, within(t, 10*time.Second, "it stops", l.ended), db.ErrNotLeading, "it returned")
	leads := func(context.Context, func() error) error { return errors.New("it leads") }
	modelstest.WantError(t, store.DB.Lead(t.Context(), "jobs", leads), db.ErrNotLeading, "with a wrong clock")
}

func TestOneOfManyProcessesLeadsAtATime(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	var stores []*store.Store
	for range 4 {
		stores = append(stores, modelstest.OpenStore(t, address))
	}
	var leading, turns atomic.Int32
	modelstest.Concurrently(len(stores), func(i int) {
		err := stores[i].DB.Lead(t.Context(), "jobs", func(context.Context, func() error) error {
			modelstest.Equal(t, leading.Add(1), 1, "two lead")
			time.Sleep(50 * time.Millisecond) // two would meet here
			leading.Add(-1)
			turns.Add(1)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	modelstest.Equal(t, turns.Load(), 4, "had their turn")
}
