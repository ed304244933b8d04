package api_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"mcbk/api"
	"mcbk/models/modelstest"
)

// sources are what the page's policy allows for a directive.
func sources(t *testing.T, g *table, directive string) []string {
	t.Helper()
	policy := g.send(request{method: "GET", path: "/", launch: "-"}).header.Get("Content-Security-Policy")
	for part := range strings.SplitSeq(policy, ";") {
		if words := strings.Fields(part); len(words) > 0 && words[0] == directive {
			return words[1:]
		}
	}
	t.Fatalf("no %s in %q", directive, policy)
	return nil
}

func TestCSPAllowsOnlyListedWallets(t *testing.T) {
	hosts := []string{"https://list.example", "https://bridge.example"}
	for what, c := range map[string]struct {
		options func(*api.Options)
		may     []string
	}{
		"a list with its bridge": {func(o *api.Options) { o.WalletHosts = hosts }, append([]string{"'self'"}, hosts...)},
		"none":                   {func(*api.Options) {}, []string{"'self'"}},
		"the sandbox":            {func(o *api.Options) { o.Sandbox = true }, []string{"'self'", "http://localhost:*", "http://127.0.0.1:*"}},
	} {
		g := serve(t, modelstest.Store(t, "sqlite"), c.options)
		if may := sources(t, g, "connect-src"); !slices.Equal(may, c.may) {
			t.Errorf("%s: it may connect to %q", what, may)
		}
		if may := sources(t, g, "img-src"); !slices.Contains(may, c.may[len(c.may)-1]) {
			t.Errorf("%s: it may show pictures of %q", what, may)
		}
		if may := sources(t, g, "script-src"); !slices.Equal(may, []string{"'self'"}) {
			t.Errorf("%s: it may run scripts of %q", what, may)
		}
	}
}

func TestCSPAllowsOwnWallet(t *testing.T) {
	g := serve(t, modelstest.Store(t, "sqlite"), func(o *api.Options) { o.WalletHosts = api.OwnWalletHosts })
	a := g.send(request{method: "GET", path: api.WalletsPath, launch: "-"})
	var list []struct {
		AppName      string `json:"app_name"`
		Image        string `json:"image"`
		UniversalURL string `json:"universal_url"`
		Bridge       []struct{ Type, URL string }
		Features     []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(a.body), &list); err != nil || a.status != 200 || len(list) != 1 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	w := list[0]
	if w.AppName != "tonkeeper" || w.UniversalURL == "" || len(w.Features) == 0 || w.Features[0].Name != "SendTransaction" {
		t.Errorf("the wallet is %+v", w)
	}
	may := map[string][]string{w.Image: sources(t, g, "img-src")}
	for _, bridge := range w.Bridge {
		if bridge.Type == "sse" {
			may[bridge.URL] = sources(t, g, "connect-src")
		}
	}
	if len(may) != 2 {
		t.Errorf("its bridges are %+v", w.Bridge)
	}
	for address, allowed := range may {
		if parsed, err := url.Parse(address); err != nil || !slices.Contains(allowed, parsed.Scheme+"://"+parsed.Host) {
			t.Errorf("%s is not among %q", address, allowed)
		}
	}
}
