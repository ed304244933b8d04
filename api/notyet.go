package api

// notYet are the operations of the contract that answer 501 until their feature is built. A
// feature takes its own off this list; nothing is ever added (see TestNotYetOnlyShrinks).
var notYet = map[string]bool{
	"checkIn": true, "doubleDailyReward": true,
	"setWallet": true, "createProofPayload": true,
	"getPrediction": true, "claimPrediction": true, "doublePrediction": true,
	"getLeaderboard": true,
	"spin":           true, "claimChestReward": true, "claimSpinReward": true, "doubleSpinReward": true,
	"takeAdSpin": true, "getRouletteStatus": true, "getFairness": true, "setClientSeed": true,
	"purchaseTokens": true, "getTonPrice": true, "getPriceInfo": true,
	"listOrders": true, "getOrder": true, "cancelOrder": true,
	"listReferrals": true, "listTransactions": true,
	"getCircleAdsStatus": true, "claimCircleAds": true,
	"getMinesStatus": true, "createMinePayment": true, "unlockMine": true, "getMinesLeaderboard": true, "mine": true,
	"startAd": true, "completeAd": true, "rewardAd": true,
}
