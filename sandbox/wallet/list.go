package wallet

import (
	"encoding/json"
	"net/http"
)

// ListPath is where the list of wallets is.
const ListPath = "/wallets.json"

// AppName is the name by which apps know the wallet: that of the wallet it replaces.
const AppName = "tonkeeper"

// maxMessages is how many transfers one request may have.
const maxMessages = 4

type feature struct {
	Name          string `json:"name"`
	MaxMessages   int    `json:"maxMessages"`
	ExtraCurrency bool   `json:"extraCurrencySupported"`
}

var canSend = feature{Name: "SendTransaction", MaxMessages: maxMessages}

// device is what the wallet says about itself. Old apps know the feature by its bare name.
var device = map[string]any{
	"platform": "browser", "appName": AppName, "appVersion": "1.0.0", "maxProtocolVersion": 2,
	"features": []any{"SendTransaction", canSend},
}

// List serves the wallets that an app may offer, in TON Connect's format: this one.
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
