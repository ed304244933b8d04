package api

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

// WalletsPath is where our own list of wallets is, for the web app.
const WalletsPath = "/wallets.json"

// OwnWallet is the app in that list, by the name that lists of wallets give it.
const OwnWallet = "tonkeeper"

// ownWallet is the entry of that list, as TON Connect describes wallets.
var ownWallet = gin.H{
	"app_name": OwnWallet, "name": "Tonkeeper", "image": "https://tonkeeper.com/assets/tonconnect-icon.png", "about_url": "https://tonkeeper.com",
	"universal_url": "https://app.tonkeeper.com/ton-connect", "deepLink": "tonkeeper-tc://", "tondns": "tonkeeper.ton",
	"bridge":    []gin.H{{"type": "sse", "url": "https://bridge.tonapi.io/bridge"}, {"type": "js", "key": "tonkeeper"}},
	"platforms": []string{"ios", "android", "chrome", "firefox", "macos", "windows", "linux"},
	"features":  []gin.H{{"name": "SendTransaction", "maxMessages": 255, "extraCurrencySupported": true}},
}

// OwnWalletHosts are the origins that the app needs: its bridge's and its picture's.
var OwnWalletHosts = []string{"https://bridge.tonapi.io", "https://tonkeeper.com"}

// serveWallets serves our own list, which is used where WALLETS_LIST_URL names no other. Then no list of a third party is fetched, and
// no other wallet can be chosen.
func serveWallets(c *gin.Context) { c.JSON(http.StatusOK, []gin.H{ownWallet}) }
