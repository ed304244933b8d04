package drill

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"mcbk/trial"
)

// A backup is taken while people play; the day after, the database is gone. From last night's backup the chain is read
// again: each payment is there once, what names an order of the backup is credited, and what names one that is gone is
// held for an admin.
func TestChainCompletesLastNightsBackup(t *testing.T) {
	eachMarket(t, func(m *market) {
		program := m.start()
		m.arrives(program)
		b := m.arrives(program)
		paid, open, late := m.orders(b, 1), m.orders(b, 1), m.orders(b, 1)
		m.pays(1_000_000, paid)
		m.pays(1_000_000, order{})
		m.credits(creditsAll)

		m.arrive(program.URL)
		backup := filepath.Join(m.t.TempDir(), "backup")
		m.during(func() {
			m.wait(time.Second)
			must(m.t, m.db.Backup(m.t.Context(), backup))
			m.wait(time.Second)
		})
		m.crowd.Leave()

		// The rest of the day: all of it is credited, and then lost.
		gone := m.orders(b, 1)
		newcomer := m.arrives(program)
		theirs := m.orders(newcomer, 1)
		m.pays(1_000_000, open)
		m.pays(1_000_000, gone)
		m.pays(1_000_000, theirs)
		m.pays(1_000_000, order{})
		must(m.t, m.chain.Advance(m.t.Context(), time.Hour))
		m.pays(1_000_000, late)
		m.pays(500_000, paid)
		m.credits(creditsAll)
		program.Kill()
		m.pays(1_000_000, open) // while nobody looks
		m.pays(1_000_000, gone)

		m.isLost(backup)
		if n := m.recorded(); n != 2 {
			m.t.Fatalf("%d payments are in the backup: the drill shows nothing", n)
		}
		program = m.start()
		again := m.orders(m.arrives(program), 1) // under a number that was given before
		if again.ID > theirs.ID {
			m.t.Errorf("order %d follows %d: the drill shows nothing", again.ID, theirs.ID)
		}
		m.pays(1_000_000, again)
		for i, p := range m.paid {
			if i < len(m.paid)-1 && (p.order == gone.ID || p.order == theirs.ID) {
				m.paid[i].order = 0
			}
		}
		m.credits(creditsAll)
		const unknown = "SELECT COUNT(*) FROM payments WHERE state = 'held' AND reason = 'no such order'"
		if n := m.count(unknown); n != 3 {
			m.t.Errorf("%d payments are held because their order is gone, want 3", n)
		}
		m.sound()
		terminate(m.t, program)
		m.sound()
	})
}

// isLost puts what is in a backup in the place of the database, at another address.
func (m *market) isLost(backup string) {
	m.t.Helper()
	must(m.t, m.books().Close())
	m.raw = nil
	was := m.db.Address
	if m.onFile() {
		m.db = trial.NewSQLite(m.t.TempDir())
	} else {
		m.db = postgres(m.t)
	}
	must(m.t, m.db.Restore(m.t.Context(), backup))
	for i, setting := range m.settings {
		if setting == "DATABASE_URL="+was {
			m.settings[i] = "DATABASE_URL=" + m.db.Address
		}
	}
	if info, err := os.Stat(backup); err == nil {
		m.t.Logf("restored a backup of %d bytes", info.Size())
	}
}
