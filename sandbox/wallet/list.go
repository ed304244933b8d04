package wallet

import (
	"encoding/json"
	"net/http"
)

// ListPath is the path of the wallets' list.
const ListPath = "/wallets.json"

// AppName is the wallet's name in apps: that of the real wallet.
const AppName = "tonkeeper"

// maxMessages is the maximum of transfers per request.
const maxMessages = 4

type feature struct {
	Name          string `json:"name"`
	MaxMessages   int    `json:"maxMessages"`
	ExtraCurrency bool   `json:"extraCurrencySupported"`
}

var canSend = feature{Name: "SendTransaction", MaxMessages: maxMessages}

// device describes the wallet. Old apps know the feature by its bare name.
var device = map[string]any{
	"platform": "browser", "appName": AppName, "appVersion": "1.0.0", "maxProtocolVersion": 2,
	"features": []any{"SendTransaction", canSend},
}

// List serves the wallets' list in TON Connect's format, with this one only.
func (a *App) List(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache")
	_ = json.NewEncoder(w).Encode([]any{map[string]any{
		"app_name": AppName, "name": "Sandbox wallet", "image": a.cfg.Address + "/assets/wallet.svg", "about_url": a.cfg.Address + Path,
		"universal_url": a.cfg.Address + Path,
		"bridge":        []any{map[string]string{"type": "sse", "url": a.cfg.Address + "/bridge"}},
		"platforms":     []string{"ios", "android", "macos", "windows", "linux", "chrome", "firefox", "safari"},
		"features":      []any{canSend},
	}})
}
