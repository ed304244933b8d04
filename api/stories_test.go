package api_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mcbk/api"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

// story is one request of a consenting player with all its effects. Unlisted postings must not exist.
type story struct {
	name   string
	sends  request
	status int
	code   string            // of a refusal
	allows string            // the answer's Allow
	shows  map[string]string // fields of the answer
	posts  []string
}

func TestStories(t *testing.T) {
	tap := func(body string) request {
		return request{method: "POST", path: "/api/tap/perform-batch-tap", body: body}
	}
	update := func(body string) request { return request{method: "PUT", path: "/api/user/update", body: body} }

	stories := []story{
		{
			name: "twenty taps earn 0.02", sends: tap(`{"total_taps":20,"batch_id":"batch-0001"}`), status: 200,
			shows: map[string]string{
				"accepted": "20", "user.balance.game_mcbk": "0.02", "energy_info.current_energy": "980",
				"energy_info.max_energy": "1000", "energy_info.mcbk_per_tap": "0.001", "energy_info.level_info.current_level": "1",
			},
			posts: []string{"house:taps>game 20000"},
		},
		{
			name: "a first batch is held to the starting allowance", sends: tap(`{"total_taps":10000}`), status: 200,
			shows: map[string]string{"accepted": "50"}, posts: []string{"house:taps>game 50000"},
		},
		{name: "no taps", sends: tap(`{"total_taps":0}`), status: 400, code: "validation_failed"},
		{name: "negative taps", sends: tap(`{"total_taps":-5}`), status: 400, code: "validation_failed"},
		{name: "too many taps", sends: tap(`{"total_taps":10001}`), status: 400, code: "validation_failed"},
		{name: "taps beyond any number", sends: tap(`{"total_taps":1e400}`), status: 400, code: "validation_failed"},
		{name: "taps as an exponent", sends: tap(`{"total_taps":1e3}`), status: 400, code: "validation_failed", shows: map[string]string{"params.field": "total_taps"}},
		{name: "taps with a point", sends: tap(`{"total_taps":5.0}`), status: 400, code: "validation_failed", shows: map[string]string{"params.field": "total_taps", "params.problem": "must be a whole number of at most 64 bits, without point and exponent"}},
		{name: "an unknown field", sends: tap(`{"total_taps":1,"mcbk":1000}`), status: 400, code: "validation_failed"},
		{name: "the field in capitals", sends: tap(`{"TOTAL_TAPS":1}`), status: 400, code: "validation_failed"},
		{name: "an empty batch id", sends: tap(`{"total_taps":1,"batch_id":""}`), status: 400, code: "validation_failed"},
		{name: "a short batch id", sends: tap(`{"total_taps":1,"batch_id":"a:1"}`), status: 200, posts: []string{"house:taps>game 1000"}},
		{name: "a long batch id", sends: tap(`{"total_taps":1,"batch_id":"` + strings.Repeat("a", 65) + `"}`), status: 400, code: "validation_failed"},
		{name: "a strange batch id", sends: tap(`{"total_taps":1,"batch_id":"batch 0001"}`), status: 400, code: "validation_failed"},
		{name: "two values", sends: tap(`{"total_taps":1}{"total_taps":1}`), status: 400, code: "validation_failed"},
		{name: "16 KiB of nothing", sends: tap(`{"total_taps":1` + strings.Repeat(" ", 17<<10) + `}`), status: 413, code: "body_too_large"},
		{name: "two thousand levels", sends: tap(nested(2000)), status: 400, code: "validation_failed", shows: map[string]string{"params.problem": "is nested too deep"}},
		{name: "nine levels", sends: tap(nested(9)), status: 400, code: "validation_failed", shows: map[string]string{"params.problem": "is nested too deep"}},
		{name: "eight levels", sends: tap(nested(8)), status: 400, code: "validation_failed", shows: map[string]string{"params.problem": `property "a" is unsupported`}},
		{name: "brackets in a text", sends: tap(`{"total_taps":1,"batch_id":"\"[[[[[[[[["}`), status: 400, code: "validation_failed", shows: map[string]string{"params.field": "batch_id"}},
		{name: "another language", sends: update(`{"language":"ru"}`), status: 200, shows: map[string]string{"language": "ru"}},
		{name: "a language nobody speaks here", sends: update(`{"language":"de"}`), status: 400, code: "validation_failed"},
		{name: "no notifications", sends: update(`{"notifications":false}`), status: 200, shows: map[string]string{"notifications": "false"}},
		{name: "consent cannot be taken back", sends: update(`{"age_consent_accepted":false}`), status: 400, code: "validation_failed"},
		{name: "two wishes at once", sends: update(`{"language":"ru","notifications":false}`), status: 400, code: "validation_failed"},
		{name: "no wish", sends: update(`{}`), status: 400, code: "validation_failed"},
		{name: "no column is free to write", sends: update(`{"balance_game":1000000}`), status: 400, code: "validation_failed"},
		{name: "the season", sends: request{method: "GET", path: "/api/settings"}, status: 200, shows: map[string]string{
			"current_day": "1", "total_days": "90", "start_date": "2026-03-04T00:00:00Z", "server_time": "2026-03-04T12:00:00Z",
			"checkin_rewards": "[map[coins:1 points:10] map[coins:1 points:20] map[coins:1 points:30] map[coins:2 points:40] map[coins:2 points:50] map[coins:2 points:60] map[coins:3 points:100]]",
		}},
		{name: "the energy", sends: request{method: "GET", path: "/api/tap/energy-status"}, status: 200, shows: map[string]string{
			"current_energy": "1000", "energy_per_tap": "1", "total_roulette_spins": "0", "level_info.spins_to_next_level": "320", "level_info.is_max_level": "false",
		}},
		{name: "a mine while there is no tournament", sends: request{method: "POST", path: "/api/mines/mine", body: `{"taps":1}`}, status: 409, code: "tournament_not_active"},
		{name: "the other spelling of referral", sends: request{method: "GET", path: "/api/referral/"}, status: 200, shows: map[string]string{"total_referrals": "0", "hasMore": "false"}},
		{name: "an unknown call", sends: request{method: "GET", path: "/api/nothing"}, status: 404, code: "not_found"},
		{name: "a write to the page", sends: request{method: "POST", path: "/market"}, status: 405, code: "method_not_allowed", allows: "GET, HEAD"},
		{name: "a method nobody takes", sends: request{method: "DELETE", path: "/api/user/me"}, status: 405, code: "method_not_allowed", allows: "GET"},
	}
	onEachDatabase(t, func(t *testing.T, g *table) {
		for _, s := range stories {
			t.Run(s.name, func(t *testing.T) {
				g := g.in(t)
				id := modelstest.TelegramID()
				s.sends.launch = g.arrives(id)
				a := g.send(s.sends)
				if a.status != s.status || a.code() != s.code {
					t.Errorf("answered %d %s", a.status, a.body)
				}
				if allowed := a.header.Get("Allow"); allowed != s.allows {
					t.Errorf("%q is allowed, not %q", allowed, s.allows)
				}
				for path, want := range s.shows {
					if got := a.at(path); got != want {
						t.Errorf("%s is %s, not %s", path, got, want)
					}
				}
				if got := g.posted(id); !slices.Equal(got, s.posts) {
					t.Errorf("posted %v, not %v", got, s.posts)
				}
			})
		}
		modelstest.Sound(t, g.store)
	})
}

func TestInvalidLaunchDataAreRefused(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		now := g.clock.Now()
		good := launch(modelstest.TelegramID(), now)
		flipped := strings.Replace(good, "Ann", "Bob", 1)
		for name, c := range map[string]struct {
			raw  string
			code string
		}{
			"none":                   {"-", "init_data_missing"},
			"empty":                  {"", "init_data_missing"},
			"a changed byte":         {flipped, "init_data_invalid"},
			"another bot's":          {signedBy("99:another-bot", map[string]string{"user": `{"id":7}`}, now), "init_data_invalid"},
			"a longer hash":          {strings.Replace(good, "hash=", "hash=0", 1), "init_data_invalid"},
			"a day and a second old": {launch(1, now.Add(-24*time.Hour-time.Second)), "init_data_expired"},
			"a day old":              {launch(1, now.Add(-24*time.Hour)), ""},
			"61 seconds ahead":       {launch(1, now.Add(61*time.Second)), "init_data_invalid"},
			"60 seconds ahead":       {launch(1, now.Add(60*time.Second)), ""},
			"a key given twice":      {good + "&user=" + url.QueryEscape(`{"id":7}`), "init_data_invalid"},
			"no user":                {signed(map[string]string{"query_id": "A"}, now), "init_data_invalid"},
			"a bot":                  {signed(map[string]string{"user": `{"id":7,"is_bot":true}`}, now), "init_data_invalid"},
			"nobody":                 {signed(map[string]string{"user": `{"id":0}`}, now), "init_data_invalid"},
			"a user that is no JSON": {signed(map[string]string{"user": `{`}, now), "init_data_invalid"},
			"no date":                {strings.Replace(signed(map[string]string{"user": `{"id":7}`}, time.Unix(0, 0)), "auth_date=0", "", 1), "init_data_invalid"},
			"no hash":                {strings.Replace(good, "hash=", "hush=", 1), "init_data_invalid"},
			"too long":               {launch(1, now, "x", strings.Repeat("a", 4096)), "init_data_invalid"},
			"not a query":            {"%zz", "init_data_invalid"},
			"an odd start parameter": {launch(1, now, "start_param", "a\x7fb\"'"), ""},
		} {
			want := 401
			if c.code == "" {
				want = 200
			}
			a := g.send(request{method: "GET", path: "/api/user/me", launch: c.raw})
			if a.status != want || a.code() != c.code {
				t.Errorf("%s: %d %s", name, a.status, a.body)
			}
		}
		a := g.send(request{method: "GET", path: "/api/user/me", launch: "-", header: map[string]string{"X-Telegram-Init-Data": good}})
		if a.status != 200 {
			t.Errorf("in the other header: %d %s", a.status, a.body)
		}
		a = g.send(request{method: "GET", path: "/api/user/me?init_data=" + url.QueryEscape(good), launch: "-"})
		if a.code() != "init_data_missing" {
			t.Errorf("in the address of a call that is no tap sync: %d %s", a.status, a.body)
		}
	})
}

func TestLaunchDataCacheHasOneEntryPerPlayer(t *testing.T) {
	if n := api.CachedLaunches(map[string]int64{"a=1": 1, "a=%31": 1, "%61=1": 1, "b": 2}); n != 2 {
		t.Errorf("%d are cached of two players", n)
	}
}

func TestBeaconAndItsRetryCountOnce(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		id := modelstest.TelegramID()
		raw := g.arrives(id)
		body := `{"total_taps":7,"batch_id":"batch-0001"}`
		beacon := g.send(request{
			method: "POST", path: "/api/tap/perform-batch-tap?init_data=" + url.QueryEscape(raw), body: body, launch: "-",
			header: map[string]string{"Content-Type": "text/plain;charset=UTF-8"},
		})
		retry := g.send(request{method: "POST", path: "/api/tap/perform-batch-tap", body: body, launch: raw})
		if beacon.status != 200 || retry.body != beacon.body {
			t.Errorf("beacon %d %s, retry %d %s", beacon.status, beacon.body, retry.status, retry.body)
		}
		if got := g.posted(id); !slices.Equal(got, []string{"house:taps>game 7000"}) {
			t.Errorf("posted %v", got)
		}
		if strings.Contains(g.log.String(), "hash=") || strings.Contains(g.log.String(), "init_data=") {
			t.Error("launch data were logged")
		}
	})
}

func TestMalformedInvitationDoesNotBlockSignIn(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		for _, code := range []string{strings.Repeat("a", 65), "%F0%9F%92%B0", "a+b"} {
			if a := g.send(request{method: "GET", path: "/api/user/me?referral_code=" + code, launch: launch(modelstest.TelegramID(), g.clock.Now())}); a.status != 200 {
				t.Errorf("%s: %d %s", code, a.status, a.body)
			}
		}
	})
}

func TestWebAppFilesAndRoutes(t *testing.T) {
	g := serve(t, modelstest.Store(t, "sqlite"))
	for path, want := range map[string]int{
		"/": 200, "/tap": 200, "/no/such/route": 200, "/assets/app-1a.js": 200,
		"/assets/app-2b.js": 404, "/favicon.ico": 404, "/robots.txt": 404,
	} {
		a := g.send(request{method: "GET", path: path, launch: "-"})
		if a.status != want {
			t.Errorf("%s: %d", path, a.status)
		}
		if kept := strings.Contains(a.header.Get("Cache-Control"), "immutable"); kept != (path == "/assets/app-1a.js") {
			t.Errorf("%s: Cache-Control %q", path, a.header.Get("Cache-Control"))
		}
	}
}

func TestOnlyGetMeCreatesPlayers(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := launch(modelstest.TelegramID(), g.clock.Now())
		for _, r := range []request{
			{method: "GET", path: "/api/tap/energy-status", launch: raw},
			{method: "POST", path: "/api/tap/perform-batch-tap", body: `{"total_taps":1}`, launch: raw},
			{method: "PUT", path: "/api/user/update", body: `{"language":"ru"}`, launch: raw},
			{method: "PUT", path: "/api/user/update", body: `{"language":"ru"}`, launch: raw, header: map[string]string{"Idempotency-Key": "key-00001"}},
		} {
			if a := g.send(r); a.status != 404 || a.code() != "not_found" {
				t.Errorf("%s before /user/me: %d %s", r.path, a.status, a.body)
			}
		}
	})
}

func TestSettingsNeedNoPlayer(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		if a := g.send(request{method: "GET", path: "/api/settings", launch: launch(modelstest.TelegramID(), g.clock.Now())}); a.status != 200 {
			t.Errorf("answered %d %s", a.status, a.body)
		}
		if a := g.send(request{method: "GET", path: "/api/settings", launch: "-"}); a.status != 401 {
			t.Errorf("without launch data: %d %s", a.status, a.body)
		}
	})
}

func TestTappingNeedsConsentAndSeason(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		tap := func(raw string) answer {
			return g.send(request{method: "POST", path: "/api/tap/perform-batch-tap", body: `{"total_taps":1}`, launch: raw})
		}
		raw := launch(modelstest.TelegramID(), g.clock.Now())
		g.send(request{method: "GET", path: "/api/user/me", launch: raw})
		if a := tap(raw); a.status != 403 || a.code() != "age_consent_required" {
			t.Errorf("without consent: %d %s", a.status, a.body)
		}
		for path, body := range map[string]string{
			"user/checkin": "", "user/double-reward": "", "prediction/claim": `{"prediction_id":1}`, "prediction/double": `{"prediction_id":1}`,
			"tasks/claim": `{"user_task_id":1}`, "roulette/spin": `{"is_golden_spin_requested":false}`, "roulette/ad": "",
			"roulette/claim-reward": `{"spin_id":1}`, "roulette/double-reward": `{"spin_id":1}`,
			"roulette/claim-chest-reward": `{"spin_id":1,"watch_ad":true}`, "circle-ads/claim": "", "ads/start": `{"purpose":"daily"}`,
			"ads/complete": `{"ticket":"` + strings.Repeat("a", 32) + `"}`, "token/purchase": `{"ton_amount":0}`,
			"mines/create-payment": `{"level":1}`,
			"mines/unlock":         `{"level":1,"transaction_hash":"a"}`,
			"mines/mine":           `{"taps":1}`,
			"user/card":            `{"of":"season"}`,
		} {
			g.clock.Step(5 * time.Second)
			if a := g.send(request{method: "POST", path: "/api/" + path, body: body, launch: raw}); a.status != 403 || a.code() != "age_consent_required" {
				t.Errorf("%s without consent: %d %s", path, a.status, a.body)
			}
		}
		id := modelstest.TelegramID()
		g.arrives(id)
		g.clock.Step(90 * 24 * time.Hour)
		if a := tap(launch(id, g.clock.Now())); a.status != 409 || a.code() != "season_over" {
			t.Errorf("after the season: %d %s", a.status, a.body)
		}
		if a := g.send(request{method: "GET", path: "/api/settings", launch: launch(id, g.clock.Now())}); a.at("current_day") != "90" {
			t.Errorf("settings after the season: %s", a.body)
		}
	})
}

func TestNothingIsEarnedBeforeTheSeason(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		g := serve(t, store, func(o *api.Options) { o.Season.Start = modelstest.Noon.Add(time.Hour) })
		id := modelstest.TelegramID()
		a := g.send(request{method: "POST", path: "/api/tap/perform-batch-tap", body: `{"total_taps":1}`, launch: g.arrives(id)})
		if a.status != 409 || a.code() != "season_not_started" || len(g.posted(id)) != 0 {
			t.Errorf("answered %d %s, posted %v", a.status, a.body, g.posted(id))
		}
	})
}

func TestSkewedClockRefusesWritesAndAllowsReads(t *testing.T) {
	g := serve(t, modelstest.Store(t, "postgres"))
	id := modelstest.TelegramID()
	raw := g.arrives(id)
	for _, c := range []struct {
		off    time.Duration
		status int
		code   string
	}{{time.Hour, 503, "try_again"}, {0, 200, ""}} {
		modelstest.ComparedClocks(t, g.store, func() time.Time { return time.Now().Add(c.off) })
		for _, write := range []request{
			{method: "POST", path: "/api/tap/perform-batch-tap", body: `{"total_taps":1,"batch_id":"batch-0001"}`, launch: raw},
			{method: "PUT", path: "/api/user/update", body: `{"language":"ru"}`, launch: raw, header: map[string]string{"Idempotency-Key": "key-00001"}},
		} {
			a := g.send(write)
			if a.status != c.status || a.code() != c.code || (c.code != "") != (a.header.Get("Retry-After") == "1") {
				t.Errorf("%s off, %s: %d %s, Retry-After %q", c.off, write.path, a.status, a.body, a.header.Get("Retry-After"))
			}
		}
		if a := g.send(request{method: "GET", path: "/api/user/me", launch: raw}); a.status != 200 {
			t.Errorf("%s off: reading is answered %d", c.off, a.status)
		}
	}
	if got := g.posted(id); !slices.Equal(got, []string{"house:taps>game 1000"}) {
		t.Errorf("posted %v", got)
	}
}

func TestSignedReferralCodeBeatsQuery(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		signedFriend, otherFriend := modelstest.Player(t, g.store), modelstest.Player(t, g.store)
		id := modelstest.TelegramID()
		for _, raw := range []string{
			launch(id, g.clock.Now(), "start_param", signedFriend.ReferralCode),
			launch(id, g.clock.Now(), "start_param", otherFriend.ReferralCode),
		} {
			g.send(request{method: "GET", path: "/api/user/me?referral_code=" + otherFriend.ReferralCode, launch: raw})
		}
		player := modelstest.Must(g.store.Players.PlayerByTelegramID(t.Context(), id))(t)
		if player.ReferrerID == nil || *player.ReferrerID != signedFriend.ID {
			t.Errorf("invited by %v, not %d", player.ReferrerID, signedFriend.ID)
		}
	})
}

// A player who used a direct link never wrote to the bot; launch data may allow writing.
func TestLaunchDataSetReachability(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		const id = 4243
		reaches := func(user string) int64 {
			t.Helper()
			a := g.send(request{method: "GET", path: "/api/user/me", launch: launch(1, g.clock.Now(), "user", user)})
			if a.status != http.StatusOK {
				t.Fatalf("answered %d", a.status)
			}
			return modelstest.Must(g.store.Outbox.BroadcastAudience(t.Context()))(t)
		}
		before := modelstest.Must(g.store.Outbox.BroadcastAudience(t.Context()))(t)
		modelstest.NoError(t, g.store.Outbox.SetReach(t.Context(), id, false, g.clock.Now()))
		g.clock.Step(time.Second)
		if n := reaches(`{"id":4243,"first_name":"Ann"}`); n != before {
			t.Errorf("they never allowed it, and the audience grew from %d to %d", before, n)
		}
		if n := reaches(`{"id":4243,"first_name":"Ann","allows_write_to_pm":true}`); n != before+1 {
			t.Errorf("they allow it, and the audience is %d after %d", n, before)
		}
	})
}

func TestNamesAndPicturesAreSanitized(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		for picture, want := range map[string]string{
			"https://t.me/i/userpic/320/x.svg":      "https://t.me/i/userpic/320/x.svg",
			"https://cdn4.telesco.pe/file/x.jpg":    "https://cdn4.telesco.pe/file/x.jpg",
			"https://cdn5.cdn-telegram.org/x.jpg":   "https://cdn5.cdn-telegram.org/x.jpg",
			"https://cdn1.telegram-cdn.org/x.jpg":   "https://cdn1.telegram-cdn.org/x.jpg",
			"https://evil.example/x.svg":            "",
			"javascript:alert(1)":                   "",
			"http://t.me/x.svg":                     "",
			"https://t.me@evil.example/x.svg":       "",
			"https://eviltelegram.org/x.svg":        "",
			"http://localhost:8090/avatar/1.svg":    "",
			"https://t.me:8443/i/userpic/320/x.svg": "",
		} {
			user := `{"id":4242,"first_name":"A\u0000n\u0007\u202en <b>","photo_url":"` + picture + `"}`
			a := g.send(request{method: "GET", path: "/api/user/me", launch: launch(1, g.clock.Now(), "user", user)})
			if a.at("photo_url") != want || a.at("first_name") != "Ann <b>" {
				t.Errorf("%s became %q of %q", picture, a.at("photo_url"), a.at("first_name"))
			}
		}
	})
}

func TestInvisibleNamesAreEmpty(t *testing.T) {
	g := serve(t, modelstest.Store(t, "sqlite"))
	for _, name := range []string{"\u3164", "\u2800 \u200b", "\u0301\u0301", "\u115f\uffa0", "\u00ad"} {
		user := `{"id":4244,"first_name":"` + name + `","username":"ann"}`
		a := g.send(request{method: "GET", path: "/api/user/me", launch: launch(1, g.clock.Now(), "user", user)})
		if a.status != 200 || a.at("first_name") != "" {
			t.Errorf("%q arrives as %q: %d", name, a.at("first_name"), a.status)
		}
	}
}

func TestPanicIsInternalErrorOrAbortsResponse(t *testing.T) {
	g := serve(t, modelstest.Store(t, "sqlite"), func(o *api.Options) {
		o.WebhookPath = "/hook"
		o.Webhook = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.RawQuery == "late" {
				_, _ = io.WriteString(w, "half of")
			}
			panic("a mistake")
		})
	})
	a := g.send(request{method: "POST", path: "/hook", launch: "-"})
	if a.status != 500 || a.code() != "internal" || strings.Contains(a.body, "mistake") {
		t.Errorf("answered %d %s", a.status, a.body)
	}
	response, err := g.server.Client().Post(g.server.URL+"/hook?late", "application/json", nil)
	if err == nil {
		_, err = io.ReadAll(response.Body)
		_ = response.Body.Close()
	}
	if err == nil {
		t.Error("half an answer looks whole")
	}
	g.server.Close() // waits for the log
	if n := strings.Count(g.log.String(), "panic: a mistake"); n != 2 {
		t.Errorf("told %d times: %s", n, g.log.String())
	}
}

// A disconnected client is no warning.
func TestClientDisconnectIsNoWarning(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		gone, hangUp := context.WithCancel(t.Context())
		hangUp()
		call := httptest.NewRequest(http.MethodGet, "/api/user/me", nil).WithContext(gone)
		call.Header.Set("Authorization", "tma "+launch(modelstest.TelegramID(), g.clock.Now()))
		g.server.Config.Handler.ServeHTTP(httptest.NewRecorder(), call)
		if told := g.log.String(); !strings.Contains(told, "level=DEBUG msg=\"request must be tried again\"") || strings.Contains(told, "level=WARN") {
			t.Errorf("told\n%s", told)
		}
	})
}

func TestConcurrencyLimitExemptsHealthAndPages(t *testing.T) {
	const few = 8
	address := modelstest.Address(t, "postgres")
	g := serve(t, modelstest.OpenStore(t, address), func(o *api.Options) { o.InFlight = few })
	raw := g.arrives(modelstest.TelegramID())
	release := modelstest.HoldPlayers(t, address)
	enough, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for range few {
		running.Go(func() {
			for enough.Err() == nil { // with retries, so that a slow machine fills up too
				g.send(request{method: "POST", path: "/api/tap/perform-batch-tap", body: `{"total_taps":1}`, launch: raw})
			}
		})
	}
	answered := func() answer { return g.send(request{method: "GET", path: "/api/config", launch: "-"}) }
	deadline := time.Now().Add(20 * time.Second)
	for answered().status != 503 {
		if time.Now().After(deadline) {
			t.Fatal("the server takes any number of requests at once")
		}
	}
	if a := answered(); a.code() != "overloaded" || a.header.Get("Retry-After") != "1" {
		t.Errorf("answered %d %s, Retry-After %q", a.status, a.body, a.header.Get("Retry-After"))
	}
	for _, path := range []string{"/health/live", "/"} {
		if a := g.send(request{method: "GET", path: path, launch: "-"}); a.status != 200 {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	stop()
	release()
	running.Wait()
	if a := answered(); a.status != 200 {
		t.Errorf("afterwards: %d %s", a.status, a.body)
	}
}
