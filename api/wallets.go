package api

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

// WalletsPath is the path of our own wallets' list.
const WalletsPath = "/wallets.json"

// OwnWallet is the app in that list.
const OwnWallet = "tonkeeper"

// ownWallet is its entry, in TON Connect's format.
var ownWallet = gin.H{
	"app_name": OwnWallet, "name": "Tonkeeper", "image": "https://tonkeeper.com/assets/tonconnect-icon.png", "about_url": "https://tonkeeper.com",
	"universal_url": "https://app.tonkeeper.com/ton-connect", "deepLink": "tonkeeper-tc://", "tondns": "tonkeeper.ton",
	"bridge":    []gin.H{{"type": "sse", "url": "https://bridge.tonapi.io/bridge"}, {"type": "js", "key": "tonkeeper"}},
	"platforms": []string{"ios", "android", "chrome", "firefox", "macos", "windows", "linux"},
	"features":  []gin.H{{"name": "SendTransaction", "maxMessages": 255, "extraCurrencySupported": true}},
}

// OwnWalletHosts are the origins of its bridge and picture.
var OwnWalletHosts = []string{"https://bridge.tonapi.io", "https://tonkeeper.com"}

// serveWallets serves our own list, used unless WALLETS_LIST_URL names another: no third party's list is fetched, and no other wallet can
// be chosen.
func serveWallets(c *gin.Context) { c.JSON(http.StatusOK, []gin.H{ownWallet}) }
