package api

// notYet are the operations of the contract that answer 501 until their feature is built. A
// feature takes its own off this list; nothing is ever added (see TestNotYetOnlyShrinks).
var notYet = map[string]bool{
	"setWallet": true, "createProofPayload": true,
	"getLeaderboard": true,
	"spin":           true, "claimChestReward": true, "claimSpinReward": true, "doubleSpinReward": true,
	"takeAdSpin": true, "getRouletteStatus": true, "getFairness": true, "setClientSeed": true,
	"purchaseTokens": true, "getTonPrice": true, "getPriceInfo": true,
	"listOrders": true, "getOrder": true, "cancelOrder": true,
	"listReferrals": true, "listTransactions": true,
	"getCircleAdsStatus": true, "claimCircleAds": true,
	"getMinesStatus": true, "createMinePayment": true, "unlockMine": true, "getMinesLeaderboard": true, "mine": true,
}
