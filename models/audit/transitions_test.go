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
	guards, err := audit.Guards(store.DB.Committed(t.Context()), store.DB.Dialect)
	if err != nil {
		t.Fatal(err)
	}
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

func TestTheDatabaseTakesTheListedStepsAndNoOthers(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		ann, bob := modelstest.Player(t, store), modelstest.Player(t, store)
		letChange(t, raw)
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
					err := takes(t, raw, words, stateRows[table].insert(table, from), stateRows[table].update(table, to))
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

// takes tells what the last statement comes to after the others; nothing of it stays.
func takes(t *testing.T, raw *sql.DB, words *strings.Replacer, insert, update string) error {
	t.Helper()
	tx, err := raw.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
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
		{"–", "first look", "new", "players.TestANewPlayerHasADullBeginning players.TestFirstRequestsInParallelMakeOnePlayerWithOneFriend api.TestOnlyTheFirstCallMakesAPlayer"},
		{"–", "accept", refused, "api.TestOnlyTheFirstCallMakesAPlayer players.TestAStrangerIsNotFound"},
		{"–", "tap", refused, "api.TestOnlyTheFirstCallMakesAPlayer"},
		{"new", "another look", "new", "players.TestNoCodeBindsAPlayerWhoExists players.TestWhoAPersonIsToTelegramIsKeptUpToDateAndNothingElse"},
		{"new", "tap", refused, "taps.TestTapsNeedConsentAndAnOpenSeason api.TestTappingNeedsConsentAndSeason"},
		{"new", "accept", "consented", "players.TestConsentIsGivenOnce players.TestAWishChangesOneThing"},
		{"consented", "accept", "consented", "players.TestConsentIsGivenOnce"},
		{"consented", "take back", refused, "api.TestStories"},
	},
	"friend of a player": {
		{"–", "first look with a code", "bound", "players.TestTheFirstCodeThatNamesAPlayerBinds players.TestTheBotsLastCodeCounts api.TestAFriendsSignedCodeBeatsTheAddress"},
		{"–", "later look with a code", refused, "players.TestNoCodeBindsAPlayerWhoExists"},
		{"bound", "13th day", "bound", "friends.TestAFriendBringsTheirRewardAfterFourteenDays"},
		{"bound", "14th day", "qualified", "friends.TestAFriendBringsTheirRewardAfterFourteenDays"},
		{"qualified", "reward", "rewarded", "friends.TestAFriendBringsTheirRewardAfterFourteenDays friends.TestAFriendIsRewardedOnceByFiftyAtOnce"},
		{"qualified", "reward of the 21st of a day", "qualified", "friends.TestTheTwentyFirstFriendOfADayWaits"},
		{"qualified", "reward of an inviter who may not earn", "qualified", "friends.TestWhoMayNotEarnIsRewardedLaterAndTheEndOfTheSeasonTakesNothing"},
		{"rewarded", "reward", "rewarded", "friends.TestAFriendBringsTheirRewardAfterFourteenDays"},
		{"bound", "reject", "rejected", "friends.TestARejectedFriendBringsNothing"},
		{"qualified", "reject", "rejected", "friends.TestARejectedFriendBringsNothing"},
		{"rejected", "14th day, reward, reject", refused, "friends.TestARejectedFriendBringsNothing"},
		{"rewarded", "reject", refused, "friends.TestARejectedFriendBringsNothing"},
	},
	"tap batch": {
		{"–", "batch", "accepted", "taps.TestTapsEarnAThousandthEach ledger.TestATapBatchIsOnePostingFromTheHouse api.TestStories"},
		{"–", "batch beyond energy or pace", "accepted in part", "taps.TestBatchOfNothingAcceptedMayComeAgain api.TestStories"},
		{"–", "batch outside the season", refused, "taps.TestTapsNeedConsentAndAnOpenSeason api.TestNothingIsEarnedBeforeTheSeason"},
		{"accepted", "the same batch", "accepted", "taps.TestARepeatedBatchGetsItsFirstAnswerAfterLaterPlay taps.TestARepeatedBatchGetsItsFirstAnswerAfterTheSeason taps.TestABatchSentFiftyTimesAtOnceCountsOnce"},
		{"accepted", "its id with another count", refused, "taps.TestABatchIDWithAnotherCountIsRefused"},
	},
	"energy of a day": {
		{"full..0", "tap", "less", "taps.TestTapsEarnAThousandthEach"},
		{"full..0", "midnight", "full", "taps.TestEnergyIsFullAgainAtMidnightInTheStoreToo"},
		{"0", "tap", "0", "taps.TestEnergyIsFullAgainAtMidnightInTheStoreToo"},
	},
	"check-in of a day": {
		{"–", "check-in", "credited", "daily.TestTheDaysOfAPlayerArePaidOnceEach daily.TestACheckInSentFiftyTimesAtOncePaysOnce api.TestAPlayersFirstDay"},
		{"–", "check-in without consent, outside the season", refused, "daily.TestCheckInNeedsConsentAndAnOpenSeason"},
		{"–", "ad", refused, "daily.TestAnAdPaysACheckInOnceMore"},
		{"credited", "check-in", "credited", "daily.TestTheDaysOfAPlayerArePaidOnceEach"},
		{"credited", "ad confirmed", "doubled", "daily.TestAnAdPaysACheckInOnceMore daily.TestAnAdBelongsToTheDayItsTicketWasOpened"},
		{"doubled", "ad confirmed", "doubled", "daily.TestOfTwoTicketsForOneCheckInOnePays"},
	},
	"ad ticket": {
		{"–", "start", "open", "daily.TestAnAdPaysACheckInOnceMore"},
		{"–", "start beyond the limits", refused, "ads.TestAdsAreLimitedByTheHourAndTheDay"},
		{"open", "the network's word", "settled", "ads.TestTheNetworksWordCountsForTheOldestTicketOfRightAge ads.TestTheNetworksWordFiftyTimesAtOncePaysOnce"},
		{"open", "a word too early, too late, for another", refused, "ads.TestTheNetworksWordCountsForTheOldestTicketOfRightAge ads.TestAStrangersWordSettlesNothing"},
		{"open", "the app's word", "settled", "ads.TestOnlyATrustedAppsWordConfirms api.TestAnAppThatIsTrustedConfirmsItsAds"},
		{"open", "an hour", "expired", "ads.TestOffersThatAreTooOldExpire"},
		{"settled", "an hour", refused, "store.TestWhatIsUnderWayWhileItExpiresStays"},
		{"settled", "the network's word", refused, "ads.TestTheNetworksWordCountsForTheOldestTicketOfRightAge"},
		{"expired", "the app's word", refused, "ads.TestOffersThatAreTooOldExpire store.TestAnAdThatExpiresWhileItIsConfirmedChangesNothing"},
	},
	"advice of a day": {
		{"–", "asking", "offered", "daily.TestAskingTwiceGivesTheSameAdvice"},
		{"offered", "asking", "offered", "daily.TestAskingTwiceGivesTheSameAdvice"},
		{"offered", "claim", "claimed", "daily.TestAdviceIsClaimedOnce"},
		{"offered", "another's claim", refused, "daily.TestAdviceIsClaimedOnce"},
		{"offered", "ad confirmed", "doubled", "daily.TestAnAdPaysAdviceTwice"},
		{"offered", "midnight", "expired", "daily.TestAdviceNotClaimedOnItsDayExpires ads.TestOffersThatAreTooOldExpire"},
		{"claimed", "claim", refused, "daily.TestAdviceIsClaimedOnce"},
		{"claimed", "ad confirmed", "doubled", "daily.TestAdviceClaimedWhileAnAdIsShownIsStillDoubled"},
		{"claimed", "ad", refused, "daily.TestAdviceIsClaimedOnce"},
		{"doubled", "claim", refused, "daily.TestAnAdPaysAdviceTwice"},
		{"expired", "claim", refused, "daily.TestAdviceNotClaimedOnItsDayExpires"},
		{"expired", "claim that was under way", "claimed", "store.TestWhatIsUnderWayWhileItExpiresStays"},
		{"claimed, doubled", "midnight", refused, "store.TestWhatIsUnderWayWhileItExpiresStays"},
		{"expired", "ad confirmed", "doubled", "daily.TestAdviceNotClaimedOnItsDayExpires"},
	},
	"spin of the wheel": {
		{"–", "spin that stops at coins", "credited", "wheel.TestASpinOfCoinsIsPaidAtOnce api.TestAPlayersDayAtTheWheel"},
		{"–", "spin that stops elsewhere", "pending", "wheel.TestAPendingPrizeIsClaimedOnce api.TestAPlayersDayAtTheWheel"},
		{"–", "spin without a spin, consent, season", refused, "wheel.TestOfFiftySpinsAtOnceWithOneLeftOneCounts wheel.TestSpinningNeedsConsentAndAnOpenSeason"},
		{"–", "spin that is rolled back", "–", "wheel.TestASpinThatIsRolledBackNeverWas"},
		{"credited", "claim or ad", refused, "wheel.TestASpinOfCoinsIsPaidAtOnce"},
		{"pending", "claim", "claimed", "wheel.TestAPendingPrizeIsClaimedOnce wheel.TestOnlyAChestIsOpened wheel.TestOfFiftyClaimsAtOnceOnePays"},
		{"pending", "another's claim", refused, "wheel.TestAPendingPrizeIsClaimedOnce"},
		{"pending", "ad confirmed", "doubled", "wheel.TestAnAdMultipliesAPrize wheel.TestAClaimAndAnAdForASpinAtOncePayBothOnce"},
		{"pending", "ad for a bonus spin or spins alone", refused, "wheel.TestAnAdMultipliesAPrize"},
		{"pending", "the next spin", "claimed", "wheel.TestTheNextSpinPaysWhatWaited"},
		{"pending", "24 hours", "claimed", "wheel.TestAPrizeThatNobodyClaimsIsPaidAfterADay"},
		{"claimed", "ad confirmed that was under way", "doubled", "wheel.TestTheNextSpinPaysWhatWaited"},
		{"claimed", "claim", refused, "wheel.TestAPendingPrizeIsClaimedOnce wheel.TestAPrizeThatNobodyClaimsIsPaidAfterADay"},
		{"doubled", "claim or ad", refused, "wheel.TestAnAdMultipliesAPrize"},
	},
	"golden spin": {
		{"–", "golden spin that stops at coins", "credited", "wheel.TestAGoldenSpinIsEarnedInSevenDaysAndUsedOnce"},
		{"–", "golden spin that stops elsewhere", "pending", "wheel.TestAGoldenPrizeOfPointsWaits"},
		{"–", "golden spin without seven days, or twice", refused, "wheel.TestAGoldenSpinIsEarnedInSevenDaysAndUsedOnce"},
		{"credited", "ad confirmed", "doubled", "wheel.TestAGoldenSpinIsEarnedInSevenDaysAndUsedOnce"},
		{"credited", "ad a day later", refused, "wheel.TestGoldenCoinsAreDoubledWithinADay"},
		{"pending", "ad confirmed", "doubled", "wheel.TestAGoldenPrizeOfPointsWaits"},
	},
	"spins of a day": {
		{"–", "look", "given", "wheel.TestTheFirstLookOfADayBringsItsSpins wheel.TestFiftyFirstLooksAtOnceGiveOnce"},
		{"–", "look outside the season", "–", "wheel.TestNothingIsGivenOutsideTheSeason"},
		{"given", "look", "given", "wheel.TestTheFirstLookOfADayBringsItsSpins"},
		{"given", "ad confirmed for a spin", "one more", "wheel.TestAnAdTurnsAnAdSpinIntoAFreeOne wheel.TestAnAdSpinBelongsToTheDayItsTicketWasOpened"},
		{"given", "ad with twenty spins held, or none for ads left", refused, "wheel.TestTwentySpinsAreAllThatCanBeHeld wheel.TestTenAdSpinsADay"},
	},
	"server seed": {
		{"–", "first look or spin", "present", "wheel.TestARetiredSeedIsTheOneWhoseHashWasShown wheel.TestFiftyFirstSpinsAtOnceShareOnePairOfSeeds"},
		{"next", "the present one is retired", "present", "wheel.TestARetiredSeedIsTheOneWhoseHashWasShown"},
		{"present", "another client seed", "retired", "wheel.TestARetiredSeedIsTheOneWhoseHashWasShown"},
		{"present", "a day after it was used", "retired", "wheel.TestAUsedSeedIsRetiredTheNextDay"},
		{"present", "a day without a spin", "present", "wheel.TestAUsedSeedIsRetiredTheNextDay"},
	},
	"loyalty bonus of a day": {
		{"counting", "third of its ads confirmed", "eligible", "daily.TestTheLoyaltyBonusIsPaidOnceADay"},
		{"counting", "claim", refused, "daily.TestTheLoyaltyBonusNeedsAllThree api.TestAPlayersDayAtTheWheel"},
		{"eligible", "claim", "claimed", "daily.TestTheLoyaltyBonusIsPaidOnceADay"},
		{"claimed", "claim", refused, "daily.TestTheLoyaltyBonusIsPaidOnceADay"},
		{"eligible", "midnight", "counting", "daily.TestTheLoyaltyBonusIsPaidOnceADay"},
	},
	"order for coins": {
		{"–", "order", "pending", "treasury.TestAPaymentOnTimeBringsWhatWasOrderedAndTheInviterAHundredth api.TestAPlayerOrdersAndIsCredited"},
		{"–", "order without a wallet, consent, price, or one too many", refused, "orders.TestOnlySuchOrdersAreTaken"},
		{"pending", "payment on time", "paid", "treasury.TestAPaymentOnTimeBringsWhatWasOrderedAndTheInviterAHundredth"},
		{"pending", "15 minutes, the chain known beyond", "expired", "treasury.TestAnOrderExpiresOnceTheChainIsKnownBeyondIt"},
		{"pending", "cancel", "cancelled", "treasury.TestEachOddPaymentEndsWhereItShould"},
		{"pending", "another's cancel", refused, "orders.TestOnlySuchOrdersAreTaken api.TestEveryRouteIsGuarded"},
		{"expired", "payment that was on time", "paid", "treasury.TestAPaymentOnTimeCountsSoAfterItsOrderHasExpired"},
		{"paid, expired, cancelled", "payment", "paid", "treasury.TestEachOddPaymentEndsWhereItShould treasury.TestAnOrderExpiresOnceTheChainIsKnownBeyondIt"},
		{"paid, expired", "cancel", refused, "store.TestWhatIsUnderWayWhileItExpiresStays treasury.TestAnOrderExpiresOnceTheChainIsKnownBeyondIt api.TestAPlayerOrdersAndIsCredited"},
	},
	"order for a mine": {
		{"–", "order of the next mine", "pending", "mines.TestAMineIsOpenedByItsPaymentAndDug api.TestAPlayersWayThroughTheMines"},
		{"–", "order of another mine, outside the tournament, without a wallet, consent, or one too many", refused, "mines.TestOnlyTheNextMineOfARunningTournamentIsOrdered"},
		{"pending", "order of the same mine", "pending", "mines.TestAMineIsOpenedByItsPaymentAndDug api.TestAPlayersWayThroughTheMines"},
		{"pending", "15 minutes, the chain known beyond", "expired", "mines.TestAMineIsOpenedByItsPaymentAndDug"},
		{"pending, expired", "full payment", "paid", "mines.TestAMineIsOpenedByItsPaymentAndDug mines.TestAWholeTournament"},
		{"pending, expired", "less, or no longer possible", "held", "mines.TestAPaymentThatOpensNoMineIsHeld mines.TestAWholeTournament"},
		{"pending", "hash", "pending", "api.TestAPlayersWayThroughTheMines"},
		{"paid", "payment", "held", "mines.TestAPaymentThatOpensNoMineIsHeld"},
		{"cancelled", "payment", "held", "mines.TestAPaymentThatOpensNoMineIsHeld"},
		{"cancelled", "held payment given to it", "paid", "mines.TestAPaymentThatOpensNoMineIsHeld"},
	},
	"batch of a mine": {
		{"–", "batch", "accepted", "mines.TestAMineIsOpenedByItsPaymentAndDug mines.TestFiftyBatchesAtOnceWithOneIdDigOnce"},
		{"–", "batch without a mine, outside the tournament", refused, "mines.TestAMineIsOpenedByItsPaymentAndDug mines.TestABatchSecondsBeforeTheEndCountsAndOneAfterDoesNot"},
		{"–", "batch of a clock that is behind, the tournament closed", refused, "mines.TestABatchSecondsBeforeTheEndCountsAndOneAfterDoesNot"},
		{"accepted", "the same batch", "accepted", "mines.TestAMineIsOpenedByItsPaymentAndDug mines.TestFiftyBatchesAtOnceWithOneIdDigOnce"},
		{"accepted", "its id with another count, or at the bag", refused, "mines.TestAMineIsOpenedByItsPaymentAndDug mines.TestABatchsKeyServesTheBagOrTheMine"},
	},
	"energy of a mine": {
		{"full..0", "tap", "less", "mines.TestAMineIsOpenedByItsPaymentAndDug"},
		{"full..0", "00:00 or 12:00 UTC", "full", "mines.TestAMineIsOpenedByItsPaymentAndDug"},
		{"0", "deeper mine", "its difference", "mines.TestAMineIsOpenedByItsPaymentAndDug"},
	},
	"tournament": {
		{"–", "first start", "scheduled", "mines.TestTournamentsDoNotOverlap"},
		{"–", "new", "scheduled", "mines.TestTournamentsDoNotOverlap bot.TestAnAdminIsAnsweredAndAskedBeforeAnythingChanges"},
		{"–", "new in the past, or over another", refused, "mines.TestTournamentsDoNotOverlap"},
		{"scheduled", "its time", "running", "mines.TestAWholeTournament mines.TestATournamentCutShortAnywherePaysNothingTwice"},
		{"scheduled", "15 days unseen", "closed", "mines.TestATournamentIsNeverTakenBackByAClockThatIsBehind"},
		{"running", "a clock that is behind", "running", "mines.TestATournamentIsNeverTakenBackByAClockThatIsBehind"},
		{"running", "15 days", "closed", "mines.TestAWholeTournament mines.TestATournamentCutShortAnywherePaysNothingTwice"},
		{"running, closed", "award", refused, "mines.TestAWholeTournament"},
		{"closed", "the chain not known beyond the end", "closed", "mines.TestAWholeTournament"},
		{"closed", "a mine opened meanwhile", "closed", "mines.TestAMineOpenedWhileTheTournamentEndsIsRankedAndPaid"},
		{"closed", "the chain known beyond the end", "final", "mines.TestAWholeTournament mines.TestATournamentCutShortAnywherePaysNothingTwice"},
		{"final", "award", "awarded", "mines.TestAWholeTournament mines.TestATournamentCutShortAnywherePaysNothingTwice mines.TestManyWhoShareARankGetTheirPrizesInParts"},
		{"awarded", "award", refused, "mines.TestAWholeTournament"},
	},
	"payout": {
		{"–", "prize", "due", "mines.TestAWholeTournament mines.TestATieSharesWhatItCovers"},
		{"–", "refund", "due", "treasury.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"due", "approve", "approved", "treasury.TestAPrizeGoesOnlyToAProvenWallet treasury.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"due", "approve without a proven wallet", refused, "treasury.TestAPrizeGoesOnlyToAProvenWallet"},
		{"due", "seen on chain, or reported", refused, "treasury.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"due, approved", "cancel", "cancelled", "treasury.TestWhatIsOwedIsApprovedSentAndSettledByTheChain bot.TestATournamentIsToldOfAndAwarded"},
		{"approved", "reported", "sent", "treasury.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"approved", "reported with the transaction of another", refused, "treasury.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"approved", "another amount or address on chain", "approved", "treasury.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"approved, sent", "seen on chain", "settled", "treasury.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"sent", "cancel", refused, "treasury.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"sent, settled", "came back", "due", "treasury.TestWhatCameBackIsDueAgain"},
	},
	"nonce of a wallet": {
		{"–", "asked for", "open", "wallet.TestANonceProvesOneWalletOfItsPlayerWithinFiveMinutes"},
		{"–", "asked for by a banned player", refused, "wallet.TestABannedPlayerConnectsNoWallet"},
		{"open", "proof", "used", "wallet.TestANonceProvesOneWalletOfItsPlayerWithinFiveMinutes wallet.TestOneNonceFiftyTimesAtOnceProvesOnce"},
		{"open", "another's proof, or a wrong one", refused, "wallet.TestANonceProvesOneWalletOfItsPlayerWithinFiveMinutes wallet.TestASignatureThatIsWrongLeavesTheNonceOpen"},
		{"open", "proof after five minutes", refused, "wallet.TestANonceProvesOneWalletOfItsPlayerWithinFiveMinutes"},
		{"open", "five minutes", "expired", "wallet.TestNoncesThatNobodyUsedExpireAndAreForgotten wallet.TestANonceThatExpiresWhileItIsLookedAtProvesNothing"},
		{"used", "proof", refused, "wallet.TestANonceProvesOneWalletOfItsPlayerWithinFiveMinutes wallet.TestOneNonceFiftyTimesAtOnceProvesOnce"},
		{"used", "five minutes", refused, "store.TestWhatIsUnderWayWhileItExpiresStays"},
		{"used", "a day", "used", "wallet.TestNoncesThatNobodyUsedExpireAndAreForgotten"},
		{"expired", "proof", refused, "wallet.TestNoncesThatNobodyUsedExpireAndAreForgotten"},
		{"expired", "a day", "–", "wallet.TestNoncesThatNobodyUsedExpireAndAreForgotten"},
	},
	"wallet of a player": {
		{"–", "address", "connected", "wallet.TestAProvenWalletBelongsToOnePlayer"},
		{"–, connected", "address that another has proven", refused, "wallet.TestAProvenWalletBelongsToOnePlayer"},
		{"–, connected", "any change by a banned player", refused, "wallet.TestABannedPlayerConnectsNoWallet"},
		{"–, connected", "proof", "proven", "wallet.TestANonceProvesOneWalletOfItsPlayerWithinFiveMinutes wallet.TestOfPlayersWhoProveAWalletAtOnceOneHasIt"},
		{"–, connected", "proof of a wallet that another has proven", refused, "wallet.TestAProvenWalletBelongsToOnePlayer wallet.TestOfPlayersWhoProveAWalletAtOnceOneHasIt"},
		{"connected", "null", "–", "api.TestAPlayerOrdersAndIsCredited"},
		{"proven", "the same address", "proven", "wallet.TestAProvenWalletBelongsToOnePlayer"},
		{"proven", "another address", "connected", "wallet.TestAProvenWalletBelongsToOnePlayer"},
		{"proven", "null", "–", "wallet.TestAProvenWalletBelongsToOnePlayer"},
	},
	"incoming payment": {
		{"–", "seen in a final block", "seen", "treasury.TestAHistoryIsRecordedOnceAndWithoutAGap treasury.TestManyPaymentsAreRecordedPartByPart"},
		{"–", "seen again, or out of order", refused, "treasury.TestAHistoryIsRecordedOnceAndWithoutAGap"},
		{"seen", "comment of an order", "credited", "treasury.TestAPaymentOnTimeBringsWhatWasOrderedAndTheInviterAHundredth"},
		{"seen", "no comment, an unknown one, too little, too much", "held", "treasury.TestEachOddPaymentEndsWhereItShould"},
		{"seen", "it did not stay", "ignored", "treasury.TestEachOddPaymentEndsWhereItShould"},
		{"held", "given to an order or a player", "credited", "treasury.TestAnAdminSettlesWhatWasHeld"},
		{"held", "refund", "refundable", "treasury.TestAnAdminSettlesWhatWasHeld bot.TestPaymentsThatWaitAreListedAndSettled"},
		{"credited, refundable", "settled again", refused, "treasury.TestAnAdminSettlesWhatWasHeld"},
	},
	"idempotency key": {
		{"–", "write", "kept", "commit.TestTheSameRequestAgainGetsTheSameAnswerAndNoSecondEffect api.TestEveryWriteHappensOnce"},
		{"–", "write that fails", "–", "commit.TestAnErrorOrPanicRollsBackWhatStoreMethodsDidInside commit.TestAnAnswerThatIsNoSuccessIsGivenAndNothingOfItStays"},
		{"kept", "the same write", "kept", "commit.TestTheSameRequestAgainGetsTheSameAnswerAndNoSecondEffect commit.TestFiftyCopiesOfARequestHaveOneEffect"},
		{"kept", "another write", refused, "commit.TestAKnownKeyWithAnotherBodyOrCallIsRefused api.TestEveryWriteHappensOnce"},
		{"kept", "seven days", "–", "commit.TestAnswersAreForgottenAfterSevenDays"},
	},
	"task of a player": {
		{"–", "first look", "active", "tasks.TestTheFirstLookOpensTheTasksOfADayOnce"},
		{"–", "first event", "active", "tasks.TestProgressOfEventsStopsAtTheTarget"},
		{"–", "taps that are enough", "completed", "tasks.TestOneBatchMayCompleteBothTasksUnseen tasks.TestAProcessThatKnowsNoTasksWritesThemWithTheTap"},
		{"active", "event", "active", "tasks.TestProgressOfEventsStopsAtTheTarget tasks.TestEventsAtOnceAllCount"},
		{"active", "event that is rolled back", "active", "tasks.TestAnEventThatIsRolledBackDoesNotCount"},
		{"active", "event that reaches the target", "completed", "tasks.TestProgressOfEventsStopsAtTheTarget"},
		{"active", "batch that reaches the target", "completed", "tasks.TestTapsCompleteTheirTasksWithTheBatchThatReachesTheTarget tasks.TestBatchesWrittenTogetherCompleteWhatTheyReach"},
		{"active", "stored link visited", "completed", "tasks.TestAVisitOfTheStoredLinkCompletesItsTask"},
		{"active", "another link or channel", refused, "tasks.TestAVisitOfTheStoredLinkCompletesItsTask tasks.TestASubscriptionOfTheStoredChannelCompletesItsTask api.TestOnlyTheStoredLinkAndChannelCount"},
		{"active", "Telegram confirms", "completed", "tasks.TestASubscriptionOfTheStoredChannelCompletesItsTask api.TestTelegramDecidesOverASubscription"},
		{"active", "Telegram is away", "active", "api.TestTelegramDecidesOverASubscription bot.TestNoAnswerAboutAChannelIsNoSubscription"},
		{"active", "claim", refused, "tasks.TestATaskIsClaimedOnce api.TestAClaimIsRefusedUntilDoneAndOnceItWas"},
		{"active", "day over", "expired", "tasks.TestTheNextDayPaysWhatWasCompletedAndClosesTheRest"},
		{"completed", "claim", "claimed", "tasks.TestATaskIsClaimedOnce tasks.TestFiftyClaimsAtOncePayOnce"},
		{"completed", "another's claim", refused, "tasks.TestATaskIsClaimedOnce api.TestEveryRouteIsGuarded"},
		{"completed", "day over", "claimed", "tasks.TestTheNextDayPaysWhatWasCompletedAndClosesTheRest tasks.TestClosingAndClaimingAtOncePayOnce"},
		{"completed", "season over", "claimed", "tasks.TestThePermanentTasksArePaidWhenNobodyCanClaimThem"},
		{"completed", "task taken back", "completed", "tasks.TestATaskThatIsTakenBackCanStillBeClaimed"},
		{"claimed", "claim", refused, "tasks.TestATaskIsClaimedOnce tasks.TestFiftyClaimsAtOncePayOnce"},
		{"expired", "claim", refused, "tasks.TestTheNextDayPaysWhatWasCompletedAndClosesTheRest"},
		{"expired", "what was under way reaches the target", "completed", "tasks.TestWhatArrivesAfterItsDayWasClosedIsPaidWithTheNext"},
	},
	"permanent task": {
		{"–", "add", "offered", "tasks.TestAdminsOfferOnlyWhatPlayersMayOpen bot.TestWrittenTasksAreOfferedInBothLanguages"},
		{"–", "add what no player may open", refused, "tasks.TestAdminsOfferOnlyWhatPlayersMayOpen"},
		{"offered", "add again", refused, "tasks.TestAdminsOfferOnlyWhatPlayersMayOpen"},
		{"offered", "retire", "taken back", "tasks.TestATaskThatIsTakenBackCanStillBeClaimed bot.TestWrittenTasksAreOfferedInBothLanguages"},
		{"taken back", "retire", refused, "tasks.TestAdminsOfferOnlyWhatPlayersMayOpen"},
	},
	"ban of a player": {
		{"may play", "ban", "banned", "bot.TestAnAdminIsAnsweredAndAskedBeforeAnythingChanges api.TestABannedPlayerIsRefusedEverywhereWithTheReason"},
		{"may play", "unban", refused, "admin.TestWhatTheRulesRefuseLeavesNothingButItsReason"},
		{"banned", "any call", refused, "api.TestABannedPlayerIsRefusedEverywhereWithTheReason api.TestABannedPlayerGetsNoStoredAnswer players.TestABannedPlayerEarnsNothingAndKeepsEverything"},
		{"banned", "ban", refused, "players.TestABannedPlayerStaysBannedForTheFirstReason"},
		{"banned", "unban", "may play", "players.TestABannedPlayerEarnsNothingAndKeepsEverything bot.TestAnAdminIsAnsweredAndAskedBeforeAnythingChanges"},
	},
	"account of a player": {
		{"known", "erase", "erased", "privacy.TestWhoIsErasedIsForgottenForGood bot.TestAnAdminIsAnsweredAndAskedBeforeAnythingChanges"},
		{"banned", "erase", "erased", "privacy.TestWhoIsBannedCanBeErased"},
		{"known", "erase while money of theirs waits", refused, "privacy.TestNobodyIsErasedWhileMoneyOfTheirsWaits"},
		{"erased", "erase, unban", refused, "privacy.TestWhoIsErasedIsForgottenForGood"},
		{"erased", "any call, another look", refused, "privacy.TestWhoIsErasedIsForgottenForGood"},
	},
	"maintenance": {
		{"off", "on", "on", "settings.TestMaintenanceIsSeenByEveryProcessWithinTwoSeconds api.TestDuringMaintenancePlayersWaitAndTheRestGoesOn"},
		{"off", "off", refused, "admin.TestWhatTheRulesRefuseLeavesNothingButItsReason"},
		{"on", "any call of a player", refused, "api.TestDuringMaintenancePlayersWaitAndTheRestGoesOn"},
		{"on", "off", "off", "settings.TestMaintenanceIsSeenByEveryProcessWithinTwoSeconds api.TestAfterMaintenanceTheSameBatchCounts"},
	},
	"command of an admin": {
		{"–", "command", "asked", "bot.TestAnAdminIsAnsweredAndAskedBeforeAnythingChanges admin.TestNothingIsDoneBeforeTheAdminConfirms"},
		{"–", "command of a stranger, in a group, forwarded", refused, "bot.TestNobodyElseIsAnsweredAndItIsWrittenDown admin.TestOfOneChatAHundredRefusedCommandsADayAreWrittenDown"},
		{"–", "action nobody knows", refused, "admin.TestAnUnknownActionIsNotAsked"},
		{"asked", "confirm", "executed", "admin.TestNothingIsDoneBeforeTheAdminConfirms admin.TestOfTwentyPressesAtOnceOneCounts bot.TestTwentyPressesAtOnceAreOneEffect"},
		{"asked", "confirm what the rules refuse", "refused by the rules", "admin.TestWhatTheRulesRefuseLeavesNothingButItsReason"},
		{"asked", "confirm whose commit fails", "asked", "admin.TestAnActionWhoseCommitFailsIsNotDone"},
		{"asked", "another's press", refused, "admin.TestAPressThatDoesNotCountIsRefusedAndWrittenDown bot.TestAStolenOrStaleConfirmationDoesNothing"},
		{"asked", "cancel", "cancelled", "admin.TestAQuestionIsAnsweredOnce bot.TestACancelledQuestionIsNeverDone"},
		{"asked", "120 s", "expired", "admin.TestAQuestionNobodyAnswersExpires"},
		{"asked", "press after 120 s", "expired", "admin.TestAPressThatDoesNotCountIsRefusedAndWrittenDown bot.TestAStolenOrStaleConfirmationDoesNothing"},
		{"executed, cancelled, expired", "press", refused, "admin.TestAQuestionIsAnsweredOnce admin.TestAQuestionNobodyAnswersExpires"},
		{"executed, cancelled, expired", "change by hand", refused, "admin.TestTheDatabaseKeepsTheAuditAsItIs"},
	},
	"update of the bot": {
		{"–", "received", "waiting", "outbox.TestAnUpdateIsKeptOnceHoweverOftenItComes bot.TestAnUpdateIsKeptBeforeTelegramMayForgetIt"},
		{"–", "received by a full inbox", refused, "outbox.TestAFullInboxRefusesNewUpdatesOnly"},
		{"waiting", "answered", "done", "bot.TestAnUpdateThatComesTwiceIsAnsweredOnce"},
		{"waiting", "failed try", "waiting", "outbox.TestAnUpdateIsDeadAfterFiveTriesEachFartherApart"},
		{"waiting", "fifth failed try", "dead", "outbox.TestAnUpdateIsDeadAfterFiveTriesEachFartherApart bot.TestAPoisonUpdateIsGivenUpAfterFiveTries"},
		{"waiting", "finished by a late holder", "done", "outbox.TestALateHolderChangesNothingButMayFinish"},
		{"done, dead", "received again", "done, dead", "outbox.TestAnUpdateIsKeptOnceHoweverOftenItComes bot.TestAnUpdateThatComesTwiceIsAnsweredOnce"},
		{"done, dead", "seven days", "–", "outbox.TestFinishedUpdatesAreForgottenAfterSevenDays"},
	},
	"message of the outbox": {
		{"–", "its cause", "queued", "outbox.TestACauseToldTwiceIsOneMessage outbox.TestAnInviterIsToldOnceThatAFriendJoined outbox.TestACauseThatIsRolledBackLeavesNoMessage"},
		{"queued", "taken", "held", "outbox.TestTheMostUrgentMessageGoesFirst outbox.TestTwoProcessesNeverHoldOneMessage"},
		{"queued", "taken too early", refused, "outbox.TestTwentyFiveMessagesASecondByAllProcesses outbox.TestOneMessageASecondToAChat"},
		{"queued", "taken, but unwanted", "dead", "outbox.TestWhoWantsNoMessagesGetsNoneButAdminsDo outbox.TestWhatACancelledBroadcastLeftQueuedDoesNotDelayTheNext"},
		{"queued", "its broadcast is cancelled", "dead", "outbox.TestACancelledBroadcastSendsNothingMore outbox.TestWhatACancelledBroadcastLeftIsClearedAway"},
		{"held", "sent", "sent", "outbox.TestACauseToldTwiceIsOneMessage bot.TestWhatTelegramAnswersDecidesOverAMessage bot.TestASentMessageIsMarkedOnceTheDatabaseIsBack"},
		{"held", "the process ends", "queued", "outbox.TestAMessageThatEndsTheProcessIsDeadAfterEightTries"},
		{"held", "429", "queued", "outbox.TestSilenceIsForEverybodyAndCountsNoTry bot.TestAllProcessesFallSilentTogether bot.TestAnAnswerThatIsTooManySilencesTheOutboxToo"},
		{"held", "failed try", "queued", "outbox.TestAMessageIsDeadAfterEightTriesEachFartherApart bot.TestWordsThatFailAreAFailedTry bot.TestASlowTelegramIsAFailedTry"},
		{"held", "eighth failed try", "dead", "outbox.TestAMessageIsDeadAfterEightTriesEachFartherApart"},
		{"held", "403", "dead", "outbox.TestWhoBlocksTheBotGetsNothingUntilTheyWrite bot.TestWhatTelegramAnswersDecidesOverAMessage"},
		{"held", "400", "dead", "outbox.TestFinishedMessagesAreForgottenAfterSevenDays bot.TestWhatTelegramAnswersDecidesOverAMessage"},
		{"queued, held, dead", "sent by a late holder", "sent", "outbox.TestALateHolderChangesNothingUnlessTheMessageWasSent outbox.TestACancelledBroadcastSendsNothingMore"},
		{"sent, dead", "its cause again", "sent, dead", "outbox.TestACauseToldTwiceIsOneMessage"},
		{"sent, dead", "seven days", "–", "outbox.TestFinishedMessagesAreForgottenAfterSevenDays"},
	},
	"chat with a person": {
		{"open", "403 or blocked", "blocked", "outbox.TestWhoBlocksTheBotGetsNothingUntilTheyWrite"},
		{"blocked", "writes, or newer launch data", "open", "outbox.TestWhoBlocksTheBotGetsNothingUntilTheyWrite bot.TestPeopleTellWhetherTheyCanBeReached"},
		{"blocked", "older launch data", "blocked", "outbox.TestWhoBlocksTheBotGetsNothingUntilTheyWrite"},
	},
	"broadcast": {
		{"–", "draft", "draft", "outbox.TestABroadcastSaysSomethingThatTelegramTakes"},
		{"–", "draft of nothing", refused, "outbox.TestABroadcastSaysSomethingThatTelegramTakes"},
		{"draft", "start", "fanning", "outbox.TestABroadcastReachesEachPlayerWhoWantsIt outbox.TestABroadcastStartsWithTheTransactionAroundIt"},
		{"draft", "a day unconfirmed", "deleted", "outbox.TestOnlyOldDraftsAreForgotten"},
		{"draft", "start with a full outbox", refused, "outbox.TestAFullOutboxRefusesABroadcast"},
		{"fanning", "batch", "fanning", "outbox.TestABroadcastGoesOnWhereItsProcessEnded outbox.TestTwoProcessesFanABroadcastOnce"},
		{"fanning", "last batch", "done", "outbox.TestABroadcastReachesEachPlayerWhoWantsIt"},
		{"fanning, done, cancelled", "start", refused, "outbox.TestABroadcastIsStartedOnce"},
		{"fanning, done", "stop while some wait", "cancelled", "outbox.TestACancelledBroadcastSendsNothingMore outbox.TestOnlyABroadcastWithWorkLeftIsStopped"},
		{"fanning, done", "its original is deleted", "cancelled", "outbox.TestAnAbandonedBroadcastIsToldOnce"},
		{"draft, done, cancelled", "stop with nothing left", refused, "outbox.TestOnlyABroadcastWithWorkLeftIsStopped"},
	},
	"run of a job": {
		{"–", "due", "done", "alarms.TestWorkIsDoneOnceForEachPeriodHoweverManyDoIt jobs.TestEveryJobOfTheTimetableDoesItsWorkOnceInItsTime"},
		{"–", "work that fails", "–", "alarms.TestWorkThatFailsIsNotNotedAndLeavesNothing jobs.TestAJobThatFailsIsToldAndTriedAgainAfterAMinute"},
		{"–", "due, the lease lost", refused, "jobs.TestNothingIsBegunWithoutTheLease"},
		{"done", "due again", "done", "alarms.TestWorkIsDoneOnceForEachPeriodHoweverManyDoIt jobs.TestAStartAfterThisHoursWorkDoesNothing"},
		{"done", "a hundred days", "–", "alarms.TestOldRunsAreForgottenButTheNewestOfEachJob"},
	},
	"alarm": {
		{"–", "found bad", "raised", "alarms.TestAnAlarmIsToldOncePerOccurrence jobs.TestEachAlarmIsRaisedOnceAndEnds"},
		{"–", "found well", "–", "alarms.TestAnAlarmIsToldOncePerOccurrence"},
		{"raised", "found bad", "raised", "alarms.TestAnAlarmIsToldOncePerOccurrence alarms.TestProcessesThatRaiseAnAlarmTogetherRaiseOne"},
		{"raised", "found well", "ended", "alarms.TestAnAlarmIsToldOncePerOccurrence alarms.TestAWrongClockIsToldByItsProcessAndEndedByTheLeader"},
		{"ended", "found bad", "raised", "alarms.TestAnAlarmIsToldOncePerOccurrence"},
		{"ended", "a hundred days", "–", "alarms.TestEndedAlarmsAreForgotten"},
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

func TestEveryTransitionIsTaken(t *testing.T) {
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
