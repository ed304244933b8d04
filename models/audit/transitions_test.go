package audit_test

import (
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcbk/models/audit"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

// stateRow makes one row of a table in any state.
type stateRow struct {
	columns, values string            // without the state and what goes with it
	with            map[string]string // a column that is set in some states only, to them; the time now unless "value: " precedes
}

// stateRows are the tables that have states.
var stateRows = map[string]stateRow{
	"ad_tickets": {
		"ticket, player_id, purpose, target_id, day, opened_at, paid", "'0123456789abcdef0123456789abcdef', ANN, 'daily', 0, 1, NOW, FALSE",
		map[string]string{"settled_at": "settled"},
	},
	"admin_actions": {
		"admin_id, chat_id, action, args, nonce_hash, asked_at, expires_at, outcome", "1, 1, 'ban', '[]', 'a', '2026-03-04', '2026-03-05', ''",
		map[string]string{"decided_at": "executed cancelled expired refused"},
	},
	"bot_updates": {
		"update_id, chat_id, body, tries, next_try_at, received_at, last_error", "1, 1, '', 0, NOW, NOW, ''",
		map[string]string{"finished_at": "done dead"},
	},
	"broadcasts": {
		"author_id, text, source_chat_id, source_message_id, cursor, audience, queued, drafted_at", "1, 'a', 0, 0, 0, 0, 0, NOW",
		map[string]string{"started_at": "fanning done cancelled", "ended_at": "done cancelled"},
	},
	"friends": {
		"player_id, inviter_id", "BOB, ANN",
		map[string]string{"qualified_at": "qualified rewarded", "rewarded_at": "rewarded"},
	},
	"orders": {"player_id, kind, comment, amount, coins, ton_price, mcbk_price, created_at, expires_at", "ANN, 'purchase', 'a', 1, 1, 1, 1, '2026-03-04', '2026-03-05'", nil},
	"outbox": {
		"key, chat_id, kind, params, urgency, tries, next_try_at, queued_at, last_error", "'a', 1, 'a', '{}', 0, 0, NOW, NOW, ''",
		map[string]string{"finished_at": "sent dead"},
	},
	"payables": {"player_id, payment_id, amount, due_at", "ANN, 900, 1, NOW", map[string]string{
		"address": "'0:a': approved sent settled", "reported_hash": "'a': sent", "settled_at": "settled", "settled_lt": "1: settled", "settled_line": "0: settled",
	}},
	"payments": {
		"lt, amount, reason, player_id", "2, 1, '', ANN",
		map[string]string{"settled_at": "credited refundable"},
	},
	"player_tasks": {
		"player_id, task_id, progress, evidence, opened_at", "ANN, (SELECT MAX(id) FROM tasks), 0, '', NOW",
		map[string]string{"completed_at": "completed claimed", "claimed_at": "claimed"},
	},
	"predictions": {"player_id, day, text_number, offered_at", "ANN, 1, 1, NOW", nil},
	"spins": {
		"player_id, seed_id, nonce, odds_version, segment, chest, golden, spun_at", "ANN, 900, 0, 1, 0, -1, FALSE, NOW",
		map[string]string{"settled_at": "credited claimed doubled"},
	},
	"tournaments": {
		"starts_at, ends_at", "'2030-03-04', '2030-03-05'",
		map[string]string{"final_at": "final awarded", "awarded_at": "awarded"},
	},
	"wallet_nonces": {
		"player_id, nonce_hash, made_at, expires_at", "ANN, '" + strings.Repeat("a", 64) + "', '2026-03-04', '2026-03-05'",
		map[string]string{"used_at": "used", "wallet": "'0:a': used"},
	},
	"wheel_seeds": {
		"player_id, seed, client_seed, begun_day", "ANN, 'SEED', '', 0",
		map[string]string{"retired_at": "retired"},
	},
}

// insert and update are statements for a row in a state.
func (r stateRow) insert(table, state string) string {
	columns, values := r.columns+", state", r.values+", '"+state+"'"
	for column := range r.with {
		columns, values = columns+", "+column, values+", "+r.value(column, state)
	}
	return "INSERT INTO " + table + " (" + columns + ") VALUES (" + values + ")"
}

func (r stateRow) update(table, state string) string {
	set := "state = '" + state + "'"
	for column := range r.with {
		set += ", " + column + " = " + r.value(column, state)
	}
	return "UPDATE " + table + " SET " + set + " WHERE " + strings.SplitN(r.columns, ",", 2)[0] + " = " + strings.SplitN(r.values, ",", 2)[0]
}

func (r stateRow) value(column, state string) string {
	value, states, other := strings.Cut(r.with[column], ": ")
	if !other {
		value, states = "NOW", value
	}
	if slices.Contains(strings.Fields(states), state) {
		return value
	}
	return "NULL"
}

// what such rows hang on.
var stateScene = []string{
	"INSERT INTO tasks (action, target, reward_coins, reward_points, url, title_en, title_ru, created_at) VALUES ('exchange_join', 1, 1, 0, 'https://a', 'a', 'a', NOW)",
	"INSERT INTO wheel_seeds (id, player_id, seed, client_seed, state, begun_day) VALUES (900, BOB, 'SEED', '', 'present', 0)",
	"INSERT INTO treasury_transactions (lt, hash, prev_lt, prev_hash, happened_at, kind, source, amount, comment, comment_kind, boc, seen_at) VALUES (1, 'a', 0, '', NOW, '', '', 1, '', '', '', NOW), (2, 'b', 1, 'a', NOW, '', '', 1, '', '', '', NOW)",
	"INSERT INTO treasury_transfers (lt, line, destination, amount, comment) VALUES (1, 0, '0:a', 1, '')",
	"INSERT INTO payments (id, lt, state, amount, reason, settled_at) VALUES (900, 1, 'refundable', 7, '', NOW)",
}

// states are those that a column of this name may hold, of each table that has one.
func states(t *testing.T, store *store.Store) map[string][]string {
	t.Helper()
	guards := modelstest.Must(audit.Guards(store.DB.Committed(t.Context()), store.DB.Dialect))(t)
	check := regexp.MustCompile(`^table (\w+) on .*\bstate TEXT NOT NULL CHECK \(state IN \(([^)]*)\)|^constraint \w+_state_check on (\w+): .*ARRAY\[([^]]*)\]`)
	found := map[string][]string{}
	for _, line := range guards {
		if m := check.FindStringSubmatch(line); m != nil {
			for _, name := range regexp.MustCompile(`'(\w+)'`).FindAllStringSubmatch(m[2]+m[4], -1) {
				found[m[1]+m[3]] = append(found[m[1]+m[3]], name[1])
			}
		}
	}
	return found
}

func TestDatabaseAllowsOnlyListedTransitions(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		ann, bob := modelstest.Player(t, store), modelstest.Player(t, store)
		dropFixed(t, raw)
		all := states(t, store)
		columns := "SELECT COUNT(*) FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = 'state'"
		if modelstest.IsPostgres(t) {
			columns = "SELECT COUNT(*) FROM information_schema.columns WHERE column_name = 'state' AND table_schema = current_schema()"
		}
		if n := modelstest.Count(t, raw, columns); n != len(all) || n != len(stateRows) {
			t.Errorf("%d tables have a state, %d say which there are, this test knows %d", n, len(all), len(stateRows))
		}
		words := strings.NewReplacer("NOW", "CURRENT_TIMESTAMP", "ANN", fmt.Sprint(ann.ID), "BOB", fmt.Sprint(bob.ID), "SEED", strings.Repeat("s", 32))
		for table, names := range all {
			listed := listedSteps(t, table, names)
			if len(listed) == 0 {
				t.Errorf("no machine keeps its states in %s", table)
			}
			for _, from := range names {
				for _, to := range names {
					step := from + ">" + to
					err := tryTransition(t, raw, words, stateRows[table].insert(table, from), stateRows[table].update(table, to))
					switch {
					case from == to || listed[step]:
						if err != nil && (from != to || table != "admin_actions") { // what was decided never changes
							t.Errorf("%s: %s is refused: %v", table, step, err)
						}
					case err == nil:
						t.Errorf("%s: %s is taken, and no transition lists it", table, step)
					case !refusedAsStep(t, err, table, from, to):
						t.Errorf("%s: %s is refused by something else: %v", table, step, err)
					}
				}
			}
		}
	})
}

// refusedAsStep reports whether what keeps the steps said no.
func refusedAsStep(t *testing.T, err error, table, from, to string) bool {
	t.Helper()
	text := table + ": no step leads there"
	if modelstest.IsPostgres(t) {
		text = fmt.Sprintf("%s: no step leads from %s to %s", table, from, to)
	}
	if table == "admin_actions" {
		text = "the audit is append-only"
	}
	return strings.Contains(err.Error(), text)
}

// tryTransition tells what the last statement comes to after the others; nothing of it stays.
func tryTransition(t *testing.T, raw *sql.DB, words *strings.Replacer, insert, update string) error {
	t.Helper()
	tx := modelstest.Must(raw.BeginTx(t.Context(), nil))(t)
	defer tx.Rollback() //nolint:errcheck // it is what should happen
	for _, statement := range append(slices.Clone(stateScene), insert) {
		if _, err := tx.ExecContext(t.Context(), words.Replace(statement)); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	result, err := tx.ExecContext(t.Context(), words.Replace(update))
	if err != nil {
		return err
	}
	if rows, err := result.RowsAffected(); err != nil || rows != 1 {
		t.Fatalf("%s: %d rows, %v", update, rows, err)
	}
	return nil
}

// transition is one step of something that has states, with the tests that take it; a step
// that must not be taken is refused, or changes nothing.
type transition struct {
	from, event, to string
	tests           string
}

const refused = "refused"

// transitions are all steps there are so far. A feature that brings a state brings its lines.
var transitions = map[string][]transition{
	"consent of a player": {
		{"–", "first look", "new", "players.TestNewPlayerStartsEmpty players.TestConcurrentFirstRequestsMakeOnePlayer api.TestOnlyTheFirstCallMakesAPlayer"},
		{"–", "accept", refused, "api.TestOnlyTheFirstCallMakesAPlayer players.TestUnknownPlayerIsNotFound"},
		{"–", "tap", refused, "api.TestOnlyTheFirstCallMakesAPlayer"},
		{"new", "another look", "new", "players.TestExistingPlayerIsNotBoundByCode players.TestSignInUpdatesOnlyTelegramProfile"},
		{"new", "tap", refused, "taps.TestTapsNeedConsentAndAnOpenSeason api.TestTappingNeedsConsentAndSeason"},
		{"new", "accept", "consented", "players.TestConsentIsGivenOnce players.TestPreferenceChangesOneThing"},
		{"consented", "accept", "consented", "players.TestConsentIsGivenOnce"},
		{"consented", "take back", refused, "api.TestStories"},
	},
	"friend of a player": {
		{"–", "first look with a code", "bound", "players.TestFirstValidReferralCodeBinds players.TestLastReferralCodeOfBotCounts api.TestAFriendsSignedCodeBeatsTheAddress"},
		{"–", "later look with a code", refused, "players.TestExistingPlayerIsNotBoundByCode"},
		{"bound", "13th day", "bound", "friends.TestFriendIsRewardedAfterFourteenDays"},
		{"bound", "14th day", "qualified", "friends.TestFriendIsRewardedAfterFourteenDays"},
		{"qualified", "reward", "rewarded", "friends.TestFriendIsRewardedAfterFourteenDays friends.TestFiftyConcurrentRewardsPayOnce"},
		{"qualified", "reward of the 21st of a day", "qualified", "friends.TestTwentyFirstFriendOfADayWaits"},
		{"qualified", "reward of an inviter who may not earn", "qualified", "friends.TestBlockedInviterIsRewardedLaterEvenAfterSeason"},
		{"rewarded", "reward", "rewarded", "friends.TestFriendIsRewardedAfterFourteenDays"},
		{"bound", "reject", "rejected", "friends.TestRejectedFriendIsNotRewarded"},
		{"qualified", "reject", "rejected", "friends.TestRejectedFriendIsNotRewarded"},
		{"rejected", "14th day, reward, reject", refused, "friends.TestRejectedFriendIsNotRewarded"},
		{"rewarded", "reject", refused, "friends.TestRejectedFriendIsNotRewarded"},
	},
	"tap batch": {
		{"–", "batch", "accepted", "taps.TestTapsEarnAThousandthEach ledger.TestTapBatchIsOnePostingFromTheHouse api.TestStories"},
		{"–", "batch beyond energy or pace", "accepted in part", "taps.TestBatchOfNothingAcceptedMayBeRepeated api.TestStories"},
		{"–", "batch outside the season", refused, "taps.TestTapsNeedConsentAndAnOpenSeason api.TestNothingIsEarnedBeforeTheSeason"},
		{"accepted", "the same batch", "accepted", "taps.TestRepeatedBatchReturnsFirstReceiptAfterLaterPlay taps.TestRepeatedBatchReturnsFirstReceiptAfterSeason taps.TestFiftyConcurrentCopiesOfABatchCountOnce"},
		{"accepted", "its id with another count", refused, "taps.TestBatchKeyWithAnotherCountIsRefused"},
	},
	"energy of a day": {
		{"full..0", "tap", "less", "taps.TestTapsEarnAThousandthEach"},
		{"full..0", "midnight", "full", "taps.TestEnergyIsFullAgainAtMidnight"},
		{"0", "tap", "0", "taps.TestEnergyIsFullAgainAtMidnight"},
	},
	"check-in of a day": {
		{"–", "check-in", "credited", "daily.TestEachDayIsPaidOnce daily.TestFiftyConcurrentCheckInsPayOnce api.TestAPlayersFirstDay"},
		{"–", "check-in without consent, outside the season", refused, "daily.TestCheckInNeedsConsentAndAnOpenSeason"},
		{"–", "ad", refused, "daily.TestAdDoublesCheckIn"},
		{"credited", "check-in", "credited", "daily.TestEachDayIsPaidOnce"},
		{"credited", "ad confirmed", "doubled", "daily.TestAdDoublesCheckIn daily.TestAdBelongsToDayOfItsTicket"},
		{"doubled", "ad confirmed", "doubled", "daily.TestOneOfTwoTicketsDoublesACheckIn"},
	},
	"ad ticket": {
		{"–", "start", "open", "daily.TestAdDoublesCheckIn"},
		{"–", "start beyond the limits", refused, "ads.TestAdsAreLimitedByHourAndDay"},
		{"open", "the network's word", "settled", "ads.TestCallbackSettlesOldestTicketOfValidAge ads.TestFiftyConcurrentCallbacksPayOnce"},
		{"open", "a word too early, too late, for another", refused, "ads.TestCallbackSettlesOldestTicketOfValidAge ads.TestCallbackOfUnknownPlayerSettlesNothing"},
		{"open", "the app's word", "settled", "ads.TestOnlyTrustedAppConfirmsAds api.TestAnAppThatIsTrustedConfirmsItsAds"},
		{"open", "an hour", "expired", "ads.TestOldOffersExpire"},
		{"settled", "an hour", refused, "store.TestRowsInUseDoNotExpire"},
		{"settled", "the network's word", refused, "ads.TestCallbackSettlesOldestTicketOfValidAge"},
		{"expired", "the app's word", refused, "ads.TestOldOffersExpire store.TestAdExpiringDuringConfirmationChangesNothing"},
	},
	"advice of a day": {
		{"–", "asking", "offered", "daily.TestRepeatedRequestReturnsSameAdvice"},
		{"offered", "asking", "offered", "daily.TestRepeatedRequestReturnsSameAdvice"},
		{"offered", "claim", "claimed", "daily.TestAdviceIsClaimedOnce"},
		{"offered", "another's claim", refused, "daily.TestAdviceIsClaimedOnce"},
		{"offered", "ad confirmed", "doubled", "daily.TestAdDoublesAdvice"},
		{"offered", "midnight", "expired", "daily.TestUnclaimedAdviceExpiresAtDayEnd ads.TestOldOffersExpire"},
		{"claimed", "claim", refused, "daily.TestAdviceIsClaimedOnce"},
		{"claimed", "ad confirmed", "doubled", "daily.TestAdviceClaimedDuringAdIsDoubled"},
		{"claimed", "ad", refused, "daily.TestAdviceIsClaimedOnce"},
		{"doubled", "claim", refused, "daily.TestAdDoublesAdvice"},
		{"expired", "claim", refused, "daily.TestUnclaimedAdviceExpiresAtDayEnd"},
		{"expired", "claim that was under way", "claimed", "store.TestRowsInUseDoNotExpire"},
		{"claimed, doubled", "midnight", refused, "store.TestRowsInUseDoNotExpire"},
		{"expired", "ad confirmed", "doubled", "daily.TestUnclaimedAdviceExpiresAtDayEnd"},
	},
	"spin of the wheel": {
		{"–", "spin that stops at coins", "credited", "wheel.TestCoinPrizeIsPaidAtOnce api.TestAPlayersDayAtTheWheel"},
		{"–", "spin that stops elsewhere", "pending", "wheel.TestPendingPrizeIsClaimedOnce api.TestAPlayersDayAtTheWheel"},
		{"–", "spin without a spin, consent, season", refused, "wheel.TestFiftyConcurrentSpinsUseTheLastOnce wheel.TestSpinningNeedsConsentAndAnOpenSeason"},
		{"–", "spin that is rolled back", "–", "wheel.TestRolledBackSpinLeavesNoTrace"},
		{"credited", "claim or ad", refused, "wheel.TestCoinPrizeIsPaidAtOnce"},
		{"pending", "claim", "claimed", "wheel.TestPendingPrizeIsClaimedOnce wheel.TestOnlyAChestIsOpened wheel.TestFiftyConcurrentClaimsPayOnce"},
		{"pending", "another's claim", refused, "wheel.TestPendingPrizeIsClaimedOnce"},
		{"pending", "ad confirmed", "doubled", "wheel.TestAdMultipliesAPrize wheel.TestConcurrentSpinClaimAndAdPayOnceEach"},
		{"pending", "ad for a bonus spin or spins alone", refused, "wheel.TestAdMultipliesAPrize"},
		{"pending", "the next spin", "claimed", "wheel.TestNextSpinPaysPendingPrize"},
		{"pending", "24 hours", "claimed", "wheel.TestUnclaimedPrizeIsPaidAfterADay"},
		{"claimed", "ad confirmed that was under way", "doubled", "wheel.TestNextSpinPaysPendingPrize"},
		{"claimed", "claim", refused, "wheel.TestPendingPrizeIsClaimedOnce wheel.TestUnclaimedPrizeIsPaidAfterADay"},
		{"doubled", "claim or ad", refused, "wheel.TestAdMultipliesAPrize"},
	},
	"golden spin": {
		{"–", "golden spin that stops at coins", "credited", "wheel.TestGoldenSpinIsEarnedInSevenDays"},
		{"–", "golden spin that stops elsewhere", "pending", "wheel.TestGoldenPointPrizeIsPending"},
		{"–", "golden spin without seven days, or twice", refused, "wheel.TestGoldenSpinIsEarnedInSevenDays"},
		{"credited", "ad confirmed", "doubled", "wheel.TestGoldenSpinIsEarnedInSevenDays"},
		{"credited", "ad a day later", refused, "wheel.TestGoldenCoinsAreDoubledWithinADay"},
		{"pending", "ad confirmed", "doubled", "wheel.TestGoldenPointPrizeIsPending"},
	},
	"spins of a day": {
		{"–", "look", "given", "wheel.TestFirstReadOfADayGrantsSpins wheel.TestFiftyConcurrentFirstReadsGrantOnce"},
		{"–", "look outside the season", "–", "wheel.TestNothingIsGrantedOutsideTheSeason"},
		{"given", "look", "given", "wheel.TestFirstReadOfADayGrantsSpins"},
		{"given", "ad confirmed for a spin", "one more", "wheel.TestAdTurnsAdSpinIntoFreeSpin wheel.TestAdSpinBelongsToDayOfItsTicket"},
		{"given", "ad with twenty spins held, or none for ads left", refused, "wheel.TestPlayerHoldsTwentySpinsAtMost wheel.TestTenAdSpinsADay"},
	},
	"server seed": {
		{"–", "first look or spin", "present", "wheel.TestRetiredSeedMatchesItsPublishedHash wheel.TestFiftyConcurrentFirstSpinsShareOneSeedPair"},
		{"next", "the present one is retired", "present", "wheel.TestRetiredSeedMatchesItsPublishedHash"},
		{"present", "another client seed", "retired", "wheel.TestRetiredSeedMatchesItsPublishedHash"},
		{"present", "a day after it was used", "retired", "wheel.TestUsedSeedIsRetiredTheNextDay"},
		{"present", "a day without a spin", "present", "wheel.TestUsedSeedIsRetiredTheNextDay"},
	},
	"loyalty bonus of a day": {
		{"counting", "third of its ads confirmed", "eligible", "daily.TestLoyaltyBonusIsPaidOncePerDay"},
		{"counting", "claim", refused, "daily.TestLoyaltyBonusNeedsAllThreeAds api.TestAPlayersDayAtTheWheel"},
		{"eligible", "claim", "claimed", "daily.TestLoyaltyBonusIsPaidOncePerDay"},
		{"claimed", "claim", refused, "daily.TestLoyaltyBonusIsPaidOncePerDay"},
		{"eligible", "midnight", "counting", "daily.TestLoyaltyBonusIsPaidOncePerDay"},
	},
	"order for coins": {
		{"–", "order", "pending", "treasury.TestPaymentOnTimeCreditsOrderAndInviter api.TestAPlayerOrdersAndIsCredited"},
		{"–", "order without a wallet, consent, price, or one too many", refused, "orders.TestOnlyValidOrdersAreAccepted"},
		{"pending", "payment on time", "paid", "treasury.TestPaymentOnTimeCreditsOrderAndInviter"},
		{"pending", "15 minutes, the chain known beyond", "expired", "treasury.TestOrderExpiresOnceChainIsKnownBeyondIt"},
		{"pending", "cancel", "cancelled", "treasury.TestUnusualPaymentsAreHeldOrCredited"},
		{"pending", "another's cancel", refused, "orders.TestOnlyValidOrdersAreAccepted api.TestEveryRouteIsGuarded"},
		{"expired", "payment that was on time", "paid", "treasury.TestPaymentOnTimeCountsAfterItsOrderExpired"},
		{"paid, expired, cancelled", "payment", "paid", "treasury.TestUnusualPaymentsAreHeldOrCredited treasury.TestOrderExpiresOnceChainIsKnownBeyondIt"},
		{"paid, expired", "cancel", refused, "store.TestRowsInUseDoNotExpire treasury.TestOrderExpiresOnceChainIsKnownBeyondIt api.TestAPlayerOrdersAndIsCredited"},
	},
	"order for a mine": {
		{"–", "order of the next mine", "pending", "mines.TestMineIsOpenedByPaymentAndDug api.TestAPlayersWayThroughTheMines"},
		{"–", "order of another mine, outside the tournament, without a wallet, consent, or one too many", refused, "mines.TestOnlyNextMineOfRunningTournamentIsOrdered"},
		{"pending", "order of the same mine", "pending", "mines.TestMineIsOpenedByPaymentAndDug api.TestAPlayersWayThroughTheMines"},
		{"pending", "15 minutes, the chain known beyond", "expired", "mines.TestMineIsOpenedByPaymentAndDug"},
		{"pending, expired", "full payment", "paid", "mines.TestMineIsOpenedByPaymentAndDug mines.TestWholeTournament"},
		{"pending, expired", "less, or no longer possible", "held", "mines.TestPaymentThatOpensNoMineIsHeld mines.TestWholeTournament"},
		{"pending", "hash", "pending", "api.TestAPlayersWayThroughTheMines"},
		{"paid", "payment", "held", "mines.TestPaymentThatOpensNoMineIsHeld"},
		{"cancelled", "payment", "held", "mines.TestPaymentThatOpensNoMineIsHeld"},
		{"cancelled", "held payment given to it", "paid", "mines.TestPaymentThatOpensNoMineIsHeld"},
	},
	"batch of a mine": {
		{"–", "batch", "accepted", "mines.TestMineIsOpenedByPaymentAndDug mines.TestFiftyConcurrentBatchesWithOneKeyDigOnce"},
		{"–", "batch without a mine, outside the tournament", refused, "mines.TestMineIsOpenedByPaymentAndDug mines.TestBatchCountsUntilTournamentEnd"},
		{"–", "batch of a clock that is behind, the tournament closed", refused, "mines.TestBatchCountsUntilTournamentEnd"},
		{"accepted", "the same batch", "accepted", "mines.TestMineIsOpenedByPaymentAndDug mines.TestFiftyConcurrentBatchesWithOneKeyDigOnce"},
		{"accepted", "its id with another count, or at the bag", refused, "mines.TestMineIsOpenedByPaymentAndDug mines.TestBatchKeyServesTheBagOrTheMine"},
	},
	"energy of a mine": {
		{"full..0", "tap", "less", "mines.TestMineIsOpenedByPaymentAndDug"},
		{"full..0", "00:00 or 12:00 UTC", "full", "mines.TestMineIsOpenedByPaymentAndDug"},
		{"0", "deeper mine", "its difference", "mines.TestMineIsOpenedByPaymentAndDug"},
	},
	"tournament": {
		{"–", "first start", "scheduled", "mines.TestTournamentsDoNotOverlap"},
		{"–", "new", "scheduled", "mines.TestTournamentsDoNotOverlap bot.TestAnAdminIsAnsweredAndAskedBeforeAnythingChanges"},
		{"–", "new in the past, or over another", refused, "mines.TestTournamentsDoNotOverlap"},
		{"scheduled", "its time", "running", "mines.TestWholeTournament mines.TestInterruptedTournamentPaysNothingTwice"},
		{"scheduled", "15 days unseen", "closed", "mines.TestSlowClockNeverReversesTournament"},
		{"running", "a clock that is behind", "running", "mines.TestSlowClockNeverReversesTournament"},
		{"running", "15 days", "closed", "mines.TestWholeTournament mines.TestInterruptedTournamentPaysNothingTwice"},
		{"running, closed", "award", refused, "mines.TestWholeTournament"},
		{"closed", "the chain not known beyond the end", "closed", "mines.TestWholeTournament"},
		{"closed", "a mine opened meanwhile", "closed", "mines.TestMineOpenedDuringTournamentEndIsRanked"},
		{"closed", "the chain known beyond the end", "final", "mines.TestWholeTournament mines.TestInterruptedTournamentPaysNothingTwice"},
		{"final", "award", "awarded", "mines.TestWholeTournament mines.TestInterruptedTournamentPaysNothingTwice mines.TestMinersOfOneRankArePaidInParts"},
		{"awarded", "award", refused, "mines.TestWholeTournament"},
	},
	"payout": {
		{"–", "prize", "due", "mines.TestWholeTournament mines.TestTieSharesPrizes"},
		{"–", "refund", "due", "treasury.TestPayoutIsApprovedSentAndSettledByChain"},
		{"due", "approve", "approved", "treasury.TestPrizeIsPaidOnlyToProvenWallet treasury.TestPayoutIsApprovedSentAndSettledByChain"},
		{"due", "approve without a proven wallet", refused, "treasury.TestPrizeIsPaidOnlyToProvenWallet"},
		{"due", "seen on chain, or reported", refused, "treasury.TestPayoutIsApprovedSentAndSettledByChain"},
		{"due, approved", "cancel", "cancelled", "treasury.TestPayoutIsApprovedSentAndSettledByChain bot.TestATournamentIsToldOfAndAwarded"},
		{"approved", "reported", "sent", "treasury.TestPayoutIsApprovedSentAndSettledByChain"},
		{"approved", "reported with the transaction of another", refused, "treasury.TestPayoutIsApprovedSentAndSettledByChain"},
		{"approved", "another amount or address on chain", "approved", "treasury.TestPayoutIsApprovedSentAndSettledByChain"},
		{"approved, sent", "seen on chain", "settled", "treasury.TestPayoutIsApprovedSentAndSettledByChain"},
		{"sent", "cancel", refused, "treasury.TestPayoutIsApprovedSentAndSettledByChain"},
		{"sent, settled", "came back", "due", "treasury.TestBouncedPayoutIsDueAgain"},
	},
	"nonce of a wallet": {
		{"–", "asked for", "open", "wallet.TestNonceProvesOneWalletWithinFiveMinutes"},
		{"–", "asked for by a banned player", refused, "wallet.TestBannedPlayerConnectsNoWallet"},
		{"open", "proof", "used", "wallet.TestNonceProvesOneWalletWithinFiveMinutes wallet.TestFiftyConcurrentProofsUseNonceOnce"},
		{"open", "another's proof, or a wrong one", refused, "wallet.TestNonceProvesOneWalletWithinFiveMinutes wallet.TestWrongSignatureLeavesNonceOpen"},
		{"open", "proof after five minutes", refused, "wallet.TestNonceProvesOneWalletWithinFiveMinutes"},
		{"open", "five minutes", "expired", "wallet.TestUnusedNoncesExpireAndAreDeleted wallet.TestNonceExpiringDuringProofProvesNothing"},
		{"used", "proof", refused, "wallet.TestNonceProvesOneWalletWithinFiveMinutes wallet.TestFiftyConcurrentProofsUseNonceOnce"},
		{"used", "five minutes", refused, "store.TestRowsInUseDoNotExpire"},
		{"used", "a day", "used", "wallet.TestUnusedNoncesExpireAndAreDeleted"},
		{"expired", "proof", refused, "wallet.TestUnusedNoncesExpireAndAreDeleted"},
		{"expired", "a day", "–", "wallet.TestUnusedNoncesExpireAndAreDeleted"},
	},
	"wallet of a player": {
		{"–", "address", "connected", "wallet.TestProvenWalletBelongsToOnePlayer"},
		{"–, connected", "address that another has proven", refused, "wallet.TestProvenWalletBelongsToOnePlayer"},
		{"–, connected", "any change by a banned player", refused, "wallet.TestBannedPlayerConnectsNoWallet"},
		{"–, connected", "proof", "proven", "wallet.TestNonceProvesOneWalletWithinFiveMinutes wallet.TestConcurrentProofsGiveWalletToOnePlayer"},
		{"–, connected", "proof of a wallet that another has proven", refused, "wallet.TestProvenWalletBelongsToOnePlayer wallet.TestConcurrentProofsGiveWalletToOnePlayer"},
		{"connected", "null", "–", "api.TestAPlayerOrdersAndIsCredited"},
		{"proven", "the same address", "proven", "wallet.TestProvenWalletBelongsToOnePlayer"},
		{"proven", "another address", "connected", "wallet.TestProvenWalletBelongsToOnePlayer"},
		{"proven", "null", "–", "wallet.TestProvenWalletBelongsToOnePlayer"},
	},
	"incoming payment": {
		{"–", "seen in a final block", "seen", "treasury.TestHistoryIsRecordedOnceWithoutGap treasury.TestManyPaymentsAreRecordedInParts"},
		{"–", "seen again, or out of order", refused, "treasury.TestHistoryIsRecordedOnceWithoutGap"},
		{"seen", "comment of an order", "credited", "treasury.TestPaymentOnTimeCreditsOrderAndInviter"},
		{"seen", "no comment, an unknown one, too little, too much", "held", "treasury.TestUnusualPaymentsAreHeldOrCredited"},
		{"seen", "it did not stay", "ignored", "treasury.TestUnusualPaymentsAreHeldOrCredited"},
		{"held", "given to an order or a player", "credited", "treasury.TestAdminSettlesHeldPayments"},
		{"held", "refund", "refundable", "treasury.TestAdminSettlesHeldPayments bot.TestPaymentsThatWaitAreListedAndSettled"},
		{"credited, refundable", "settled again", refused, "treasury.TestAdminSettlesHeldPayments"},
	},
	"idempotency key": {
		{"–", "write", "kept", "commit.TestRepeatedRequestGetsSameAnswerWithoutSecondEffect api.TestEveryWriteHappensOnce"},
		{"–", "write that fails", "–", "commit.TestErrorOrPanicRollsBackStoreCalls commit.TestFailureAnswerIsReturnedButNotStored"},
		{"kept", "the same write", "kept", "commit.TestRepeatedRequestGetsSameAnswerWithoutSecondEffect commit.TestFiftyCopiesOfARequestHaveOneEffect"},
		{"kept", "another write", refused, "commit.TestKeyWithAnotherBodyOrCallIsRefused api.TestEveryWriteHappensOnce"},
		{"kept", "seven days", "–", "commit.TestAnswersAreDeletedAfterSevenDays"},
	},
	"task of a player": {
		{"–", "first look", "active", "tasks.TestFirstReadOpensTasksOfADayOnce"},
		{"–", "first event", "active", "tasks.TestProgressOfEventsStopsAtTheTarget"},
		{"–", "taps that are enough", "completed", "tasks.TestOneBatchCompletesBothUnopenedTasks tasks.TestTapWithoutTaskCacheWritesTasks"},
		{"active", "event", "active", "tasks.TestProgressOfEventsStopsAtTheTarget tasks.TestConcurrentEventsAllCount"},
		{"active", "event that is rolled back", "active", "tasks.TestRolledBackEventDoesNotCount"},
		{"active", "event that reaches the target", "completed", "tasks.TestProgressOfEventsStopsAtTheTarget"},
		{"active", "batch that reaches the target", "completed", "tasks.TestTapsCompleteTasksWithTheReachingBatch tasks.TestBatchesWrittenTogetherCompleteTheirTasks"},
		{"active", "stored link visited", "completed", "tasks.TestVisitOfStoredLinkCompletesItsTask"},
		{"active", "another link or channel", refused, "tasks.TestVisitOfStoredLinkCompletesItsTask tasks.TestSubscriptionOfStoredChannelCompletesItsTask api.TestOnlyTheStoredLinkAndChannelCount"},
		{"active", "Telegram confirms", "completed", "tasks.TestSubscriptionOfStoredChannelCompletesItsTask api.TestTelegramDecidesOverASubscription"},
		{"active", "Telegram is away", "active", "api.TestTelegramDecidesOverASubscription bot.TestNoAnswerAboutAChannelIsNoSubscription"},
		{"active", "claim", refused, "tasks.TestTaskIsClaimedOnce api.TestAClaimIsRefusedUntilDoneAndOnceItWas"},
		{"active", "day over", "expired", "tasks.TestNextDayPaysCompletedTasksAndExpiresOthers"},
		{"completed", "claim", "claimed", "tasks.TestTaskIsClaimedOnce tasks.TestFiftyConcurrentClaimsPayOnce"},
		{"completed", "another's claim", refused, "tasks.TestTaskIsClaimedOnce api.TestEveryRouteIsGuarded"},
		{"completed", "day over", "claimed", "tasks.TestNextDayPaysCompletedTasksAndExpiresOthers tasks.TestConcurrentClosingAndClaimingPayOnce"},
		{"completed", "season over", "claimed", "tasks.TestPermanentTasksArePaidAfterSeasonEnd"},
		{"completed", "task taken back", "completed", "tasks.TestWithdrawnTaskCanStillBeClaimed"},
		{"claimed", "claim", refused, "tasks.TestTaskIsClaimedOnce tasks.TestFiftyConcurrentClaimsPayOnce"},
		{"expired", "claim", refused, "tasks.TestNextDayPaysCompletedTasksAndExpiresOthers"},
		{"expired", "what was under way reaches the target", "completed", "tasks.TestTaskCompletedAfterClosingIsPaidNextDay"},
	},
	"permanent task": {
		{"–", "add", "offered", "tasks.TestAdminsOfferOnlyLinksThatPlayersMayOpen bot.TestWrittenTasksAreOfferedInBothLanguages"},
		{"–", "add what no player may open", refused, "tasks.TestAdminsOfferOnlyLinksThatPlayersMayOpen"},
		{"offered", "add again", refused, "tasks.TestAdminsOfferOnlyLinksThatPlayersMayOpen"},
		{"offered", "retire", "taken back", "tasks.TestWithdrawnTaskCanStillBeClaimed bot.TestWrittenTasksAreOfferedInBothLanguages"},
		{"taken back", "retire", refused, "tasks.TestAdminsOfferOnlyLinksThatPlayersMayOpen"},
	},
	"ban of a player": {
		{"may play", "ban", "banned", "bot.TestAnAdminIsAnsweredAndAskedBeforeAnythingChanges api.TestABannedPlayerIsRefusedEverywhereWithTheReason"},
		{"may play", "unban", refused, "admin.TestRefusedActionLeavesOnlyItsReason"},
		{"banned", "any call", refused, "api.TestABannedPlayerIsRefusedEverywhereWithTheReason api.TestABannedPlayerGetsNoStoredAnswer players.TestBannedPlayerEarnsNothingAndKeepsEverything"},
		{"banned", "ban", refused, "players.TestBanKeepsItsFirstReason"},
		{"banned", "unban", "may play", "players.TestBannedPlayerEarnsNothingAndKeepsEverything bot.TestAnAdminIsAnsweredAndAskedBeforeAnythingChanges"},
	},
	"account of a player": {
		{"known", "erase", "erased", "privacy.TestErasedPlayerStaysErased bot.TestAnAdminIsAnsweredAndAskedBeforeAnythingChanges"},
		{"banned", "erase", "erased", "privacy.TestBannedPlayerCanBeErased"},
		{"known", "erase while money of theirs waits", refused, "privacy.TestPlayerWithPendingMoneyIsNotErased"},
		{"erased", "erase, unban", refused, "privacy.TestErasedPlayerStaysErased"},
		{"erased", "any call, another look", refused, "privacy.TestErasedPlayerStaysErased"},
	},
	"maintenance": {
		{"off", "on", "on", "settings.TestEveryProcessSeesMaintenanceWithinTwoSeconds api.TestDuringMaintenancePlayersWaitAndTheRestGoesOn"},
		{"off", "off", refused, "admin.TestRefusedActionLeavesOnlyItsReason"},
		{"on", "any call of a player", refused, "api.TestDuringMaintenancePlayersWaitAndTheRestGoesOn"},
		{"on", "off", "off", "settings.TestEveryProcessSeesMaintenanceWithinTwoSeconds api.TestAfterMaintenanceTheSameBatchCounts"},
	},
	"command of an admin": {
		{"–", "command", "asked", "bot.TestAnAdminIsAnsweredAndAskedBeforeAnythingChanges admin.TestActionRunsOnlyAfterConfirmation"},
		{"–", "command of a stranger, in a group, forwarded", refused, "bot.TestNobodyElseIsAnsweredAndItIsWrittenDown admin.TestRefusedCommandsAreLoggedUpToALimit"},
		{"–", "action nobody knows", refused, "admin.TestUnknownActionIsRejected"},
		{"asked", "confirm", "executed", "admin.TestActionRunsOnlyAfterConfirmation admin.TestConcurrentConfirmationsExecuteOnce bot.TestTwentyPressesAtOnceAreOneEffect"},
		{"asked", "confirm what the rules refuse", "refused by the rules", "admin.TestRefusedActionLeavesOnlyItsReason"},
		{"asked", "confirm whose commit fails", "asked", "admin.TestActionWhoseCommitFailsIsNotExecuted"},
		{"asked", "another's press", refused, "admin.TestInvalidConfirmationIsRefusedAndLogged bot.TestAStolenOrStaleConfirmationDoesNothing"},
		{"asked", "cancel", "cancelled", "admin.TestConfirmationIsDecidedOnce bot.TestACancelledQuestionIsNeverDone"},
		{"asked", "120 s", "expired", "admin.TestUnansweredConfirmationExpires"},
		{"asked", "press after 120 s", "expired", "admin.TestInvalidConfirmationIsRefusedAndLogged bot.TestAStolenOrStaleConfirmationDoesNothing"},
		{"executed, cancelled, expired", "press", refused, "admin.TestConfirmationIsDecidedOnce admin.TestUnansweredConfirmationExpires"},
		{"executed, cancelled, expired", "change by hand", refused, "admin.TestAuditIsAppendOnly"},
	},
	"update of the bot": {
		{"–", "received", "waiting", "outbox.TestRepeatedUpdateIsStoredOnce bot.TestAnUpdateIsKeptBeforeTelegramMayForgetIt"},
		{"–", "received by a full inbox", refused, "outbox.TestFullInboxRefusesNewUpdatesOnly"},
		{"waiting", "answered", "done", "bot.TestAnUpdateThatComesTwiceIsAnsweredOnce"},
		{"waiting", "failed try", "waiting", "outbox.TestUpdateIsDeadAfterFiveTriesWithBackoff"},
		{"waiting", "fifth failed try", "dead", "outbox.TestUpdateIsDeadAfterFiveTriesWithBackoff bot.TestAPoisonUpdateIsGivenUpAfterFiveTries"},
		{"waiting", "finished by a late holder", "done", "outbox.TestLateWorkerMayOnlyFinishItsUpdate"},
		{"done, dead", "received again", "done, dead", "outbox.TestRepeatedUpdateIsStoredOnce bot.TestAnUpdateThatComesTwiceIsAnsweredOnce"},
		{"done, dead", "seven days", "–", "outbox.TestFinishedUpdatesAreDeletedAfterSevenDays"},
	},
	"message of the outbox": {
		{"–", "its cause", "queued", "outbox.TestMessageKeyIsUnique outbox.TestInviterIsNotifiedOnceOfAFriend outbox.TestRolledBackCauseLeavesNoMessage"},
		{"queued", "taken", "held", "outbox.TestMostUrgentMessageGoesFirst outbox.TestTwoProcessesNeverClaimOneMessage"},
		{"queued", "taken too early", refused, "outbox.TestProcessesTogetherSendTwentyFivePerSecond outbox.TestChatGetsOneMessagePerSecond"},
		{"queued", "taken, but unwanted", "dead", "outbox.TestOptedOutPlayerGetsNoMessagesUnlessAdmin outbox.TestCancelledBroadcastDoesNotDelayTheNext"},
		{"queued", "its broadcast is cancelled", "dead", "outbox.TestCancelledBroadcastSendsNothingMore outbox.TestQueuedMessagesOfCancelledBroadcastAreDeleted"},
		{"held", "sent", "sent", "outbox.TestMessageKeyIsUnique bot.TestWhatTelegramAnswersDecidesOverAMessage bot.TestASentMessageIsMarkedOnceTheDatabaseIsBack"},
		{"held", "the process ends", "queued", "outbox.TestCrashingMessageIsDeadAfterEightTries"},
		{"held", "429", "queued", "outbox.TestPausedSendingHoldsAllAndCountsNoTry bot.TestAllProcessesFallSilentTogether bot.TestAnAnswerThatIsTooManySilencesTheOutboxToo"},
		{"held", "failed try", "queued", "outbox.TestMessageIsDeadAfterEightTriesWithBackoff bot.TestWordsThatFailAreAFailedTry bot.TestASlowTelegramIsAFailedTry"},
		{"held", "eighth failed try", "dead", "outbox.TestMessageIsDeadAfterEightTriesWithBackoff"},
		{"held", "403", "dead", "outbox.TestBlockedChatGetsNothingUntilItWrites bot.TestWhatTelegramAnswersDecidesOverAMessage"},
		{"held", "400", "dead", "outbox.TestFinishedMessagesAreDeletedAfterSevenDays bot.TestWhatTelegramAnswersDecidesOverAMessage"},
		{"queued, held, dead", "sent by a late holder", "sent", "outbox.TestLateWorkerMayOnlyFinishItsMessage outbox.TestCancelledBroadcastSendsNothingMore"},
		{"sent, dead", "its cause again", "sent, dead", "outbox.TestMessageKeyIsUnique"},
		{"sent, dead", "seven days", "–", "outbox.TestFinishedMessagesAreDeletedAfterSevenDays"},
	},
	"chat with a person": {
		{"open", "403 or blocked", "blocked", "outbox.TestBlockedChatGetsNothingUntilItWrites"},
		{"blocked", "writes, or newer launch data", "open", "outbox.TestBlockedChatGetsNothingUntilItWrites bot.TestPeopleTellWhetherTheyCanBeReached"},
		{"blocked", "older launch data", "blocked", "outbox.TestBlockedChatGetsNothingUntilItWrites"},
	},
	"broadcast": {
		{"–", "draft", "draft", "outbox.TestBroadcastTextIsValidForTelegram"},
		{"–", "draft of nothing", refused, "outbox.TestBroadcastTextIsValidForTelegram"},
		{"draft", "start", "fanning", "outbox.TestBroadcastReachesEachPlayerWhoWantsIt outbox.TestBroadcastStartsInSurroundingTransaction"},
		{"draft", "a day unconfirmed", "deleted", "outbox.TestOnlyOldDraftsAreDeleted"},
		{"draft", "start with a full outbox", refused, "outbox.TestFullOutboxRefusesABroadcast"},
		{"fanning", "batch", "fanning", "outbox.TestBroadcastContinuesAfterItsProcessEnds outbox.TestTwoProcessesFanOutABroadcastOnce"},
		{"fanning", "last batch", "done", "outbox.TestBroadcastReachesEachPlayerWhoWantsIt"},
		{"fanning, done, cancelled", "start", refused, "outbox.TestBroadcastIsStartedOnce"},
		{"fanning, done", "stop while some wait", "cancelled", "outbox.TestCancelledBroadcastSendsNothingMore outbox.TestOnlyUnfinishedBroadcastIsStopped"},
		{"fanning, done", "its original is deleted", "cancelled", "outbox.TestAbandonedBroadcastNotifiesOnce"},
		{"draft, done, cancelled", "stop with nothing left", refused, "outbox.TestOnlyUnfinishedBroadcastIsStopped"},
	},
	"run of a job": {
		{"–", "due", "done", "alarms.TestJobRunsOncePerPeriod jobs.TestEveryJobOfTheTimetableDoesItsWorkOnceInItsTime"},
		{"–", "work that fails", "–", "alarms.TestFailedJobRunIsRolledBack jobs.TestAJobThatFailsIsToldAndTriedAgainAfterAMinute"},
		{"–", "due, the lease lost", refused, "jobs.TestNothingIsBegunWithoutTheLease"},
		{"done", "due again", "done", "alarms.TestJobRunsOncePerPeriod jobs.TestAStartAfterThisHoursWorkDoesNothing"},
		{"done", "a hundred days", "–", "alarms.TestOldRunsAreDeletedExceptNewestPerJob"},
	},
	"alarm": {
		{"–", "found bad", "raised", "alarms.TestAlarmNotifiesOncePerOccurrence jobs.TestEachAlarmIsRaisedOnceAndEnds"},
		{"–", "found well", "–", "alarms.TestAlarmNotifiesOncePerOccurrence"},
		{"raised", "found bad", "raised", "alarms.TestAlarmNotifiesOncePerOccurrence alarms.TestConcurrentProcessesRaiseOneAlarm"},
		{"raised", "found well", "ended", "alarms.TestAlarmNotifiesOncePerOccurrence alarms.TestClockSkewAlarmIsEndedByLeader"},
		{"ended", "found bad", "raised", "alarms.TestAlarmNotifiesOncePerOccurrence"},
		{"ended", "a hundred days", "–", "alarms.TestEndedAlarmsAreDeleted"},
	},
}

// keeping tells where a machine keeps its states, and what a name is there that is none of the column's: empty where
// the row stays in the state it has.
type keeping struct {
	table string
	names map[string]string
}

// kept are the machines whose states a column holds. The others are told from times, counts and rows.
var kept = map[string]keeping{
	"friend of a player":    {table: "friends"},
	"ad ticket":             {table: "ad_tickets"},
	"advice of a day":       {table: "predictions"},
	"spin of the wheel":     {table: "spins"},
	"golden spin":           {table: "spins"},
	"server seed":           {table: "wheel_seeds"},
	"order for coins":       {table: "orders"},
	"order for a mine":      {"orders", map[string]string{"held": ""}},
	"tournament":            {table: "tournaments"},
	"payout":                {table: "payables"},
	"nonce of a wallet":     {table: "wallet_nonces"},
	"incoming payment":      {"payments", map[string]string{"seen": "", "ignored": ""}},
	"task of a player":      {table: "player_tasks"},
	"command of an admin":   {"admin_actions", map[string]string{"refused by the rules": "refused"}},
	"update of the bot":     {table: "bot_updates"},
	"message of the outbox": {"outbox", map[string]string{"held": "queued"}},
	"broadcast":             {"broadcasts", map[string]string{"deleted": ""}},
}

// listedSteps are the steps of a table's rows, "pending>paid", that the transitions have; there are no states but those given.
func listedSteps(t *testing.T, table string, states []string) map[string]bool {
	t.Helper()
	stored := func(machine, name string) string {
		if other, ok := kept[machine].names[name]; ok {
			return other
		}
		if name == "–" {
			return ""
		}
		if !slices.Contains(states, name) {
			t.Errorf("%s: %s has no state %q, only %q", machine, table, name, states)
		}
		return name
	}
	steps := map[string]bool{}
	for machine, where := range kept {
		if where.table != table {
			continue
		}
		for _, step := range transitions[machine] {
			if step.to == refused || step.to == step.from {
				continue
			}
			to := stored(machine, step.to)
			for from := range strings.SplitSeq(step.from, ", ") {
				if from := stored(machine, from); from != "" && to != "" && from != to {
					steps[from+">"+to] = true
				}
			}
		}
	}
	return steps
}

func TestEveryTransitionIsTested(t *testing.T) {
	known := modelstest.Tests(t, "../..")
	for machine, steps := range transitions {
		seen := map[string]string{}
		for _, step := range steps {
			if to, twice := seen[step.from+step.event]; twice {
				t.Errorf("%s: from %s, %s leads to %s and %s", machine, step.from, step.event, to, step.to)
			}
			seen[step.from+step.event] = step.to
			tests := strings.Fields(step.tests)
			if len(tests) == 0 {
				t.Errorf("%s: nothing takes the step from %s to %s", machine, step.from, step.to)
			}
			for _, name := range tests {
				if !known[name] {
					t.Errorf("%s: from %s to %s: there is no %s", machine, step.from, step.to, name)
				}
			}
		}
	}
}
