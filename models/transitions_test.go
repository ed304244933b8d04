package models_test

import (
	"slices"
	"strings"
	"testing"

	"mcbk/models/given"
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
		{"–", "first look", "new", "models.TestANewPlayerHasADullBeginning models.TestFirstRequestsInParallelMakeOnePlayerWithOneFriend api.TestOnlyTheFirstCallMakesAPlayer"},
		{"–", "accept", refused, "api.TestOnlyTheFirstCallMakesAPlayer models.TestAStrangerIsNotFound"},
		{"–", "tap", refused, "api.TestOnlyTheFirstCallMakesAPlayer"},
		{"new", "another look", "new", "models.TestNoCodeBindsAPlayerWhoExists models.TestWhoAPersonIsToTelegramIsKeptUpToDateAndNothingElse"},
		{"new", "tap", refused, "models.TestTapsNeedConsentAndAnOpenSeason api.TestTappingNeedsConsentAndSeason"},
		{"new", "accept", "consented", "models.TestConsentIsGivenOnce models.TestAWishChangesOneThing"},
		{"consented", "accept", "consented", "models.TestConsentIsGivenOnce"},
		{"consented", "take back", refused, "api.TestStories"},
	},
	"friend of a player": {
		{"–", "first look with a code", "bound", "models.TestTheFirstCodeThatNamesAPlayerBinds models.TestTheBotsLastCodeCounts api.TestAFriendsSignedCodeBeatsTheAddress"},
		{"–", "later look with a code", refused, "models.TestNoCodeBindsAPlayerWhoExists"},
		{"bound", "13th day", "bound", "models.TestAFriendBringsTheirRewardAfterFourteenDays"},
		{"bound", "14th day", "qualified", "models.TestAFriendBringsTheirRewardAfterFourteenDays"},
		{"qualified", "reward", "rewarded", "models.TestAFriendBringsTheirRewardAfterFourteenDays models.TestAFriendIsRewardedOnceByFiftyAtOnce"},
		{"qualified", "reward of the 21st of a day", "qualified", "models.TestTheTwentyFirstFriendOfADayWaits"},
		{"qualified", "reward of an inviter who may not earn", "qualified", "models.TestWhoMayNotEarnIsRewardedLaterAndTheEndOfTheSeasonTakesNothing"},
		{"rewarded", "reward", "rewarded", "models.TestAFriendBringsTheirRewardAfterFourteenDays"},
		{"bound", "reject", "rejected", "models.TestARejectedFriendBringsNothing"},
		{"qualified", "reject", "rejected", "models.TestARejectedFriendBringsNothing"},
		{"rejected", "14th day, reward, reject", refused, "models.TestARejectedFriendBringsNothing"},
		{"rewarded", "reject", refused, "models.TestARejectedFriendBringsNothing"},
	},
	"tap batch": {
		{"–", "batch", "accepted", "models.TestTapsEarnAThousandthEach models.TestATapBatchIsOnePostingFromTheHouse api.TestStories"},
		{"–", "batch beyond energy or pace", "accepted in part", "models.TestBatchOfNothingAcceptedMayComeAgain api.TestStories"},
		{"–", "batch outside the season", refused, "models.TestTapsNeedConsentAndAnOpenSeason api.TestNothingIsEarnedBeforeTheSeason"},
		{"accepted", "the same batch", "accepted", "models.TestARepeatedBatchGetsItsFirstAnswerAfterLaterPlay models.TestARepeatedBatchGetsItsFirstAnswerAfterTheSeason models.TestABatchSentFiftyTimesAtOnceCountsOnce"},
		{"accepted", "its id with another count", refused, "models.TestABatchIDWithAnotherCountIsRefused"},
	},
	"energy of a day": {
		{"full..0", "tap", "less", "models.TestTapsEarnAThousandthEach"},
		{"full..0", "midnight", "full", "models.TestEnergyIsFullAgainAtMidnightInTheStoreToo"},
		{"0", "tap", "0", "models.TestEnergyIsFullAgainAtMidnightInTheStoreToo"},
	},
	"check-in of a day": {
		{"–", "check-in", "credited", "models.TestTheDaysOfAPlayerArePaidOnceEach models.TestACheckInSentFiftyTimesAtOncePaysOnce api.TestAPlayersFirstDay"},
		{"–", "check-in without consent, outside the season", refused, "models.TestCheckInNeedsConsentAndAnOpenSeason"},
		{"–", "ad", refused, "models.TestAnAdPaysACheckInOnceMore"},
		{"credited", "check-in", "credited", "models.TestTheDaysOfAPlayerArePaidOnceEach"},
		{"credited", "ad confirmed", "doubled", "models.TestAnAdPaysACheckInOnceMore models.TestAnAdBelongsToTheDayItsTicketWasOpened"},
		{"doubled", "ad confirmed", "doubled", "models.TestOfTwoTicketsForOneCheckInOnePays"},
	},
	"ad ticket": {
		{"–", "start", "open", "models.TestAnAdPaysACheckInOnceMore"},
		{"–", "start beyond the limits", refused, "models.TestAdsAreLimitedByTheHourAndTheDay"},
		{"open", "the network's word", "settled", "models.TestTheNetworksWordCountsForTheOldestTicketOfRightAge models.TestTheNetworksWordFiftyTimesAtOncePaysOnce"},
		{"open", "a word too early, too late, for another", refused, "models.TestTheNetworksWordCountsForTheOldestTicketOfRightAge models.TestAStrangersWordSettlesNothing"},
		{"open", "the app's word", "settled", "models.TestOnlyATrustedAppsWordConfirms api.TestAnAppThatIsTrustedConfirmsItsAds"},
		{"open", "an hour", "expired", "models.TestOffersThatAreTooOldExpire"},
		{"settled", "an hour", refused, "models.TestWhatIsUnderWayWhileItExpiresStays"},
		{"settled", "the network's word", refused, "models.TestTheNetworksWordCountsForTheOldestTicketOfRightAge"},
		{"expired", "the app's word", refused, "models.TestOffersThatAreTooOldExpire models.TestAnAdThatExpiresWhileItIsConfirmedChangesNothing"},
	},
	"advice of a day": {
		{"–", "asking", "offered", "models.TestAskingTwiceGivesTheSameAdvice"},
		{"offered", "asking", "offered", "models.TestAskingTwiceGivesTheSameAdvice"},
		{"offered", "claim", "claimed", "models.TestAdviceIsClaimedOnce"},
		{"offered", "another's claim", refused, "models.TestAdviceIsClaimedOnce"},
		{"offered", "ad confirmed", "doubled", "models.TestAnAdPaysAdviceTwice"},
		{"offered", "midnight", "expired", "models.TestAdviceNotClaimedOnItsDayExpires models.TestOffersThatAreTooOldExpire"},
		{"claimed", "claim", refused, "models.TestAdviceIsClaimedOnce"},
		{"claimed", "ad confirmed", "doubled", "models.TestAdviceClaimedWhileAnAdIsShownIsStillDoubled"},
		{"claimed", "ad", refused, "models.TestAdviceIsClaimedOnce"},
		{"doubled", "claim", refused, "models.TestAnAdPaysAdviceTwice"},
		{"expired", "claim", refused, "models.TestAdviceNotClaimedOnItsDayExpires"},
		{"expired", "claim that was under way", "claimed", "models.TestWhatIsUnderWayWhileItExpiresStays"},
		{"claimed, doubled", "midnight", refused, "models.TestWhatIsUnderWayWhileItExpiresStays"},
		{"expired", "ad confirmed", "doubled", "models.TestAdviceNotClaimedOnItsDayExpires"},
	},
	"spin of the wheel": {
		{"–", "spin that stops at coins", "credited", "models.TestASpinOfCoinsIsPaidAtOnce api.TestAPlayersDayAtTheWheel"},
		{"–", "spin that stops elsewhere", "pending", "models.TestAPendingPrizeIsClaimedOnce api.TestAPlayersDayAtTheWheel"},
		{"–", "spin without a spin, consent, season", refused, "models.TestOfFiftySpinsAtOnceWithOneLeftOneCounts models.TestSpinningNeedsConsentAndAnOpenSeason"},
		{"–", "spin that is rolled back", "–", "models.TestASpinThatIsRolledBackNeverWas"},
		{"credited", "claim or ad", refused, "models.TestASpinOfCoinsIsPaidAtOnce"},
		{"pending", "claim", "claimed", "models.TestAPendingPrizeIsClaimedOnce models.TestOnlyAChestIsOpened models.TestOfFiftyClaimsAtOnceOnePays"},
		{"pending", "another's claim", refused, "models.TestAPendingPrizeIsClaimedOnce"},
		{"pending", "ad confirmed", "doubled", "models.TestAnAdMultipliesAPrize models.TestAClaimAndAnAdForASpinAtOncePayBothOnce"},
		{"pending", "ad for a bonus spin or spins alone", refused, "models.TestAnAdMultipliesAPrize"},
		{"pending", "the next spin", "claimed", "models.TestTheNextSpinPaysWhatWaited"},
		{"pending", "24 hours", "claimed", "models.TestAPrizeThatNobodyClaimsIsPaidAfterADay"},
		{"claimed", "ad confirmed that was under way", "doubled", "models.TestTheNextSpinPaysWhatWaited"},
		{"claimed", "claim", refused, "models.TestAPendingPrizeIsClaimedOnce models.TestAPrizeThatNobodyClaimsIsPaidAfterADay"},
		{"doubled", "claim or ad", refused, "models.TestAnAdMultipliesAPrize"},
	},
	"golden spin": {
		{"–", "golden spin that stops at coins", "credited", "models.TestAGoldenSpinIsEarnedInSevenDaysAndUsedOnce"},
		{"–", "golden spin that stops elsewhere", "pending", "models.TestAGoldenPrizeOfPointsWaits"},
		{"–", "golden spin without seven days, or twice", refused, "models.TestAGoldenSpinIsEarnedInSevenDaysAndUsedOnce"},
		{"credited", "ad confirmed", "doubled", "models.TestAGoldenSpinIsEarnedInSevenDaysAndUsedOnce"},
		{"credited", "ad a day later", refused, "models.TestGoldenCoinsAreDoubledWithinADay"},
		{"pending", "ad confirmed", "doubled", "models.TestAGoldenPrizeOfPointsWaits"},
	},
	"spins of a day": {
		{"–", "look", "given", "models.TestTheFirstLookOfADayBringsItsSpins models.TestFiftyFirstLooksAtOnceGiveOnce"},
		{"–", "look outside the season", "–", "models.TestNothingIsGivenOutsideTheSeason"},
		{"given", "look", "given", "models.TestTheFirstLookOfADayBringsItsSpins"},
		{"given", "ad confirmed for a spin", "one more", "models.TestAnAdTurnsAnAdSpinIntoAFreeOne models.TestAnAdSpinBelongsToTheDayItsTicketWasOpened"},
		{"given", "ad with twenty spins held, or none for ads left", refused, "models.TestTwentySpinsAreAllThatCanBeHeld models.TestTenAdSpinsADay"},
	},
	"server seed": {
		{"–", "first look or spin", "present", "models.TestARetiredSeedIsTheOneWhoseHashWasShown models.TestFiftyFirstSpinsAtOnceShareOnePairOfSeeds"},
		{"next", "the present one is retired", "present", "models.TestARetiredSeedIsTheOneWhoseHashWasShown"},
		{"present", "another client seed", "retired", "models.TestARetiredSeedIsTheOneWhoseHashWasShown"},
		{"present", "a day after it was used", "retired", "models.TestAUsedSeedIsRetiredTheNextDay"},
		{"present", "a day without a spin", "present", "models.TestAUsedSeedIsRetiredTheNextDay"},
	},
	"loyalty bonus of a day": {
		{"counting", "third of its ads confirmed", "eligible", "models.TestTheLoyaltyBonusIsPaidOnceADay"},
		{"counting", "claim", refused, "models.TestTheLoyaltyBonusNeedsAllThree api.TestAPlayersDayAtTheWheel"},
		{"eligible", "claim", "claimed", "models.TestTheLoyaltyBonusIsPaidOnceADay"},
		{"claimed", "claim", refused, "models.TestTheLoyaltyBonusIsPaidOnceADay"},
		{"eligible", "midnight", "counting", "models.TestTheLoyaltyBonusIsPaidOnceADay"},
	},
	"order for coins": {
		{"–", "order", "pending", "models.TestAPaymentOnTimeBringsWhatWasOrderedAndTheInviterAHundredth api.TestAPlayerOrdersAndIsCredited"},
		{"–", "order without a wallet, consent, price, or one too many", refused, "models.TestOnlySuchOrdersAreTaken"},
		{"pending", "payment on time", "paid", "models.TestAPaymentOnTimeBringsWhatWasOrderedAndTheInviterAHundredth"},
		{"pending", "15 minutes, the chain known beyond", "expired", "models.TestAnOrderExpiresOnceTheChainIsKnownBeyondIt"},
		{"pending", "cancel", "cancelled", "models.TestEachOddPaymentEndsWhereItShould"},
		{"pending", "another's cancel", refused, "models.TestOnlySuchOrdersAreTaken api.TestEveryRouteIsGuarded"},
		{"expired", "payment that was on time", "paid", "models.TestAPaymentOnTimeCountsSoAfterItsOrderHasExpired"},
		{"paid, expired, cancelled", "payment", "paid", "models.TestEachOddPaymentEndsWhereItShould models.TestAnOrderExpiresOnceTheChainIsKnownBeyondIt"},
		{"paid, expired", "cancel", refused, "models.TestWhatIsUnderWayWhileItExpiresStays models.TestAnOrderExpiresOnceTheChainIsKnownBeyondIt api.TestAPlayerOrdersAndIsCredited"},
	},
	"order for a mine": {
		{"–", "order of the next mine", "pending", "models.TestAMineIsOpenedByItsPaymentAndDug api.TestAPlayersWayThroughTheMines"},
		{"–", "order of another mine, outside the tournament, without a wallet, consent, or one too many", refused, "models.TestOnlyTheNextMineOfARunningTournamentIsOrdered"},
		{"pending", "order of the same mine", "pending", "models.TestAMineIsOpenedByItsPaymentAndDug api.TestAPlayersWayThroughTheMines"},
		{"pending", "15 minutes, the chain known beyond", "expired", "models.TestAMineIsOpenedByItsPaymentAndDug"},
		{"pending, expired", "full payment", "paid", "models.TestAMineIsOpenedByItsPaymentAndDug models.TestAWholeTournament"},
		{"pending, expired", "less, or no longer possible", "held", "models.TestAPaymentThatOpensNoMineIsHeld models.TestAWholeTournament"},
		{"pending", "hash", "pending", "api.TestAPlayersWayThroughTheMines"},
		{"paid", "payment", "held", "models.TestAPaymentThatOpensNoMineIsHeld"},
		{"cancelled", "payment", "held", "models.TestAPaymentThatOpensNoMineIsHeld"},
		{"cancelled", "held payment given to it", "paid", "models.TestAPaymentThatOpensNoMineIsHeld"},
	},
	"batch of a mine": {
		{"–", "batch", "accepted", "models.TestAMineIsOpenedByItsPaymentAndDug models.TestFiftyBatchesAtOnceWithOneIdDigOnce"},
		{"–", "batch without a mine, outside the tournament", refused, "models.TestAMineIsOpenedByItsPaymentAndDug models.TestABatchSecondsBeforeTheEndCountsAndOneAfterDoesNot"},
		{"–", "batch of a clock that is behind, the tournament closed", refused, "models.TestABatchSecondsBeforeTheEndCountsAndOneAfterDoesNot"},
		{"accepted", "the same batch", "accepted", "models.TestAMineIsOpenedByItsPaymentAndDug models.TestFiftyBatchesAtOnceWithOneIdDigOnce"},
		{"accepted", "its id with another count, or at the bag", refused, "models.TestAMineIsOpenedByItsPaymentAndDug models.TestABatchsKeyServesTheBagOrTheMine"},
	},
	"energy of a mine": {
		{"full..0", "tap", "less", "models.TestAMineIsOpenedByItsPaymentAndDug"},
		{"full..0", "00:00 or 12:00 UTC", "full", "models.TestAMineIsOpenedByItsPaymentAndDug"},
		{"0", "deeper mine", "its difference", "models.TestAMineIsOpenedByItsPaymentAndDug"},
	},
	"tournament": {
		{"–", "first start", "scheduled", "models.TestTournamentsDoNotOverlap"},
		{"–", "new", "scheduled", "models.TestTournamentsDoNotOverlap bot.TestAnAdminIsAnsweredAndAskedBeforeAnythingChanges"},
		{"–", "new in the past, or over another", refused, "models.TestTournamentsDoNotOverlap"},
		{"scheduled", "its time", "running", "models.TestAWholeTournament models.TestATournamentCutShortAnywherePaysNothingTwice"},
		{"scheduled", "15 days unseen", "closed", "models.TestATournamentIsNeverTakenBackByAClockThatIsBehind"},
		{"running", "a clock that is behind", "running", "models.TestATournamentIsNeverTakenBackByAClockThatIsBehind"},
		{"running", "15 days", "closed", "models.TestAWholeTournament models.TestATournamentCutShortAnywherePaysNothingTwice"},
		{"running, closed", "award", refused, "models.TestAWholeTournament"},
		{"closed", "the chain not known beyond the end", "closed", "models.TestAWholeTournament"},
		{"closed", "a mine opened meanwhile", "closed", "models.TestAMineOpenedWhileTheTournamentEndsIsRankedAndPaid"},
		{"closed", "the chain known beyond the end", "final", "models.TestAWholeTournament models.TestATournamentCutShortAnywherePaysNothingTwice"},
		{"final", "award", "awarded", "models.TestAWholeTournament models.TestATournamentCutShortAnywherePaysNothingTwice models.TestManyWhoShareARankGetTheirPrizesInParts"},
		{"awarded", "award", refused, "models.TestAWholeTournament"},
	},
	"payout": {
		{"–", "prize", "due", "models.TestAWholeTournament models.TestATieSharesWhatItCovers"},
		{"–", "refund", "due", "models.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"due", "approve", "approved", "models.TestAPrizeGoesOnlyToAProvenWallet models.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"due", "approve without a proven wallet", refused, "models.TestAPrizeGoesOnlyToAProvenWallet"},
		{"due", "seen on chain, or reported", refused, "models.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"due, approved", "cancel", "cancelled", "models.TestWhatIsOwedIsApprovedSentAndSettledByTheChain bot.TestATournamentIsToldOfAndAwarded"},
		{"approved", "reported", "sent", "models.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"approved", "reported with the transaction of another", refused, "models.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"approved", "another amount or address on chain", "approved", "models.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"approved, sent", "seen on chain", "settled", "models.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"sent", "cancel", refused, "models.TestWhatIsOwedIsApprovedSentAndSettledByTheChain"},
		{"sent, settled", "came back", "due", "models.TestWhatCameBackIsDueAgain"},
	},
	"nonce of a wallet": {
		{"–", "asked for", "open", "models.TestANonceProvesOneWalletOfItsPlayerWithinFiveMinutes"},
		{"–", "asked for by a banned player", refused, "models.TestABannedPlayerConnectsNoWallet"},
		{"open", "proof", "used", "models.TestANonceProvesOneWalletOfItsPlayerWithinFiveMinutes models.TestOneNonceFiftyTimesAtOnceProvesOnce"},
		{"open", "another's proof, or a wrong one", refused, "models.TestANonceProvesOneWalletOfItsPlayerWithinFiveMinutes models.TestASignatureThatIsWrongLeavesTheNonceOpen"},
		{"open", "proof after five minutes", refused, "models.TestANonceProvesOneWalletOfItsPlayerWithinFiveMinutes"},
		{"open", "five minutes", "expired", "models.TestNoncesThatNobodyUsedExpireAndAreForgotten models.TestANonceThatExpiresWhileItIsLookedAtProvesNothing"},
		{"used", "proof", refused, "models.TestANonceProvesOneWalletOfItsPlayerWithinFiveMinutes models.TestOneNonceFiftyTimesAtOnceProvesOnce"},
		{"used", "five minutes", refused, "models.TestWhatIsUnderWayWhileItExpiresStays"},
		{"used", "a day", "used", "models.TestNoncesThatNobodyUsedExpireAndAreForgotten"},
		{"expired", "proof", refused, "models.TestNoncesThatNobodyUsedExpireAndAreForgotten"},
		{"expired", "a day", "–", "models.TestNoncesThatNobodyUsedExpireAndAreForgotten"},
	},
	"wallet of a player": {
		{"–", "address", "connected", "models.TestAProvenWalletBelongsToOnePlayer"},
		{"–, connected", "address that another has proven", refused, "models.TestAProvenWalletBelongsToOnePlayer"},
		{"–, connected", "any change by a banned player", refused, "models.TestABannedPlayerConnectsNoWallet"},
		{"–, connected", "proof", "proven", "models.TestANonceProvesOneWalletOfItsPlayerWithinFiveMinutes models.TestOfPlayersWhoProveAWalletAtOnceOneHasIt"},
		{"–, connected", "proof of a wallet that another has proven", refused, "models.TestAProvenWalletBelongsToOnePlayer models.TestOfPlayersWhoProveAWalletAtOnceOneHasIt"},
		{"connected", "null", "–", "api.TestAPlayerOrdersAndIsCredited"},
		{"proven", "the same address", "proven", "models.TestAProvenWalletBelongsToOnePlayer"},
		{"proven", "another address", "connected", "models.TestAProvenWalletBelongsToOnePlayer"},
		{"proven", "null", "–", "models.TestAProvenWalletBelongsToOnePlayer"},
	},
	"incoming payment": {
		{"–", "seen in a final block", "seen", "models.TestAHistoryIsRecordedOnceAndWithoutAGap models.TestManyPaymentsAreRecordedPartByPart"},
		{"–", "seen again, or out of order", refused, "models.TestAHistoryIsRecordedOnceAndWithoutAGap"},
		{"seen", "comment of an order", "credited", "models.TestAPaymentOnTimeBringsWhatWasOrderedAndTheInviterAHundredth"},
		{"seen", "no comment, an unknown one, too little, too much", "held", "models.TestEachOddPaymentEndsWhereItShould"},
		{"seen", "it did not stay", "ignored", "models.TestEachOddPaymentEndsWhereItShould"},
		{"held", "given to an order or a player", "credited", "models.TestAnAdminSettlesWhatWasHeld"},
		{"held", "refund", "refundable", "models.TestAnAdminSettlesWhatWasHeld bot.TestPaymentsThatWaitAreListedAndSettled"},
		{"credited, refundable", "settled again", refused, "models.TestAnAdminSettlesWhatWasHeld"},
	},
	"idempotency key": {
		{"–", "write", "kept", "models.TestTheSameRequestAgainGetsTheSameAnswerAndNoSecondEffect api.TestEveryWriteHappensOnce"},
		{"–", "write that fails", "–", "models.TestAnErrorOrPanicRollsBackWhatStoreMethodsDidInside models.TestAnAnswerThatIsNoSuccessIsGivenAndNothingOfItStays"},
		{"kept", "the same write", "kept", "models.TestTheSameRequestAgainGetsTheSameAnswerAndNoSecondEffect models.TestFiftyCopiesOfARequestHaveOneEffect"},
		{"kept", "another write", refused, "models.TestAKnownKeyWithAnotherBodyOrCallIsRefused api.TestEveryWriteHappensOnce"},
		{"kept", "seven days", "–", "models.TestAnswersAreForgottenAfterSevenDays"},
	},
	"task of a player": {
		{"–", "first look", "active", "models.TestTheFirstLookOpensTheTasksOfADayOnce"},
		{"–", "first event", "active", "models.TestProgressOfEventsStopsAtTheTarget"},
		{"–", "taps that are enough", "completed", "models.TestOneBatchMayCompleteBothTasksUnseen models.TestAProcessThatKnowsNoTasksWritesThemWithTheTap"},
		{"active", "event", "active", "models.TestProgressOfEventsStopsAtTheTarget models.TestEventsAtOnceAllCount"},
		{"active", "event that is rolled back", "active", "models.TestAnEventThatIsRolledBackDoesNotCount"},
		{"active", "event that reaches the target", "completed", "models.TestProgressOfEventsStopsAtTheTarget"},
		{"active", "batch that reaches the target", "completed", "models.TestTapsCompleteTheirTasksWithTheBatchThatReachesTheTarget models.TestBatchesWrittenTogetherCompleteWhatTheyReach"},
		{"active", "stored link visited", "completed", "models.TestAVisitOfTheStoredLinkCompletesItsTask"},
		{"active", "another link or channel", refused, "models.TestAVisitOfTheStoredLinkCompletesItsTask models.TestASubscriptionOfTheStoredChannelCompletesItsTask api.TestOnlyTheStoredLinkAndChannelCount"},
		{"active", "Telegram confirms", "completed", "models.TestASubscriptionOfTheStoredChannelCompletesItsTask api.TestTelegramDecidesOverASubscription"},
		{"active", "Telegram is away", "active", "api.TestTelegramDecidesOverASubscription bot.TestNoAnswerAboutAChannelIsNoSubscription"},
		{"active", "claim", refused, "models.TestATaskIsClaimedOnce api.TestAClaimIsRefusedUntilDoneAndOnceItWas"},
		{"active", "day over", "expired", "models.TestTheNextDayPaysWhatWasCompletedAndClosesTheRest"},
		{"completed", "claim", "claimed", "models.TestATaskIsClaimedOnce models.TestFiftyClaimsAtOncePayOnce"},
		{"completed", "another's claim", refused, "models.TestATaskIsClaimedOnce api.TestEveryRouteIsGuarded"},
		{"completed", "day over", "claimed", "models.TestTheNextDayPaysWhatWasCompletedAndClosesTheRest models.TestClosingAndClaimingAtOncePayOnce"},
		{"completed", "season over", "claimed", "models.TestThePermanentTasksArePaidWhenNobodyCanClaimThem"},
		{"completed", "task taken back", "completed", "models.TestATaskThatIsTakenBackCanStillBeClaimed"},
		{"claimed", "claim", refused, "models.TestATaskIsClaimedOnce models.TestFiftyClaimsAtOncePayOnce"},
		{"expired", "claim", refused, "models.TestTheNextDayPaysWhatWasCompletedAndClosesTheRest"},
		{"expired", "what was under way reaches the target", "completed", "models.TestWhatArrivesAfterItsDayWasClosedIsPaidWithTheNext"},
	},
	"permanent task": {
		{"–", "add", "offered", "models.TestAdminsOfferOnlyWhatPlayersMayOpen bot.TestWrittenTasksAreOfferedInBothLanguages"},
		{"–", "add what no player may open", refused, "models.TestAdminsOfferOnlyWhatPlayersMayOpen"},
		{"offered", "add again", refused, "models.TestAdminsOfferOnlyWhatPlayersMayOpen"},
		{"offered", "retire", "taken back", "models.TestATaskThatIsTakenBackCanStillBeClaimed bot.TestWrittenTasksAreOfferedInBothLanguages"},
		{"taken back", "retire", refused, "models.TestAdminsOfferOnlyWhatPlayersMayOpen"},
	},
	"ban of a player": {
		{"may play", "ban", "banned", "bot.TestAnAdminIsAnsweredAndAskedBeforeAnythingChanges api.TestABannedPlayerIsRefusedEverywhereWithTheReason"},
		{"may play", "unban", refused, "models.TestWhatTheRulesRefuseLeavesNothingButItsReason"},
		{"banned", "any call", refused, "api.TestABannedPlayerIsRefusedEverywhereWithTheReason api.TestABannedPlayerGetsNoStoredAnswer models.TestABannedPlayerEarnsNothingAndKeepsEverything"},
		{"banned", "ban", refused, "models.TestABannedPlayerStaysBannedForTheFirstReason"},
		{"banned", "unban", "may play", "models.TestABannedPlayerEarnsNothingAndKeepsEverything bot.TestAnAdminIsAnsweredAndAskedBeforeAnythingChanges"},
	},
	"account of a player": {
		{"known", "erase", "erased", "models.TestWhoIsErasedIsForgottenForGood bot.TestAnAdminIsAnsweredAndAskedBeforeAnythingChanges"},
		{"banned", "erase", "erased", "models.TestWhoIsBannedCanBeErased"},
		{"known", "erase while money of theirs waits", refused, "models.TestNobodyIsErasedWhileMoneyOfTheirsWaits"},
		{"erased", "erase, unban", refused, "models.TestWhoIsErasedIsForgottenForGood"},
		{"erased", "any call, another look", refused, "models.TestWhoIsErasedIsForgottenForGood"},
	},
	"maintenance": {
		{"off", "on", "on", "models.TestMaintenanceIsSeenByEveryProcessWithinTwoSeconds api.TestDuringMaintenancePlayersWaitAndTheRestGoesOn"},
		{"off", "off", refused, "models.TestWhatTheRulesRefuseLeavesNothingButItsReason"},
		{"on", "any call of a player", refused, "api.TestDuringMaintenancePlayersWaitAndTheRestGoesOn"},
		{"on", "off", "off", "models.TestMaintenanceIsSeenByEveryProcessWithinTwoSeconds api.TestAfterMaintenanceTheSameBatchCounts"},
	},
	"command of an admin": {
		{"–", "command", "asked", "bot.TestAnAdminIsAnsweredAndAskedBeforeAnythingChanges models.TestNothingIsDoneBeforeTheAdminConfirms"},
		{"–", "command of a stranger, in a group, forwarded", refused, "bot.TestNobodyElseIsAnsweredAndItIsWrittenDown models.TestOfOneChatAHundredRefusedCommandsADayAreWrittenDown"},
		{"–", "action nobody knows", refused, "models.TestAnUnknownActionIsNotAsked"},
		{"asked", "confirm", "executed", "models.TestNothingIsDoneBeforeTheAdminConfirms models.TestOfTwentyPressesAtOnceOneCounts bot.TestTwentyPressesAtOnceAreOneEffect"},
		{"asked", "confirm what the rules refuse", "refused by the rules", "models.TestWhatTheRulesRefuseLeavesNothingButItsReason"},
		{"asked", "confirm whose commit fails", "asked", "models.TestAnActionWhoseCommitFailsIsNotDone"},
		{"asked", "another's press", refused, "models.TestAPressThatDoesNotCountIsRefusedAndWrittenDown bot.TestAStolenOrStaleConfirmationDoesNothing"},
		{"asked", "cancel", "cancelled", "models.TestAQuestionIsAnsweredOnce bot.TestACancelledQuestionIsNeverDone"},
		{"asked", "120 s", "expired", "models.TestAQuestionNobodyAnswersExpires"},
		{"asked", "press after 120 s", "expired", "models.TestAPressThatDoesNotCountIsRefusedAndWrittenDown bot.TestAStolenOrStaleConfirmationDoesNothing"},
		{"executed, cancelled, expired", "press", refused, "models.TestAQuestionIsAnsweredOnce models.TestAQuestionNobodyAnswersExpires"},
		{"executed, cancelled, expired", "change by hand", refused, "models.TestTheDatabaseKeepsTheAuditAsItIs"},
	},
	"update of the bot": {
		{"–", "received", "waiting", "models.TestAnUpdateIsKeptOnceHoweverOftenItComes bot.TestAnUpdateIsKeptBeforeTelegramMayForgetIt"},
		{"–", "received by a full inbox", refused, "models.TestAFullInboxRefusesNewUpdatesOnly"},
		{"waiting", "answered", "done", "bot.TestAnUpdateThatComesTwiceIsAnsweredOnce"},
		{"waiting", "failed try", "waiting", "models.TestAnUpdateIsDeadAfterFiveTriesEachFartherApart"},
		{"waiting", "fifth failed try", "dead", "models.TestAnUpdateIsDeadAfterFiveTriesEachFartherApart bot.TestAPoisonUpdateIsGivenUpAfterFiveTries"},
		{"waiting", "finished by a late holder", "done", "models.TestALateHolderChangesNothingButMayFinish"},
		{"done, dead", "received again", "done, dead", "models.TestAnUpdateIsKeptOnceHoweverOftenItComes bot.TestAnUpdateThatComesTwiceIsAnsweredOnce"},
		{"done, dead", "seven days", "–", "models.TestFinishedUpdatesAreForgottenAfterSevenDays"},
	},
	"message of the outbox": {
		{"–", "its cause", "queued", "models.TestACauseToldTwiceIsOneMessage models.TestAnInviterIsToldOnceThatAFriendJoined models.TestACauseThatIsRolledBackLeavesNoMessage"},
		{"queued", "taken", "held", "models.TestTheMostUrgentMessageGoesFirst models.TestTwoProcessesNeverHoldOneMessage"},
		{"queued", "taken too early", refused, "models.TestTwentyFiveMessagesASecondByAllProcesses models.TestOneMessageASecondToAChat"},
		{"queued", "taken, but unwanted", "dead", "models.TestWhoWantsNoMessagesGetsNoneButAdminsDo models.TestWhatACancelledBroadcastLeftQueuedDoesNotDelayTheNext"},
		{"queued", "its broadcast is cancelled", "dead", "models.TestACancelledBroadcastSendsNothingMore models.TestWhatACancelledBroadcastLeftIsClearedAway"},
		{"held", "sent", "sent", "models.TestACauseToldTwiceIsOneMessage bot.TestWhatTelegramAnswersDecidesOverAMessage bot.TestASentMessageIsMarkedOnceTheDatabaseIsBack"},
		{"held", "the process ends", "queued", "models.TestAMessageThatEndsTheProcessIsDeadAfterEightTries"},
		{"held", "429", "queued", "models.TestSilenceIsForEverybodyAndCountsNoTry bot.TestAllProcessesFallSilentTogether bot.TestAnAnswerThatIsTooManySilencesTheOutboxToo"},
		{"held", "failed try", "queued", "models.TestAMessageIsDeadAfterEightTriesEachFartherApart bot.TestWordsThatFailAreAFailedTry bot.TestASlowTelegramIsAFailedTry"},
		{"held", "eighth failed try", "dead", "models.TestAMessageIsDeadAfterEightTriesEachFartherApart"},
		{"held", "403", "dead", "models.TestWhoBlocksTheBotGetsNothingUntilTheyWrite bot.TestWhatTelegramAnswersDecidesOverAMessage"},
		{"held", "400", "dead", "models.TestFinishedMessagesAreForgottenAfterSevenDays bot.TestWhatTelegramAnswersDecidesOverAMessage"},
		{"queued, held, dead", "sent by a late holder", "sent", "models.TestALateHolderChangesNothingUnlessTheMessageWasSent models.TestACancelledBroadcastSendsNothingMore"},
		{"sent, dead", "its cause again", "sent, dead", "models.TestACauseToldTwiceIsOneMessage"},
		{"sent, dead", "seven days", "–", "models.TestFinishedMessagesAreForgottenAfterSevenDays"},
	},
	"chat with a person": {
		{"open", "403 or blocked", "blocked", "models.TestWhoBlocksTheBotGetsNothingUntilTheyWrite"},
		{"blocked", "writes, or newer launch data", "open", "models.TestWhoBlocksTheBotGetsNothingUntilTheyWrite bot.TestPeopleTellWhetherTheyCanBeReached"},
		{"blocked", "older launch data", "blocked", "models.TestWhoBlocksTheBotGetsNothingUntilTheyWrite"},
	},
	"broadcast": {
		{"–", "draft", "draft", "models.TestABroadcastSaysSomethingThatTelegramTakes"},
		{"–", "draft of nothing", refused, "models.TestABroadcastSaysSomethingThatTelegramTakes"},
		{"draft", "start", "fanning", "models.TestABroadcastReachesEachPlayerWhoWantsIt models.TestABroadcastStartsWithTheTransactionAroundIt"},
		{"draft", "a day unconfirmed", "deleted", "models.TestOnlyOldDraftsAreForgotten"},
		{"draft", "start with a full outbox", refused, "models.TestAFullOutboxRefusesABroadcast"},
		{"fanning", "batch", "fanning", "models.TestABroadcastGoesOnWhereItsProcessEnded models.TestTwoProcessesFanABroadcastOnce"},
		{"fanning", "last batch", "done", "models.TestABroadcastReachesEachPlayerWhoWantsIt"},
		{"fanning, done, cancelled", "start", refused, "models.TestABroadcastIsStartedOnce"},
		{"fanning, done", "stop while some wait", "cancelled", "models.TestACancelledBroadcastSendsNothingMore models.TestOnlyABroadcastWithWorkLeftIsStopped"},
		{"fanning, done", "its original is deleted", "cancelled", "models.TestAnAbandonedBroadcastIsToldOnce"},
		{"draft, done, cancelled", "stop with nothing left", refused, "models.TestOnlyABroadcastWithWorkLeftIsStopped"},
	},
	"run of a job": {
		{"–", "due", "done", "models.TestWorkIsDoneOnceForEachPeriodHoweverManyDoIt jobs.TestEveryJobOfTheTimetableDoesItsWorkOnceInItsTime"},
		{"–", "work that fails", "–", "models.TestWorkThatFailsIsNotNotedAndLeavesNothing jobs.TestAJobThatFailsIsToldAndTriedAgainAfterAMinute"},
		{"–", "due, the lease lost", refused, "jobs.TestNothingIsBegunWithoutTheLease"},
		{"done", "due again", "done", "models.TestWorkIsDoneOnceForEachPeriodHoweverManyDoIt jobs.TestAStartAfterThisHoursWorkDoesNothing"},
		{"done", "a hundred days", "–", "models.TestOldRunsAreForgottenButTheNewestOfEachJob"},
	},
	"alarm": {
		{"–", "found bad", "raised", "models.TestAnAlarmIsToldOncePerOccurrence jobs.TestEachAlarmIsRaisedOnceAndEnds"},
		{"–", "found well", "–", "models.TestAnAlarmIsToldOncePerOccurrence"},
		{"raised", "found bad", "raised", "models.TestAnAlarmIsToldOncePerOccurrence models.TestProcessesThatRaiseAnAlarmTogetherRaiseOne"},
		{"raised", "found well", "ended", "models.TestAnAlarmIsToldOncePerOccurrence models.TestAWrongClockIsToldByItsProcessAndEndedByTheLeader"},
		{"ended", "found bad", "raised", "models.TestAnAlarmIsToldOncePerOccurrence"},
		{"ended", "a hundred days", "–", "models.TestEndedAlarmsAreForgotten"},
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
	for _, folder := range []string{".", "../api", "../bot", "../jobs"} {
		for name := range given.Tests(t, folder) {
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
