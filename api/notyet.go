package api

// notYet are the operations of the contract that answer 501 until their feature is built. A
// feature takes its own off this list; nothing is ever added (see TestNotYetOnlyShrinks).
var notYet = map[string]bool{
	"getLeaderboard": true,
}
