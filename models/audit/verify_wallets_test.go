package audit_test

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/wallet"
)

const (
	walletsAreProven = "every proven wallet is one player's, whose nonce its key has signed"
	noncesAreClosed  = "no nonce of a wallet stays open ten minutes beyond its limit"
)

func TestVerifyFindsUnprovenWallets(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		p := modelstest.Player(t, store)
		modelstest.ProveWallet(t, store, p, "0:aa", modelstest.Noon)
		modelstest.Sound(t, store)
		dropGuards(t, raw)
		proven := []string{walletsAreProven}
		wantFound(t, store, raw, p.ID, map[string]finding{
			"another address":            {"UPDATE players SET wallet = '0:thief'", proven},
			"a proof that never was":     {"DELETE FROM wallet_nonces", proven},
			"a proof of another's":       {"UPDATE wallet_nonces SET wallet = '0:bb'", proven},
			"a proof of another nonce":   {"UPDATE wallet_nonces SET nonce_hash = '" + strings.Repeat("a", 64) + "'", proven},
			"no proof":                   {"UPDATE wallet_nonces SET proof = NULL", proven},
			"no signature":               {"UPDATE wallet_nonces SET proof = '{}'", proven},
			"another's signature":        {"UPDATE wallet_nonces SET proof = REPLACE(proof, '\"signature\":\"', '\"signature\":\"AAAA')", proven},
			"another domain":             {"UPDATE wallet_nonces SET proof = REPLACE(proof, 'game.example', 'evil.example')", proven},
			"a wallet and its nonce":     {"UPDATE players SET wallet = '0:cc'; UPDATE wallet_nonces SET wallet = '0:cc'", proven},
			"a proof that was not ended": {"UPDATE wallet_nonces SET state = 'expired', wallet = NULL, used_at = NULL", proven},
		})
		modelstest.FailsWith(raw.ExecContext(t.Context(), "UPDATE players SET wallet = NULL"))(t, "", "the database keeps a proven wallet that is none")
	})
}

func TestVerifyFindsStaleNonce(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		p := modelstest.Player(t, store)
		modelstest.NewNonce(t, store, p, modelstest.Noon)
		modelstest.Sound(t, store)
		run := models.JobRun{Job: wallet.ExpireNoncesJob, Period: modelstest.Noon, DoneAt: modelstest.Noon.Add(16 * time.Minute)}
		modelstest.NoError(t, store.Alarms.SaveRun(t.Context(), run))
		modelstest.Equal(t, findBrokenRows(t, store), map[string][]string{noncesAreClosed: {"wallet nonce 1"}})
		modelstest.Returns(store.Wallet.ExpireNonces(t.Context(), modelstest.Noon.Add(16*time.Minute)))(t, 1, "expired")
	})
}
