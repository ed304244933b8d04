package store_test

import (
	"slices"
	"strings"
	"testing"

	"mcbk/models/modelstest"
)

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
		{"–", "first look", "new", "store.TestANewPlayerHasADullBeginning store.TestFirstRequestsInParallelMakeOnePlayerWithOneFriend api.TestOnlyGetMeCreatesPlayers"},
		{"–", "accept", refused, "api.TestOnlyGetMeCreatesPlayers store.TestAStrangerIsNotFound"},
		{"–", "tap", refused, "api.TestOnlyGetMeCreatesPlayers"},
		{"new", "another look", "new", "store.TestNoCodeBindsAPlayerWhoExists store.TestWhoAPersonIsToTelegramIsKeptUpToDateAndNothingElse"},
		{"new", "tap", refused, "store.TestTapsNeedConsentAndAnOpenSeason api.TestTappingNeedsConsentAndSeason"},
		{"new", "accept", "consented", "store.TestConsentIsGivenOnce store.TestAWishChangesOneThing"},
		{"consented", "accept", "consented", "store.TestConsentIsGivenOnce"},
		{"consented", "take back", refused, "api.TestStories"},
	},
	"friend of a player": {
		{"–", "first look with a code", "bound", "store.TestTheFirstCodeThatNamesAPlayerBinds store.TestTheBotsLastCodeCounts api.TestSignedReferralCodeBeatsQuery"},
		{"–", "later look with a code", refused, "store.TestNoCodeBindsAPlayerWhoExists"},
		{"bound", "13th day", "bound", "store.TestAFriendBringsTheirRewardAfterFourteenDays"},
		{"bound", "14th day", "qualified", "store.TestAFriendBringsTheirRewardAfterFourteenDays"},
		{"qualified", "reward", "rewarded", "store.TestAFriendBringsTheirRewardAfterFourteenDays store.TestAFriendIsRewardedOnceByFiftyAtOnce"},
		{"qualified", "reward of the 21st of a day", "qualified", "store.TestTheTwentyFirstFriendOfADayWaits"},
		{"qualified", "reward of an inviter who may not earn", "qualified", "store.TestWhoMayNotEarnIsRewardedLaterAndTheEndOfTheSeasonTakesNothing"},
		{"rewarded", "reward", "rewarded", "store.TestAFriendBringsTheirRewardAfterFourteenDays"},
		{"bound", "reject", "rejected", "store.TestARejectedFriendBringsNothing"},
		{"qualified", "reject", "rejected", "store.TestARejectedFriendBringsNothing"},
		{"rejected", "14th day, reward, reject", refused, "store.TestARejectedFriendBringsNothing"},
		{"rewarded", "reject", refused, "store.TestARejectedFriendBringsNothing"},
	},
	"tap batch": {
		{"–", "batch", "accepted", "store.TestTapsEarnAThousandthEach store.TestATapBatchIsOnePostingFromTheHouse api.TestStories"},
		{"–", "batch beyond energy or pace", "accepted in part", "store.TestBatchOfNothingAcceptedMayComeAgain api.TestStories"},
		{"–", "batch outside the season", refused, "store.TestTapsNeedConsentAndAnOpenSeason api.TestNothingIsEarnedBeforeTheSeason"},
		{"accepted", "the same batch", "accepted", "store.TestARepeatedBatchGetsItsFirstAnswerAfterLaterPlay store.TestARepeatedBatchGetsItsFirstAnswerAfterTheSeason store.TestABatchSentFiftyTimesAtOnceCountsOnce"},
		{"accepted", "its id with another count", refused, "store.TestABatchIDWithAnotherCountIsRefused"},
	},
	"energy of a day": {
		{"full..0", "tap", "less", "store.TestTapsEarnAThousandthEach"},
		{"full..0", "midnight", "full", "store.TestEnergyIsFullAgainAtMidnightInTheStoreToo"},
		{"0", "tap", "0", "store.TestEnergyIsFullAgainAtMidnightInTheStoreToo"},
	},
	"check-in of a day": {
		{"–", "check-in", "credited", "store.TestTheDaysOfAPlayerArePaidOnceEach store.TestACheckInSentFiftyTimesAtOncePaysOnce api.TestPlayersFirstDay"},
		{"–", "check-in without consent, outside the season", refused, "store.TestCheckInNeedsConsentAndAnOpenSeason"},
		{"–", "ad", refused, "store.TestAnAdPaysACheckInOnceMore"},
		{"credited", "check-in", "credited", "store.TestTheDaysOfAPlayerArePaidOnceEach"},
		{"credited", "ad confirmed", "doubled", "store.TestAnAdPaysACheckInOnceMore store.TestAnAdBelongsToTheDayItsTicketWasOpened"},
		{"doubled", "ad confirmed", "doubled", "store.TestOfTwoTicketsForOneCheckInOnePays"},
	},
	"ad ticket": {
		{"–", "start", "open", "store.TestAnAdPaysACheckInOnceMore"},
		{"–", "start beyond the limits", refused, "store.TestAdsAreLimitedByTheHourAndTheDay"},
		{"open", "the network's word", "settled", "store.TestTheNetworksWordCountsForTheOldestTicketOfRightAge store.TestTheNetworksWordFiftyTimesAtOncePaysOnce"},
		{"open", "a word too early, too late, for another", refused, "store.TestTheNetworksWordCountsForTheOldestTicketOfRightAge store.TestAStrangersWordSettlesNothing"},
		{"open", "the app's word", "settled", "store.TestOnlyATrustedAppsWordConfirms api.TestTrustedAppConfirmsAds"},
		{"open", "an hour", "expired", "store.TestOffersThatAreTooOldExpire"},
		{"settled", "an hour", refused, "store.TestWhatIsUnderWayWhileItExpiresStays"},
		{"settled", "the network's word", refused, "store.TestTheNetworksWordCountsForTheOldestTicketOfRightAge"},
		{"expired", "the app's word", refused, "store.TestOffersThatAreTooOldExpire store.TestAnAdThatExpiresWhileItIsConfirmedChangesNothing"},
	},
	"advice of a day": {
		{"–", "asking", "offered", "store.TestAskingTwiceGivesTheSameAdvice"},
		{"offered", "asking", "offered", "store.TestAskingTwiceGivesTheSameAdvice"},
		{"offered", "claim", "claimed", "store.TestAdviceIsClaimedOnce"},
		{"offered", "another's claim", refused, "store.TestAdviceIsClaimedOnce"},
		{"offered", "ad confirmed", "doubled", "store.TestAnAdPaysAdviceTwice"},
		{"offered", "midnight", "expired", "store.TestAdviceNotClaimedOnItsDayExpires store.TestOffersThatAreTooOldExpire"},
		{"claimed", "claim", refused, "store.TestAdviceIsClaimedOnce"},
		{"claimed", "ad confirmed", "doubled", "store.TestAdviceClaimedWhileAnAdIsShownIsStillDoubled"},
		{"claimed", "ad", refused, "store.TestAdviceIsClaimedOnce"},
		{"doubled", "claim", refused, "store.TestAnAdPaysAdviceTwice"},
		{"expired", "claim", refused, "store.TestAdviceNotClaimedOnItsDayExpires"},
		{"expired", "claim that was under way", "claimed", "store.TestWhatIsUnderWayWhileItExpiresStays"},
		{"claimed, doubled", "midnight", refused, "store.TestWhatIsUnderWayWhileItExpiresStays"},
		{"expired", "ad confirmed", "doubled", "store.TestAdviceNotClaimedOnItsDayExpires"},
	},
	"spin of the wheel": {
		{"–", "spin that stops at coins", "credited", "store.TestASpinOfCoinsIsPaidAtOnce api.TestPlayersDayAtWheel"},
		{"–", "spin that stops elsewhere", "pending", "store.TestAPendingPrizeIsClaimedOnce api.TestPlayersDayAtWheel"},
		{"–", "spin without a spin, consent, season", refused, "store.TestOfFiftySpinsAtOnceWithOneLeftOneCounts store.TestSpinningNeedsConsentAndAnOpenSeason"},
		{"–", "spin that is rolled back", "–", "store.TestASpinThatIsRolledBackNeverWas"},
		{"credited", "claim or ad", refused, "store.TestASpinOfCoinsIsPaidAtOnce"},
		{"pending", "claim", "claimed", "store.TestAPendingPrizeIsClaimedOnce store.TestOnlyAChestIsOpened store.TestOfFiftyClaimsAtOnceOnePays"},
		{"pending", "another's claim", refused, "store.TestAPendingPrizeIsClaimedOnce"},
		{"pending", "ad confirmed", "doubled", "store.TestAnAdMultipliesAPrize store.TestAClaimAndAnAdForASpinAtOncePayBothOnce"},
		{"pending", "ad for a bonus spin or spins alone", refused, "store.TestAnAdMultipliesAPrize"},
		{"pending", "the next spin", "claimed", "store.TestTheNextSpinPaysWhatWaited"},
		{"pending", "24 hours", "claimed", "store.TestAPrizeThatNobodyClaimsIsPaidAfterADay"},
		{"claimed", "ad confirmed that was under way", "doubled", "store.TestTheNextSpinPaysWhatWaited"},
		{"claimed", "claim", refused, "store.TestAPendingPrizeIsClaimedOnce store.TestAPrizeThatNobodyClaimsIsPaidAfterADay"},
		{"doubled", "claim or ad", refused, "store.TestAnAdMultipliesAPrize"},
	},
	"golden spin": {
		{"–", "golden spin that stops at coins", "credited", "store.TestAGoldenSpinIsEarnedInSevenDaysAndUsedOnce"},
		{"–", "golden spin that stops elsewhere", "pending", "store.TestAGoldenPrizeOfPointsWaits"},
		{"–", "golden spin without seven days, or twice", refused, "store.TestAGoldenSpinIsEarnedInSevenDaysAndUsedOnce"},
		{"credited", "ad confirmed", "doubled", "store.TestAGoldenSpinIsEarnedInSevenDaysAndUsedOnce"},
		{"credited", "ad a day later", refused, "store.TestGoldenCoinsAreDoubledWithinADay"},
		{"pending", "ad confirmed", "doubled", "store.TestAGoldenPrizeOfPointsWaits"},
	},
	"spins of a day": {
		{"–", "look", "given", "store.TestTheFirstLookOfADayBringsItsSpins store.TestFiftyFirstLooksAtOnceGiveOnce"},
		{"–", "look outside the season", "–", "store.TestNothingIsGivenOutsideTheSeason"},
		{"given", "look", "given", "store.TestTheFirstLookOfADayBringsItsSpins"},
		{"given", "ad confirmed for a spin", "one more", "store.TestAnAdTurnsAnAdSpinIntoAFreeOne store.TestAnAdSpinBelongsToTheDayItsTicketWasOpened"},
		{"given", "ad with twenty spins held, or none for ads left", refused, "store.TestTwentySpinsAreAllThatCanBeHeld store.TestTenAdSpinsADay"},
	},
	"server seed": {
		{"–", "first look or spin", "present", "store.TestARetiredSeedIsTheOneWhoseHashWasShown store.TestFiftyFirstSpinsAtOnceShareOnePairOfSeeds"},
		{"next", "the present one is retired", "present", "store.TestARetiredSeedIsTheOneWhoseHashWasShown"},
		{"present", "another client seed", "retired", "store.TestARetiredSeedIsTheOneWhoseHashWasShown"},
		{"present", "a day after it was used", "retired", "store.TestAUsedSeedIsRetiredTheNextDay"},
		{"present", "a day without a spin", "present", "store.TestAUsedSeedIsRetiredTheNextDay"},
	},
	"loyalty bonus of a day": {
		{"counting", "third of its ads confirmed", "eligible", "store.TestTheLoyaltyBonusIsPaidOnceADay"},
		{"counting", "claim", refused, "store.TestTheLoyaltyBonusNeedsAllThree api.TestPlayersDayAtWheel"},
		{"eligible", "claim", "claimed", "store.TestTheLoyaltyBonusIsPaidOnceADay"},
		{"claimed", "claim", refused, "store.TestTheLoyaltyBonusIsPaidOnceADay"},
		{"eligible", "midnight", "counting", "store.TestTheLoyaltyBonusIsPaidOnceADay"},
	},
	"order for coins": {
		{"–", "order", "pending", "store.TestAPaymentOnTimeBringsWhatWasOrderedAndTheInviterAHundredth api.TestPaidOrderIsCredited"},
		{"–", "order without a wallet, consent, price, or one too many", refused, "store.TestOnlySuchOrdersAreTaken"},
		{"pending", "payment on time", "paid", "store.TestAPaymentOnTimeBringsWhatWasOrderedAndTheInviterAHundredth"},
		{"pending", "15 minutes, the chain known beyond", "expired", "store.TestAnOrderExpiresOnceTheChainIsKnownBeyondIt"},
		{"pending", "cancel", "cancelled", "store.TestEachOddPaymentEndsWhereItShould"},
		{"pending", "another's cancel", refused, "store.TestOnlySuchOrdersAreTaken api.TestEveryRouteHasAbuseCases"},
		{"expired", "payment that was on time", "paid", "store.TestAPaymentOnTimeCountsSoAfterItsOrderHasExpired"},
		{"paid, expired, cancelled", "payment", "paid", "store.TestEachOddPaymentEndsWhereItShould store.TestAnOrderExpiresOnceTheChainIsKnownBeyondIt"},
		{"paid, expired", "cancel", refused, "store.TestWhatIsUnderWayWhileItExpiresStays store.TestAnOrderExpiresOnceTheChainIsKnownBeyondIt api.TestPaidOrderIsCredited"},
	},
	"order for a mine": {
		{"–", "order of the next mine", "pending", "store.TestAMineIsOpenedByItsPaymentAndDug api.TestPlayersWayThroughMines"},
		{"–", "order of another mine, outside the tournament, without a wallet, consent, or one too many", refused, "store.TestOnlyTheNextMineOfARunningTournamentIsOrdered"},
		{"pending", "order of the same mine", "pending", "store.TestAMineIsOpenedByItsPaymentAndDug api.TestPlayersWayThroughMines"},
		{"pending", "15 minutes, the chain known beyond", "expired", "store.TestAMineIsOpenedByItsPaymentAndDug"},
		{"pending, expired", "full payment", "paid", "store.TestAMineIsOpenedByItsPaymentAndDug store.TestAWholeTournament"},
		{"pending, expired", "less, or no longer possible", "held", "store.TestAPaymentThatOpensNoMineIsHeld store.TestAWholeTournament"},
		{"pending", "hash", "pending", "api.TestPlayersWayThroughMines"},
		{"paid", "payment", "held", "store.TestAPaymentThatOpensNoMineIsHeld"},
		{"cancelled", "payment", "held", "store.TestAPaymentThatOpensNoMineIsHeld"},
		{"cancelled", "held payment given to it", "paid", "store.TestAPaymentThatOpensNoMineIsHeld"},
	},
	"batch of a mine": {
		{"–", "batch", "accepted", "store.TestAMineIsOpenedByItsPaymentAndDug store.TestFiftyBatchesAtOnceWithOneIdDigOnce"},
		{"–", "batch without a mine, outside the tournament", refused, "store.TestAMineIsOpenedByItsPaymentAndDug store.TestABatchSecondsBeforeTheEndCountsAndOneAfterDoesNot"},
		{"–", "batch of a clock that is behind, the tournament closed", refused, "store.TestABatchSecondsBeforeTheEndCountsAndOneAfterDoesNot"},
		{"accepted", "the same batch", "accepted", "store.TestAMineIsOpenedByItsPaymentAndDug store.TestFiftyBatchesAtOnceWithOneIdDigOnce"},
		{"accepted", "its id with another count, or at the bag", refused, "store.TestAMineIsOpenedByItsPaymentAndDug store.TestABatchsKeyServesTheBagOrTheMine"},
	},
	"energy of a mine": {
		{"full..0", "tap", "less", "store.TestAMineIsOpenedByItsPaymentAndDug"},
		{"full..0", "00:00 or 12:00 UTC", "full", "store.TestAMineIsOpenedByItsPaymentAndDug"},
		{"0", "deeper mine", "its difference", "store.TestAMineIsOpenedByItsPaymentAndDug"},
	},
	"tournament": {
		{"–", "first start", "scheduled", "store.TestTournamentsDoNotOverlap"},
		{"–", "new", "scheduled", "store.TestTournamentsDoNotOverlap bot.TestAdminCommandRequiresConfirmation"},
		{"–", "new in the past, or over another", refused, "store.TestTournamentsDoNotOverlap"},
		{"scheduled", "its time", "running", "store.TestAWholeTournament store.TestATournamentCutShortAnywherePaysNothingTwice"},
		{"scheduled", "15 days unseen", "closed", "store.TestATournamentIsNeverTakenBackByAClockThatIsBehind"},
		{"running", "a clock that is behind", "running", "store.TestATournamentIsNeverTakenBackByAClockThatIsBehind"},
		{"running", "15 days", "closed", "store.TestAWholeTournament store.TestATournamentCutShortAnywherePaysNothingTwice"},
		{"running, closed", "award", refused, "store.TestAWholeTournament"},
		{"closed", "the chain not known beyond the end", "closed", "store.TestAWholeTournament"},
		{"closed", "a mine opened meanwhile", "closed", "store.TestAMineOpenedWhileTheTournamentEndsIsRankedAndPaid"},
		{"closed", "the chain known beyond the end", "final", "store.TestAWholeTournament store.TestATournamentCutShortAnywherePaysNothingTwice"},
		{"final", "award", "awarded", "store.TestAWholeTournament store.TestATournamentCutShortAnywherePaysNothingTwice store.TestManyWhoShareARankGetTheirPrizesInParts"},
		{"awarded", "award", refused, "store.TestAWholeTournament"},
	},
	"payout": {
		{"–", "prize", "due", "store.TestAWholeTournament store.TestATieSharesWhatItCovers"},
		{"–", "refund", "due", "store.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"due", "approve", "approved", "store.TestAPrizeGoesOnlyToAProvenWallet store.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"due", "approve without a proven wallet", refused, "store.TestAPrizeGoesOnlyToAProvenWallet"},
		{"due", "seen on chain, or reported", refused, "store.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"due, approved", "cancel", "cancelled", "store.TestWhatIsOwedIsApprovedSentAndSettledByTheChain bot.TestTournamentIsAnnouncedAndAwarded"},
		{"approved", "reported", "sent", "store.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"approved", "reported with the transaction of another", refused, "store.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"approved", "another amount or address on chain", "approved", "store.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"approved, sent", "seen on chain", "settled", "store.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"sent", "cancel", refused, "store.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"sent, settled", "came back", "due", "store.TestWhatCameBackIsDueAgain"},
	},
	"nonce of a wallet": {
		{"–", "asked for", "open", "store.TestANonceProvesOneWalletOfItsPlayerWithinFiveMinutes"},
		{"–", "asked for by a banned player", refused, "store.TestABannedPlayerConnectsNoWallet"},
		{"open", "proof", "used", "store.TestANonceProvesOneWalletOfItsPlayerWithinFiveMinutes store.TestOneNonceFiftyTimesAtOnceProvesOnce"},
		{"open", "another's proof, or a wrong one", refused, "store.TestANonceProvesOneWalletOfItsPlayerWithinFiveMinutes store.TestASignatureThatIsWrongLeavesTheNonceOpen"},
		{"open", "proof after five minutes", refused, "store.TestANonceProvesOneWalletOfItsPlayerWithinFiveMinutes"},
		{"open", "five minutes", "expired", "store.TestNoncesThatNobodyUsedExpireAndAreForgotten store.TestANonceThatExpiresWhileItIsLookedAtProvesNothing"},
		{"used", "proof", refused, "store.TestANonceProvesOneWalletOfItsPlayerWithinFiveMinutes store.TestOneNonceFiftyTimesAtOnceProvesOnce"},
		{"used", "five minutes", refused, "store.TestWhatIsUnderWayWhileItExpiresStays"},
		{"used", "a day", "used", "store.TestNoncesThatNobodyUsedExpireAndAreForgotten"},
		{"expired", "proof", refused, "store.TestNoncesThatNobodyUsedExpireAndAreForgotten"},
		{"expired", "a day", "–", "store.TestNoncesThatNobodyUsedExpireAndAreForgotten"},
	},
	"wallet of a player": {
		{"–", "address", "connected", "store.TestAProvenWalletBelongsToOnePlayer"},
		{"–, connected", "address that another has proven", refused, "store.TestAProvenWalletBelongsToOnePlayer"},
		{"–, connected", "any change by a banned player", refused, "store.TestABannedPlayerConnectsNoWallet"},
		{"–, connected", "proof", "proven", "store.TestANonceProvesOneWalletOfItsPlayerWithinFiveMinutes store.TestOfPlayersWhoProveAWalletAtOnceOneHasIt"},
		{"–, connected", "proof of a wallet that another has proven", refused, "store.TestAProvenWalletBelongsToOnePlayer store.TestOfPlayersWhoProveAWalletAtOnceOneHasIt"},
		{"connected", "null", "–", "api.TestPaidOrderIsCredited"},
		{"proven", "the same address", "proven", "store.TestAProvenWalletBelongsToOnePlayer"},
		{"proven", "another address", "connected", "store.TestAProvenWalletBelongsToOnePlayer"},
		{"proven", "null", "–", "store.TestAProvenWalletBelongsToOnePlayer"},
	},
	"incoming payment": {
		{"–", "seen in a final block", "seen", "store.TestAHistoryIsRecordedOnceAndWithoutAGap store.TestManyPaymentsAreRecordedPartByPart"},
		{"–", "seen again, or out of order", refused, "store.TestAHistoryIsRecordedOnceAndWithoutAGap"},
		{"seen", "comment of an order", "credited", "store.TestAPaymentOnTimeBringsWhatWasOrderedAndTheInviterAHundredth"},
		{"seen", "no comment, an unknown one, too little, too much", "held", "store.TestEachOddPaymentEndsWhereItShould"},
		{"seen", "it did not stay", "ignored", "store.TestEachOddPaymentEndsWhereItShould"},
		{"held", "given to an order or a player", "credited", "store.TestAnAdminSettlesWhatWasHeld"},
		{"held", "refund", "refundable", "store.TestAnAdminSettlesWhatWasHeld bot.TestHeldPaymentsAreListedAndSettled"},
		{"credited, refundable", "settled again", refused, "store.TestAnAdminSettlesWhatWasHeld"},
	},
	"idempotency key": {
		{"–", "write", "kept", "store.TestTheSameRequestAgainGetsTheSameAnswerAndNoSecondEffect api.TestRepeatedWriteHasOneEffect"},
		{"–", "write that fails", "–", "store.TestAnErrorOrPanicRollsBackWhatStoreMethodsDidInside store.TestAnAnswerThatIsNoSuccessIsGivenAndNothingOfItStays"},
		{"kept", "the same write", "kept", "store.TestTheSameRequestAgainGetsTheSameAnswerAndNoSecondEffect store.TestFiftyCopiesOfARequestHaveOneEffect"},
		{"kept", "another write", refused, "store.TestAKnownKeyWithAnotherBodyOrCallIsRefused api.TestRepeatedWriteHasOneEffect"},
		{"kept", "seven days", "–", "store.TestAnswersAreForgottenAfterSevenDays"},
	},
	"task of a player": {
		{"–", "first look", "active", "store.TestTheFirstLookOpensTheTasksOfADayOnce"},
		{"–", "first event", "active", "store.TestProgressOfEventsStopsAtTheTarget"},
		{"–", "taps that are enough", "completed", "store.TestOneBatchMayCompleteBothTasksUnseen store.TestAProcessThatKnowsNoTasksWritesThemWithTheTap"},
		{"active", "event", "active", "store.TestProgressOfEventsStopsAtTheTarget store.TestEventsAtOnceAllCount"},
		{"active", "event that is rolled back", "active", "store.TestAnEventThatIsRolledBackDoesNotCount"},
		{"active", "event that reaches the target", "completed", "store.TestProgressOfEventsStopsAtTheTarget"},
		{"active", "batch that reaches the target", "completed", "store.TestTapsCompleteTheirTasksWithTheBatchThatReachesTheTarget store.TestBatchesWrittenTogetherCompleteWhatTheyReach"},
		{"active", "stored link visited", "completed", "store.TestAVisitOfTheStoredLinkCompletesItsTask"},
		{"active", "another link or channel", refused, "store.TestAVisitOfTheStoredLinkCompletesItsTask store.TestASubscriptionOfTheStoredChannelCompletesItsTask api.TestOnlyStoredLinkAndChannelCount"},
		{"active", "Telegram confirms", "completed", "store.TestASubscriptionOfTheStoredChannelCompletesItsTask api.TestSubscriptionFollowsTelegram"},
		{"active", "Telegram is away", "active", "api.TestSubscriptionFollowsTelegram bot.TestUnknownMembershipIsNoSubscription"},
		{"active", "claim", refused, "store.TestATaskIsClaimedOnce api.TestTaskIsClaimedOnceAndOnlyWhenDone"},
		{"active", "day over", "expired", "store.TestTheNextDayPaysWhatWasCompletedAndClosesTheRest"},
		{"completed", "claim", "claimed", "store.TestATaskIsClaimedOnce store.TestFiftyClaimsAtOncePayOnce"},
		{"completed", "another's claim", refused, "store.TestATaskIsClaimedOnce api.TestEveryRouteHasAbuseCases"},
		{"completed", "day over", "claimed", "store.TestTheNextDayPaysWhatWasCompletedAndClosesTheRest store.TestClosingAndClaimingAtOncePayOnce"},
		{"completed", "season over", "claimed", "store.TestThePermanentTasksArePaidWhenNobodyCanClaimThem"},
		{"completed", "task taken back", "completed", "store.TestATaskThatIsTakenBackCanStillBeClaimed"},
		{"claimed", "claim", refused, "store.TestATaskIsClaimedOnce store.TestFiftyClaimsAtOncePayOnce"},
		{"expired", "claim", refused, "store.TestTheNextDayPaysWhatWasCompletedAndClosesTheRest"},
		{"expired", "what was under way reaches the target", "completed", "store.TestWhatArrivesAfterItsDayWasClosedIsPaidWithTheNext"},
	},
	"permanent task": {
		{"–", "add", "offered", "store.TestAdminsOfferOnlyWhatPlayersMayOpen bot.TestAdminTasksAreOfferedInBothLanguages"},
		{"–", "add what no player may open", refused, "store.TestAdminsOfferOnlyWhatPlayersMayOpen"},
		{"offered", "add again", refused, "store.TestAdminsOfferOnlyWhatPlayersMayOpen"},
		{"offered", "retire", "taken back", "store.TestATaskThatIsTakenBackCanStillBeClaimed bot.TestAdminTasksAreOfferedInBothLanguages"},
		{"taken back", "retire", refused, "store.TestAdminsOfferOnlyWhatPlayersMayOpen"},
	},
	"ban of a player": {
		{"may play", "ban", "banned", "bot.TestAdminCommandRequiresConfirmation api.TestBannedPlayerIsRefusedEverywhereWithReason"},
		{"may play", "unban", refused, "store.TestWhatTheRulesRefuseLeavesNothingButItsReason"},
		{"banned", "any call", refused, "api.TestBannedPlayerIsRefusedEverywhereWithReason api.TestBannedPlayerGetsNoStoredResponse store.TestABannedPlayerEarnsNothingAndKeepsEverything"},
		{"banned", "ban", refused, "store.TestABannedPlayerStaysBannedForTheFirstReason"},
		{"banned", "unban", "may play", "store.TestABannedPlayerEarnsNothingAndKeepsEverything bot.TestAdminCommandRequiresConfirmation"},
	},
	"account of a player": {
		{"known", "erase", "erased", "store.TestWhoIsErasedIsForgottenForGood bot.TestAdminCommandRequiresConfirmation"},
		{"banned", "erase", "erased", "store.TestWhoIsBannedCanBeErased"},
		{"known", "erase while money of theirs waits", refused, "store.TestNobodyIsErasedWhileMoneyOfTheirsWaits"},
		{"erased", "erase, unban", refused, "store.TestWhoIsErasedIsForgottenForGood"},
		{"erased", "any call, another look", refused, "store.TestWhoIsErasedIsForgottenForGood"},
	},
	"maintenance": {
		{"off", "on", "on", "store.TestMaintenanceIsSeenByEveryProcessWithinTwoSeconds api.TestMaintenanceRefusesOnlyPlayers"},
		{"off", "off", refused, "store.TestWhatTheRulesRefuseLeavesNothingButItsReason"},
		{"on", "any call of a player", refused, "api.TestMaintenanceRefusesOnlyPlayers"},
		{"on", "off", "off", "store.TestMaintenanceIsSeenByEveryProcessWithinTwoSeconds api.TestBatchCountsAfterMaintenance"},
	},
	"command of an admin": {
		{"–", "command", "asked", "bot.TestAdminCommandRequiresConfirmation store.TestNothingIsDoneBeforeTheAdminConfirms"},
		{"–", "command of a stranger, in a group, forwarded", refused, "bot.TestNonAdminCommandIsAuditedWithoutReply store.TestOfOneChatAHundredRefusedCommandsADayAreWrittenDown"},
		{"–", "action nobody knows", refused, "store.TestAnUnknownActionIsNotAsked"},
		{"asked", "confirm", "executed", "store.TestNothingIsDoneBeforeTheAdminConfirms store.TestOfTwentyPressesAtOnceOneCounts bot.TestConcurrentPressesHaveOneEffect"},
		{"asked", "confirm what the rules refuse", "refused by the rules", "store.TestWhatTheRulesRefuseLeavesNothingButItsReason"},
		{"asked", "confirm whose commit fails", "asked", "store.TestAnActionWhoseCommitFailsIsNotDone"},
		{"asked", "another's press", refused, "store.TestAPressThatDoesNotCountIsRefusedAndWrittenDown bot.TestStolenOrStaleConfirmationDoesNothing"},
		{"asked", "cancel", "cancelled", "store.TestAQuestionIsAnsweredOnce bot.TestCancelledActionIsNotExecuted"},
		{"asked", "120 s", "expired", "store.TestAQuestionNobodyAnswersExpires"},
		{"asked", "press after 120 s", "expired", "store.TestAPressThatDoesNotCountIsRefusedAndWrittenDown bot.TestStolenOrStaleConfirmationDoesNothing"},
		{"executed, cancelled, expired", "press", refused, "store.TestAQuestionIsAnsweredOnce store.TestAQuestionNobodyAnswersExpires"},
		{"executed, cancelled, expired", "change by hand", refused, "store.TestTheDatabaseKeepsTheAuditAsItIs"},
	},
	"update of the bot": {
		{"–", "received", "waiting", "store.TestAnUpdateIsKeptOnceHoweverOftenItComes bot.TestUpdateIsStoredBeforeConfirmation"},
		{"–", "received by a full inbox", refused, "store.TestAFullInboxRefusesNewUpdatesOnly"},
		{"waiting", "answered", "done", "bot.TestRepeatedUpdateIsHandledOnce"},
		{"waiting", "failed try", "waiting", "store.TestAnUpdateIsDeadAfterFiveTriesEachFartherApart"},
		{"waiting", "fifth failed try", "dead", "store.TestAnUpdateIsDeadAfterFiveTriesEachFartherApart bot.TestPoisonUpdateIsDeadAfterFiveAttempts"},
		{"waiting", "finished by a late holder", "done", "store.TestALateHolderChangesNothingButMayFinish"},
		{"done, dead", "received again", "done, dead", "store.TestAnUpdateIsKeptOnceHoweverOftenItComes bot.TestRepeatedUpdateIsHandledOnce"},
		{"done, dead", "seven days", "–", "store.TestFinishedUpdatesAreForgottenAfterSevenDays"},
	},
	"message of the outbox": {
		{"–", "its cause", "queued", "store.TestACauseToldTwiceIsOneMessage store.TestAnInviterIsToldOnceThatAFriendJoined store.TestACauseThatIsRolledBackLeavesNoMessage"},
		{"queued", "taken", "held", "store.TestTheMostUrgentMessageGoesFirst store.TestTwoProcessesNeverHoldOneMessage"},
		{"queued", "taken too early", refused, "store.TestTwentyFiveMessagesASecondByAllProcesses store.TestOneMessageASecondToAChat"},
		{"queued", "taken, but unwanted", "dead", "store.TestWhoWantsNoMessagesGetsNoneButAdminsDo store.TestWhatACancelledBroadcastLeftQueuedDoesNotDelayTheNext"},
		{"queued", "its broadcast is cancelled", "dead", "store.TestACancelledBroadcastSendsNothingMore store.TestWhatACancelledBroadcastLeftIsClearedAway"},
		{"held", "sent", "sent", "store.TestACauseToldTwiceIsOneMessage bot.TestTelegramsResponseDecidesMessageState bot.TestSentMessageIsMarkedAfterDatabaseRecovers"},
		{"held", "the process ends", "queued", "store.TestAMessageThatEndsTheProcessIsDeadAfterEightTries"},
		{"held", "429", "queued", "store.TestSilenceIsForEverybodyAndCountsNoTry bot.TestAllProcessesObserveSendPause bot.TestReplysTooManyRequestsPausesOutbox"},
		{"held", "failed try", "queued", "store.TestAMessageIsDeadAfterEightTriesEachFartherApart bot.TestRenderingFailureIsAFailedAttempt bot.TestTelegramTimeoutIsAFailedAttempt"},
		{"held", "eighth failed try", "dead", "store.TestAMessageIsDeadAfterEightTriesEachFartherApart"},
		{"held", "403", "dead", "store.TestWhoBlocksTheBotGetsNothingUntilTheyWrite bot.TestTelegramsResponseDecidesMessageState"},
		{"held", "400", "dead", "store.TestFinishedMessagesAreForgottenAfterSevenDays bot.TestTelegramsResponseDecidesMessageState"},
		{"queued, held, dead", "sent by a late holder", "sent", "store.TestALateHolderChangesNothingUnlessTheMessageWasSent store.TestACancelledBroadcastSendsNothingMore"},
		{"sent, dead", "its cause again", "sent, dead", "store.TestACauseToldTwiceIsOneMessage"},
		{"sent, dead", "seven days", "–", "store.TestFinishedMessagesAreForgottenAfterSevenDays"},
	},
	"chat with a person": {
		{"open", "403 or blocked", "blocked", "store.TestWhoBlocksTheBotGetsNothingUntilTheyWrite"},
		{"blocked", "writes, or newer launch data", "open", "store.TestWhoBlocksTheBotGetsNothingUntilTheyWrite bot.TestUpdatesSetReachability"},
		{"blocked", "older launch data", "blocked", "store.TestWhoBlocksTheBotGetsNothingUntilTheyWrite"},
	},
	"broadcast": {
		{"–", "draft", "draft", "store.TestABroadcastSaysSomethingThatTelegramTakes"},
		{"–", "draft of nothing", refused, "store.TestABroadcastSaysSomethingThatTelegramTakes"},
		{"draft", "start", "fanning", "store.TestABroadcastReachesEachPlayerWhoWantsIt store.TestABroadcastStartsWithTheTransactionAroundIt"},
		{"draft", "a day unconfirmed", "deleted", "store.TestOnlyOldDraftsAreForgotten"},
		{"draft", "start with a full outbox", refused, "store.TestAFullOutboxRefusesABroadcast"},
		{"fanning", "batch", "fanning", "store.TestABroadcastGoesOnWhereItsProcessEnded store.TestTwoProcessesFanABroadcastOnce"},
		{"fanning", "last batch", "done", "store.TestABroadcastReachesEachPlayerWhoWantsIt"},
		{"fanning, done, cancelled", "start", refused, "store.TestABroadcastIsStartedOnce"},
		{"fanning, done", "stop while some wait", "cancelled", "store.TestACancelledBroadcastSendsNothingMore store.TestOnlyABroadcastWithWorkLeftIsStopped"},
		{"fanning, done", "its original is deleted", "cancelled", "store.TestAnAbandonedBroadcastIsToldOnce"},
		{"draft, done, cancelled", "stop with nothing left", refused, "store.TestOnlyABroadcastWithWorkLeftIsStopped"},
	},
	"run of a job": {
		{"–", "due", "done", "store.TestWorkIsDoneOnceForEachPeriodHoweverManyDoIt jobs.TestEveryScheduledJobRunsOnceWhenDue"},
		{"–", "work that fails", "–", "store.TestWorkThatFailsIsNotNotedAndLeavesNothing jobs.TestFailedJobIsLoggedAndRetriedAfterAMinute"},
		{"–", "due, the lease lost", refused, "jobs.TestNoJobStartsWithoutTheLease"},
		{"done", "due again", "done", "store.TestWorkIsDoneOnceForEachPeriodHoweverManyDoIt jobs.TestRestartDoesNotRepeatThisHoursJobs"},
		{"done", "a hundred days", "–", "store.TestOldRunsAreForgottenButTheNewestOfEachJob"},
	},
	"alarm": {
		{"–", "found bad", "raised", "store.TestAnAlarmIsToldOncePerOccurrence jobs.TestEachAlarmIsRaisedOnceAndEnds"},
		{"–", "found well", "–", "store.TestAnAlarmIsToldOncePerOccurrence"},
		{"raised", "found bad", "raised", "store.TestAnAlarmIsToldOncePerOccurrence store.TestProcessesThatRaiseAnAlarmTogetherRaiseOne"},
		{"raised", "found well", "ended", "store.TestAnAlarmIsToldOncePerOccurrence store.TestAWrongClockIsToldByItsProcessAndEndedByTheLeader"},
		{"ended", "found bad", "raised", "store.TestAnAlarmIsToldOncePerOccurrence"},
		{"ended", "a hundred days", "–", "store.TestEndedAlarmsAreForgotten"},
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
	known := map[string]bool{}
	for _, folder := range []string{".", "../../api", "../../bot", "../../jobs"} {
		for name := range modelstest.Tests(t, folder) {
			known[name] = true
		}
	}
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
