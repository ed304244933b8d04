package wallet_test

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/store"
	"mcbk/models/wallet"
)

func TestNonceProvesOneWalletWithinFiveMinutes(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		ann, bob := modelstest.Player(t, store), modelstest.Player(t, store)
		prove := func(p models.Player, address, payload string, after time.Duration) error {
			_, err := store.Wallet.ProveWallet(t.Context(), p.ID, address, modelstest.Proof(address, payload), modelstest.ValidSignature, modelstest.Noon.Add(after))
			return err
		}
		payload := modelstest.NewNonce(t, store, ann, modelstest.Noon)
		modelstest.WantRefusal(t, prove(bob, "0:bb", payload, 0), wallet.WalletProofInvalid, "another's nonce")
		modelstest.WantRefusal(t, prove(ann, "0:aa", "5d41402abc4b2a76b9719d911017c592", 0), wallet.WalletProofInvalid, "no nonce of ours")
		modelstest.WantRefusal(t, prove(ann, "0:aa", payload, 5*time.Minute+time.Second), models.Expired, "after five minutes")
		modelstest.WantWallet(t, store, ann, nil, false)
		modelstest.NoError(t, prove(ann, "0:aa", payload, 5*time.Minute), "within five minutes")
		modelstest.WantWallet(t, store, ann, new("0:aa"), true)
		modelstest.WantRefusal(t, prove(ann, "0:aa", payload, time.Minute), models.NonceUsed, "the same again")
		modelstest.WantRefusal(t, prove(ann, "0:cc", payload, time.Minute), models.NonceUsed, "for another wallet")
		modelstest.WantRefusal(t, prove(ann, "0:aa", payload, 24*time.Hour), models.NonceUsed, "the same a day later")
		modelstest.WantWallet(t, store, ann, new("0:aa"), true)
	})
}

func TestWrongSignatureLeavesNonceOpen(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		p := modelstest.Player(t, store)
		payload := modelstest.NewNonce(t, store, p, modelstest.Noon)
		forged := errors.New("forged")
		_, err := store.Wallet.ProveWallet(t.Context(), p.ID, "0:aa", modelstest.Proof("0:aa", payload), func() error { return forged }, modelstest.Noon)
		modelstest.WantError(t, err, forged, "judged so")
		modelstest.WantWallet(t, store, p, nil, false)
		if _, err = store.Wallet.ProveWallet(t.Context(), p.ID, "0:aa", modelstest.Proof("0:aa", payload), modelstest.ValidSignature, modelstest.Noon); err != nil {
			t.Errorf("the right one afterwards: %v", err)
		}
		modelstest.WantWallet(t, store, p, new("0:aa"), true)
	})
}

// Another process, whose clock is ahead, may close a nonce while a wallet's signature is looked at. SQLite has one process and one writer.
func TestNonceExpiringDuringProofProvesNothing(t *testing.T) {
	store := modelstest.Store(t, "postgres")
	p := modelstest.Player(t, store)
	payload := modelstest.NewNonce(t, store, p, modelstest.Noon)
	expires := func() error {
		expired, err := store.Wallet.ExpireNonces(t.Context(), modelstest.Noon.Add(time.Hour))
		if err == nil && expired != 1 {
			err = fmt.Errorf("%d nonces expired", expired)
		}
		return err
	}
	modelstest.Refuses(store.Wallet.ProveWallet(t.Context(), p.ID, "0:aa", modelstest.Proof("0:aa", payload), expires, modelstest.Noon))(t, models.Expired, "expired meanwhile")
	modelstest.WantWallet(t, store, p, nil, false)
	modelstest.Sound(t, store)
}

func TestFiftyConcurrentProofsUseNonceOnce(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		p := modelstest.Player(t, store)
		payload := modelstest.NewNonce(t, store, p, modelstest.Noon)
		var last atomic.Int32
		proven := modelstest.FiftyAtOnce(t, models.NonceUsed, func() error {
			address := fmt.Sprintf("0:%02x", last.Add(1))
			_, err := store.Wallet.ProveWallet(t.Context(), p.ID, address, modelstest.Proof(address, payload), modelstest.ValidSignature, modelstest.Noon)
			return err
		})
		modelstest.Equal(t, proven, 1, "wallets that one nonce proved")
	})
}

func TestProvenWalletBelongsToOnePlayer(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		ann, bob := modelstest.Player(t, store), modelstest.Player(t, store)
		set := func(p models.Player, address *string) error {
			return modelstest.ErrorOf(store.Wallet.SetWallet(t.Context(), p.ID, address))
		}
		modelstest.NoError(t, errors.Join(set(ann, new("0:aa")), set(bob, new("0:aa"))), "two who only say that it is theirs")
		modelstest.ProveWallet(t, store, ann, "0:aa", modelstest.Noon)
		modelstest.WantWallet(t, store, bob, new("0:aa"), false)

		payload := modelstest.NewNonce(t, store, bob, modelstest.Noon)
		modelstest.Refuses(store.Wallet.ProveWallet(t.Context(), bob.ID, "0:aa", modelstest.Proof("0:aa", payload), modelstest.ValidSignature, modelstest.Noon))(t, wallet.WalletInUse, "the second proof")
		modelstest.NoError(t, set(bob, new("0:aa")), "an unproven wallet tells who has proven it")
		modelstest.NoError(t, set(bob, new("0:bb")), "another wallet")
		modelstest.NoError(t, set(ann, new("0:aa")), "the same without a proof")
		modelstest.WantWallet(t, store, ann, new("0:aa"), true)

		modelstest.NoError(t, set(ann, new("0:cc")), "another without a proof")
		modelstest.WantWallet(t, store, ann, new("0:cc"), false)
		modelstest.Must(store.Wallet.ProveWallet(t.Context(), bob.ID, "0:aa", modelstest.Proof("0:aa", payload), modelstest.ValidSignature, modelstest.Noon))(t)
		modelstest.NoError(t, set(bob, nil), "disconnect")
		modelstest.WantWallet(t, store, bob, nil, false)
		modelstest.ProveWallet(t, store, ann, "0:aa", modelstest.Noon.Add(time.Minute))
	})
}

func TestConcurrentProofsGiveWalletToOnePlayer(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		var players []models.Player
		var payloads []string
		for range 20 {
			p := modelstest.Player(t, store)
			players, payloads = append(players, p), append(payloads, modelstest.NewNonce(t, store, p, modelstest.Noon))
		}
		errs := make([]error, len(players))
		modelstest.Concurrently(len(errs), func(i int) {
			_, errs[i] = store.Wallet.ProveWallet(t.Context(), players[i].ID, "0:aa", modelstest.Proof("0:aa", payloads[i]), modelstest.ValidSignature, modelstest.Noon)
		})
		proven := 0
		for i, err := range errs {
			if err == nil {
				proven++
				modelstest.WantWallet(t, store, players[i], new("0:aa"), true)
				continue
			}
			modelstest.WantRefusal(t, err, wallet.WalletInUse, "one of the others")
			modelstest.WantWallet(t, store, players[i], nil, false)
		}
		modelstest.Equal(t, proven, 1, "players who have proven one wallet")
	})
}

// Both looked before either was there: on PostgreSQL the index decides.
func TestWalletProvenByAnotherProcessIsInUse(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	store := modelstest.OpenStore(t, address)
	ann, bob := modelstest.Player(t, store), modelstest.Player(t, store)
	payload := modelstest.NewNonce(t, store, bob, modelstest.Noon)
	other := fmt.Sprintf("UPDATE players SET wallet = '0:aa', wallet_proven = TRUE WHERE id = %d", ann.ID)
	err := modelstest.Behind(t, address, other, func() error {
		return modelstest.ErrorOf(store.Wallet.ProveWallet(t.Context(), bob.ID, "0:aa", modelstest.Proof("0:aa", payload), modelstest.ValidSignature, modelstest.Noon))
	})
	modelstest.WantRefusal(t, err, wallet.WalletInUse, "the later one")
	modelstest.WantWallet(t, store, bob, nil, false)
}

func TestBannedPlayerConnectsNoWallet(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		p := modelstest.Player(t, store)
		payload := modelstest.NewNonce(t, store, p, modelstest.Noon)
		modelstest.Done(t, store, players.ActionBan, fmt.Sprint(p.ID), "bots")
		modelstest.Refuses(store.Wallet.SetWallet(t.Context(), p.ID, new("0:aa")))(t, game.UserBlocked, "connect")
		modelstest.Refuses(store.Wallet.ProveWallet(t.Context(), p.ID, "0:aa", modelstest.Proof("0:aa", payload), modelstest.ValidSignature, modelstest.Noon))(t, game.UserBlocked, "prove")
		modelstest.Refuses(store.Wallet.NewWalletNonce(t.Context(), p.ID, modelstest.Noon))(t, game.UserBlocked, "a nonce")
		modelstest.WantWallet(t, store, p, nil, false)
	})
}

func TestUnusedNoncesExpireAndAreDeleted(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		p := modelstest.Player(t, store)
		late := modelstest.NewNonce(t, store, p, modelstest.Noon)
		modelstest.ProveWallet(t, store, p, "0:aa", modelstest.Noon)
		expire := func(after time.Duration, want int64) {
			t.Helper()
			modelstest.Returns(store.Wallet.ExpireNonces(t.Context(), modelstest.Noon.Add(after)))(t, want, "after", after, "expired")
		}
		expire(5*time.Minute, 0)
		expire(5*time.Minute+time.Second, 1)
		expire(6*time.Minute, 0)
		// Its own process's clock may be behind.
		modelstest.Refuses(store.Wallet.ProveWallet(t.Context(), p.ID, "0:bb", modelstest.Proof("0:bb", late), modelstest.ValidSignature, modelstest.Noon))(t, models.Expired, "a nonce that was closed")
		expire(24*time.Hour, 0)
		modelstest.Equal(t, modelstest.Count(t, raw, "SELECT COUNT(*) FROM wallet_nonces"), 2, "nonces are left after a day")
		expire(24*time.Hour+6*time.Minute, 0)
		if n := modelstest.Count(t, raw, "SELECT COUNT(*) FROM wallet_nonces WHERE state = 'used'"); n != 1 || modelstest.Count(t, raw, "SELECT COUNT(*) FROM wallet_nonces") != 1 {
			t.Errorf("%d nonces are left, and not what proved the wallet alone", n)
		}
		modelstest.Refuses(store.Wallet.ProveWallet(t.Context(), p.ID, "0:bb", modelstest.Proof("0:bb", late), modelstest.ValidSignature, modelstest.Noon))(t, wallet.WalletProofInvalid, "a nonce that was forgotten")
		modelstest.Sound(t, store)
	})
}

// The history reads a player's postings before a prize, which may be far from the newest.
func TestPostingsBeforePrizesAreFoundByIndex(t *testing.T) {
	t.Parallel()
	plans := modelstest.NewPlans(t, "postings", "payables")
	plan := plans.Postgres(t, "SELECT 1, CAST(1 AS BIGINT), '', CAST(1 AS BIGINT)"+wallet.SettledPrizes, 7)
	if !strings.Contains(plan, "postings_player_id_reference_line_key") {
		t.Error(plan)
	}
}
