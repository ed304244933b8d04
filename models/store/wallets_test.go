package store_test

import (
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/alarms"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/store"
	"mcbk/models/wallet"
)

const (
	walletsAreProven = "every proven wallet is one player's, whose nonce its key has signed"
	noncesAreClosed  = "no nonce of a wallet stays open ten minutes beyond its limit"
)

func TestANonceProvesOneWalletOfItsPlayerWithinFiveMinutes(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		ann, bob := modelstest.Player(t, store), modelstest.Player(t, store)
		prove := func(p models.Player, address, payload string, after time.Duration) error {
			_, err := store.Wallet.ProveWallet(t.Context(), p.ID, address, modelstest.Proof(address, payload), modelstest.ValidSignature, modelstest.Noon.Add(after))
			return err
		}
		payload := modelstest.NewNonce(t, store, ann, modelstest.Noon)
		modelstest.WantRefusal(t, "another's nonce", prove(bob, "0:bb", payload, 0), wallet.WalletProofInvalid)
		modelstest.WantRefusal(t, "no nonce of ours", prove(ann, "0:aa", "5d41402abc4b2a76b9719d911017c592", 0), wallet.WalletProofInvalid)
		modelstest.WantRefusal(t, "after five minutes", prove(ann, "0:aa", payload, 5*time.Minute+time.Second), models.Expired)
		modelstest.WantWallet(t, store, ann, nil, false)
		if err := prove(ann, "0:aa", payload, 5*time.Minute); err != nil {
			t.Errorf("within five minutes: %v", err)
		}
		modelstest.WantWallet(t, store, ann, new("0:aa"), true)
		modelstest.WantRefusal(t, "the same again", prove(ann, "0:aa", payload, time.Minute), models.NonceUsed)
		modelstest.WantRefusal(t, "for another wallet", prove(ann, "0:cc", payload, time.Minute), models.NonceUsed)
		modelstest.WantRefusal(t, "the same a day later", prove(ann, "0:aa", payload, 24*time.Hour), models.NonceUsed)
		modelstest.WantWallet(t, store, ann, new("0:aa"), true)
		modelstest.Sound(t, store)
	})
}

func TestASignatureThatIsWrongLeavesTheNonceOpen(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		p := modelstest.Player(t, store)
		payload := modelstest.NewNonce(t, store, p, modelstest.Noon)
		forged := errors.New("forged")
		_, err := store.Wallet.ProveWallet(t.Context(), p.ID, "0:aa", modelstest.Proof("0:aa", payload), func() error { return forged }, modelstest.Noon)
		if !errors.Is(err, forged) {
			t.Errorf("judged so: %v", err)
		}
		modelstest.WantWallet(t, store, p, nil, false)
		if _, err = store.Wallet.ProveWallet(t.Context(), p.ID, "0:aa", modelstest.Proof("0:aa", payload), modelstest.ValidSignature, modelstest.Noon); err != nil {
			t.Errorf("the right one afterwards: %v", err)
		}
		modelstest.WantWallet(t, store, p, new("0:aa"), true)
	})
}

// Another process, whose clock is ahead, may close a nonce while a wallet's signature is looked at. SQLite has one process and one writer.
func TestANonceThatExpiresWhileItIsLookedAtProvesNothing(t *testing.T) {
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
	_, err := store.Wallet.ProveWallet(t.Context(), p.ID, "0:aa", modelstest.Proof("0:aa", payload), expires, modelstest.Noon)
	modelstest.WantRefusal(t, "expired meanwhile", err, models.Expired)
	modelstest.WantWallet(t, store, p, nil, false)
	modelstest.Sound(t, store)
}

func TestOneNonceFiftyTimesAtOnceProvesOnce(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		p := modelstest.Player(t, store)
		payload := modelstest.NewNonce(t, store, p, modelstest.Noon)
		errs := make([]error, 50)
		modelstest.Concurrently(len(errs), func(i int) {
			_, errs[i] = store.Wallet.ProveWallet(t.Context(), p.ID, fmt.Sprintf("0:%02x", i), modelstest.Proof(fmt.Sprintf("0:%02x", i), payload), modelstest.ValidSignature, modelstest.Noon)
		})
		proven := 0
		for _, err := range errs {
			if err == nil {
				proven++
				continue
			}
			modelstest.WantRefusal(t, "one of the others", err, models.NonceUsed)
		}
		if proven != 1 {
			t.Errorf("one nonce proved %d wallets", proven)
		}
		modelstest.Sound(t, store)
	})
}

func TestAProvenWalletBelongsToOnePlayer(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		ann, bob := modelstest.Player(t, store), modelstest.Player(t, store)
		set := func(p models.Player, address *string) error {
			_, err := store.Wallet.SetWallet(t.Context(), p.ID, address)
			return err
		}
		if err := errors.Join(set(ann, new("0:aa")), set(bob, new("0:aa"))); err != nil {
			t.Errorf("two who only say that it is theirs: %v", err)
		}
		modelstest.ProveWallet(t, store, ann, "0:aa", modelstest.Noon)
		modelstest.WantWallet(t, store, bob, new("0:aa"), false)

		payload := modelstest.NewNonce(t, store, bob, modelstest.Noon)
		_, err := store.Wallet.ProveWallet(t.Context(), bob.ID, "0:aa", modelstest.Proof("0:aa", payload), modelstest.ValidSignature, modelstest.Noon)
		modelstest.WantRefusal(t, "the second proof", err, wallet.WalletInUse)
		if err := set(bob, new("0:aa")); err != nil {
			t.Errorf("an unproven wallet tells who has proven it: %v", err)
		}
		if err := set(bob, new("0:bb")); err != nil {
			t.Errorf("another wallet: %v", err)
		}
		if err := set(ann, new("0:aa")); err != nil {
			t.Errorf("the same without a proof: %v", err)
		}
		modelstest.WantWallet(t, store, ann, new("0:aa"), true)

		if err := set(ann, new("0:cc")); err != nil {
			t.Errorf("another without a proof: %v", err)
		}
		modelstest.WantWallet(t, store, ann, new("0:cc"), false)
		if _, err := store.Wallet.ProveWallet(t.Context(), bob.ID, "0:aa", modelstest.Proof("0:aa", payload), modelstest.ValidSignature, modelstest.Noon); err != nil {
			t.Errorf("the proof once the wallet is free: %v", err)
		}
		if err := set(bob, nil); err != nil {
			t.Errorf("disconnect: %v", err)
		}
		modelstest.WantWallet(t, store, bob, nil, false)
		modelstest.ProveWallet(t, store, ann, "0:aa", modelstest.Noon.Add(time.Minute))
		modelstest.Sound(t, store)
	})
}

func TestOfPlayersWhoProveAWalletAtOnceOneHasIt(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
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
			modelstest.WantRefusal(t, "one of the others", err, wallet.WalletInUse)
			modelstest.WantWallet(t, store, players[i], nil, false)
		}
		if proven != 1 {
			t.Errorf("%d players have proven one wallet", proven)
		}
		modelstest.Sound(t, store)
	})
}

// Both looked before either was there: on PostgreSQL the index decides.
func TestAWalletProvenByAnotherProcessMeanwhileIsInUse(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	store, raw := modelstest.OpenStore(t, address), modelstest.Raw(t, address)
	ann, bob := modelstest.Player(t, store), modelstest.Player(t, store)
	payload := modelstest.NewNonce(t, store, bob, modelstest.Noon)
	other, err := raw.BeginTx(t.Context(), nil)
	if err == nil {
		_, err = other.ExecContext(t.Context(), fmt.Sprintf("UPDATE players SET wallet = '0:aa', wallet_proven = TRUE WHERE id = %d", ann.ID))
	}
	if err != nil {
		t.Fatal(err)
	}
	answer := make(chan error, 1)
	go func() {
		_, err := store.Wallet.ProveWallet(t.Context(), bob.ID, "0:aa", modelstest.Proof("0:aa", payload), modelstest.ValidSignature, modelstest.Noon)
		answer <- err
	}()
	modelstest.AwaitLock(t, raw, answer)
	if err := other.Commit(); err != nil {
		t.Fatal(err)
	}
	modelstest.WantRefusal(t, "the later one", <-answer, wallet.WalletInUse)
	modelstest.WantWallet(t, store, bob, nil, false)
}

func TestABannedPlayerConnectsNoWallet(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		p := modelstest.Player(t, store)
		payload := modelstest.NewNonce(t, store, p, modelstest.Noon)
		modelstest.Done(t, store, players.ActionBan, fmt.Sprint(p.ID), "bots")
		_, err := store.Wallet.SetWallet(t.Context(), p.ID, new("0:aa"))
		modelstest.WantRefusal(t, "connect", err, game.UserBlocked)
		_, err = store.Wallet.ProveWallet(t.Context(), p.ID, "0:aa", modelstest.Proof("0:aa", payload), modelstest.ValidSignature, modelstest.Noon)
		modelstest.WantRefusal(t, "prove", err, game.UserBlocked)
		_, _, err = store.Wallet.NewWalletNonce(t.Context(), p.ID, modelstest.Noon)
		modelstest.WantRefusal(t, "a nonce", err, game.UserBlocked)
		modelstest.WantWallet(t, store, p, nil, false)
	})
}

func TestNoncesThatNobodyUsedExpireAndAreForgotten(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		p := modelstest.Player(t, store)
		late := modelstest.NewNonce(t, store, p, modelstest.Noon)
		modelstest.ProveWallet(t, store, p, "0:aa", modelstest.Noon)
		expire := func(after time.Duration, want int64) {
			t.Helper()
			if n, err := store.Wallet.ExpireNonces(t.Context(), modelstest.Noon.Add(after)); err != nil || n != want {
				t.Errorf("after %v: %d expired, %v", after, n, err)
			}
		}
		expire(5*time.Minute, 0)
		expire(5*time.Minute+time.Second, 1)
		expire(6*time.Minute, 0)
		// Its own process's clock may be behind.
		_, err := store.Wallet.ProveWallet(t.Context(), p.ID, "0:bb", modelstest.Proof("0:bb", late), modelstest.ValidSignature, modelstest.Noon)
		modelstest.WantRefusal(t, "a nonce that was closed", err, models.Expired)
		expire(24*time.Hour, 0)
		if n := modelstest.Count(t, raw, "SELECT COUNT(*) FROM wallet_nonces"); n != 2 {
			t.Errorf("%d nonces are left after a day", n)
		}
		expire(24*time.Hour+6*time.Minute, 0)
		if n := modelstest.Count(t, raw, "SELECT COUNT(*) FROM wallet_nonces WHERE state = 'used'"); n != 1 || modelstest.Count(t, raw, "SELECT COUNT(*) FROM wallet_nonces") != 1 {
			t.Errorf("%d nonces are left, and not what proved the wallet alone", n)
		}
		_, err = store.Wallet.ProveWallet(t.Context(), p.ID, "0:bb", modelstest.Proof("0:bb", late), modelstest.ValidSignature, modelstest.Noon)
		modelstest.WantRefusal(t, "a nonce that was forgotten", err, wallet.WalletProofInvalid)
		modelstest.Sound(t, store)
	})
}

func TestVerifyFindsWalletsThatNobodyProved(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		p := modelstest.Player(t, store)
		modelstest.ProveWallet(t, store, p, "0:aa", modelstest.Noon)
		modelstest.Sound(t, store)
		unguarded(t, raw)
		restore := remembered(t, raw)
		for name, change := range map[string]string{
			"another address":            "UPDATE players SET wallet = '0:thief'",
			"a proof that never was":     "DELETE FROM wallet_nonces",
			"a proof of another's":       "UPDATE wallet_nonces SET wallet = '0:bb'",
			"a proof of another nonce":   "UPDATE wallet_nonces SET nonce_hash = '" + strings.Repeat("a", 64) + "'",
			"no proof":                   "UPDATE wallet_nonces SET proof = NULL",
			"no signature":               "UPDATE wallet_nonces SET proof = '{}'",
			"another's signature":        "UPDATE wallet_nonces SET proof = REPLACE(proof, '\"signature\":\"', '\"signature\":\"AAAA')",
			"another domain":             "UPDATE wallet_nonces SET proof = REPLACE(proof, 'game.example', 'evil.example')",
			"a wallet and its nonce":     "UPDATE players SET wallet = '0:cc'; UPDATE wallet_nonces SET wallet = '0:cc'",
			"a proof that was not ended": "UPDATE wallet_nonces SET state = 'expired', wallet = NULL, used_at = NULL",
		} {
			modelstest.MustExec(t, raw, change)
			if got, want := brokenPlayers(t, store), naming(p.ID, []string{walletsAreProven}); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: found %v,\nwant  %v", name, got, want)
			}
			restore()
		}
		if _, err := raw.ExecContext(t.Context(), "UPDATE players SET wallet = NULL"); err == nil {
			t.Error("the database keeps a proven wallet that is none")
		}
	})
}

func TestVerifyFindsANonceLeftOpen(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		p := modelstest.Player(t, store)
		modelstest.NewNonce(t, store, p, modelstest.Noon)
		modelstest.Sound(t, store)
		run := alarms.JobRun{Job: wallet.ExpireNoncesJob, Period: modelstest.Noon, DoneAt: modelstest.Noon.Add(16 * time.Minute)}
		if err := store.Alarms.SaveRun(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		if got, want := brokenPlayers(t, store), map[string][]string{noncesAreClosed: {"wallet nonce 1"}}; !reflect.DeepEqual(got, want) {
			t.Errorf("found %v, want %v", got, want)
		}
		if n, err := store.Wallet.ExpireNonces(t.Context(), modelstest.Noon.Add(16*time.Minute)); err != nil || n != 1 {
			t.Errorf("%d expired, %v", n, err)
		}
		modelstest.Sound(t, store)
	})
}

func TestWalletsProvenBeforeProofsWereStoredStaySound(t *testing.T) {
	for _, name := range modelstest.Databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := modelstest.Bare(t, name)
			store := mustOpen(t, address)
			if err := store.MigrateTo(t.Context(), 37); err != nil {
				t.Fatal(err)
			}
			p := modelstest.Player(t, store, modelstest.Tapped(20))
			modelstest.Done(t, store, players.ActionBan, fmt.Sprint(modelstest.Player(t, store).ID), "spam")
			modelstest.NewNonce(t, store, p, modelstest.Noon)
			raw := modelstest.Raw(t, address)
			modelstest.MustExec(t, raw, "UPDATE wallet_nonces SET state = 'used', used_at = made_at, wallet = '0:aa'")
			modelstest.MustExec(t, raw, fmt.Sprintf("UPDATE players SET wallet = '0:aa', wallet_proven = TRUE WHERE id = %d", p.ID))
			if _, err := store.DB.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			modelstest.Sound(t, store)
			modelstest.NewNonce(t, store, p, modelstest.Noon)
			modelstest.MustExec(t, raw, "UPDATE wallet_nonces SET state = 'used', used_at = made_at, wallet = '0:bb' WHERE state = 'open'")
			want := map[string][]string{"every proven wallet is one player's, whose nonce its key has signed": {fmt.Sprint("player ", p.ID)}}
			if broken := modelstest.Broken(t, store); !reflect.DeepEqual(broken, want) {
				t.Errorf("broken are %v", broken)
			}
			modelstest.ProveWallet(t, store, p, "0:bb", modelstest.Noon) // an older program stored no proof; the wallet is proven again
			modelstest.Sound(t, store)
		})
	}
}

func TestMigrationForgetsWalletsOfErasedPlayers(t *testing.T) {
	for _, name := range modelstest.Databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := modelstest.Bare(t, name)
			store := mustOpen(t, address)
			if err := store.MigrateTo(t.Context(), 37); err != nil {
				t.Fatal(err)
			}
			modelstest.NewNonce(t, store, modelstest.Player(t, store), modelstest.Noon)
			raw := modelstest.Raw(t, address)
			modelstest.MustExec(t, raw, "UPDATE wallet_nonces SET state = 'used', used_at = made_at, wallet = '0:aa'")
			modelstest.MustExec(t, raw, "UPDATE players SET erased_at = created_at, banned_at = created_at, ban_reason = 'x', username = '', photo_url = '', notifications = FALSE")
			if _, err := store.DB.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			if n := modelstest.Count(t, raw, "SELECT COUNT(*) FROM wallet_nonces WHERE wallet <> ''"); n != 0 {
				t.Errorf("%d wallets of erased players are kept", n)
			}
		})
	}
}
