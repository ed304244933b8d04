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
		{name: "taps with a point", sends: tap(`{"total_taps":5.0}`), status: 400, code: "validation_failed", shows: map[string]string{"params.field": "total_taps", "params.problem": "must be a whole number of at most 64 bits, without point and exponent"}},
		{name: "the field in capitals", sends: tap(`{"TOTAL_TAPS":1}`), status: 400, code: "validation_failed"},
		{name: "an empty batch id", sends: tap(`{"total_taps":1,"batch_id":""}`), status: 400, code: "validation_failed"},
		{name: "a short batch id", sends: tap(`{"total_taps":1,"batch_id":"a:1"}`), status: 200, posts: []string{"house:taps>game 1000"}},
		{name: "a long batch id", sends: tap(`{"total_taps":1,"batch_id":"` + strings.Repeat("a", 65) + `"}`), status: 400, code: "validation_failed"},
		{name: "a strange batch id", sends: tap(`{"total_taps":1,"batch_id":"batch 0001"}`), status: 400, code: "validation_failed"},
		{name: "nine levels", sends: tap(nested(9)), status: 400, code: "validation_failed", shows: map[string]string{"params.problem": "is nested too deep"}},
		{name: "eight levels", sends: tap(nested(8)), status: 400, code: "validation_failed", shows: map[string]string{"params.problem": `property "a" is unsupported`}},
		{name: "brackets in a text", sends: tap(`{"total_taps":1,"batch_id":"\"[[[[[[[[["}`), status: 400, code: "validation_failed", shows: map[string]string{"params.field": "batch_id"}},
		{name: "another language", sends: update(`{"language":"ru"}`), status: 200, shows: map[string]string{"language": "ru"}},
		{name: "no notifications", sends: update(`{"notifications":false}`), status: 200, shows: map[string]string{"notifications": "false"}},
		{name: "consent cannot be taken back", sends: update(`{"age_consent_accepted":false}`), status: 400, code: "validation_failed"},
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
	onEachDatabase(t, func(_ *testing.T, g *table) {
		now := g.clock.Now()
		good := launch(modelstest.TelegramID(), now)
		for name, raw := range map[string]string{
			"a changed byte":         strings.Replace(good, "Ann", "Bob", 1),
			"another bot's":          signedBy("99:another-bot", map[string]string{"user": `{"id":7}`}, now),
			"a longer hash":          strings.Replace(good, "hash=", "hash=0", 1),
			"61 seconds ahead":       launch(1, now.Add(61*time.Second)),
			"a key given twice":      good + "&user=" + url.QueryEscape(`{"id":7}`),
			"no user":                signed(map[string]string{"query_id": "A"}, now),
			"a bot":                  signed(map[string]string{"user": `{"id":7,"is_bot":true}`}, now),
			"nobody":                 signed(map[string]string{"user": `{"id":0}`}, now),
			"a user that is no JSON": signed(map[string]string{"user": `{`}, now),
			"no date":                strings.Replace(signed(map[string]string{"user": `{"id":7}`}, time.Unix(0, 0)), "auth_date=0", "", 1),
			"no hash":                strings.Replace(good, "hash=", "hush=", 1),
			"too long":               launch(1, now, "x", strings.Repeat("a", 4096)),
			"not a query":            "%zz",
		} {
			g.refuses(name, request{method: "GET", path: "/api/user/me", launch: raw}, 401, "init_data_invalid")
		}
		for _, raw := range []string{"-", ""} {
			g.asks(raw, "GET", "/user/me", "", 401, map[string]string{"code": "init_data_missing"})
		}
		g.asks(launch(1, now.Add(-24*time.Hour-time.Second)), "GET", "/user/me", "", 401, map[string]string{"code": "init_data_expired"})
		for _, raw := range []string{launch(1, now.Add(-24*time.Hour)), launch(1, now.Add(60*time.Second)), launch(1, now, "start_param", "a\x7fb\"'")} {
			g.asks(raw, "GET", "/user/me", "", 200, nil)
		}
		g.answers("in the other header", request{method: "GET", path: "/api/user/me", launch: "-", header: map[string]string{"X-Telegram-Init-Data": good}}, 200, nil)
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
		g.digs(raw)
		for path, body := range map[string]string{
			"/api/tap/perform-batch-tap": `{"total_taps":7,"batch_id":"batch-0001"}`, "/api/mines/mine": `{"taps":7,"batch_id":"batch-0002"}`,
		} {
			beacon := g.send(request{
				method: "POST", path: path + "?init_data=" + url.QueryEscape(raw), body: body, launch: "-",
				header: map[string]string{"Content-Type": "text/plain;charset=UTF-8"},
			})
			if retry := g.send(request{method: "POST", path: path, body: body, launch: raw}); beacon.status != 200 || retry.body != beacon.body {
				t.Errorf("beacon %d %s, retry %d %s", beacon.status, beacon.body, retry.status, retry.body)
			}
		}
		got := slices.Sorted(slices.Values(g.posted(id)))
		if !slices.Equal(got, []string{"house:mines>mine 0", "house:mines>mine 1750000", "house:taps>game 7000"}) {
			t.Errorf("posted %v", got)
		}
		if strings.Contains(g.log.String(), "hash=") || strings.Contains(g.log.String(), "init_data=") {
			t.Error("launch data were logged")
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
	onEachDatabase(t, func(_ *testing.T, g *table) {
		raw := launch(modelstest.TelegramID(), g.clock.Now())
		wish := request{method: "PUT", path: "/api/user/update", body: `{"language":"ru"}`, launch: raw}
		for _, r := range []request{
			{method: "GET", path: "/api/tap/energy-status", launch: raw},
			{method: "POST", path: "/api/tap/perform-batch-tap", body: `{"total_taps":1}`, launch: raw},
			wish, wish.with("Idempotency-Key", modelstest.Key(1), true),
		} {
			g.refuses("before /user/me", r, 404, "not_found")
		}
		g.asks(raw, "GET", "/settings", "", 200, nil)
	})
}

func TestTappingNeedsConsentAndSeason(t *testing.T) {
	onEachDatabase(t, func(_ *testing.T, g *table) {
		raw := launch(modelstest.TelegramID(), g.clock.Now())
		g.asks(raw, "GET", "/user/me", "", 200, nil)
		for path, body := range map[string]string{
			"/tap/perform-batch-tap": `{"total_taps":1}`, "/user/checkin": "", "/user/double-reward": "", "/prediction/claim": `{"prediction_id":1}`,
			"/prediction/double": `{"prediction_id":1}`, "/tasks/claim": `{"user_task_id":1}`, "/roulette/spin": `{"is_golden_spin_requested":false}`,
			"/roulette/ad": "", "/roulette/claim-reward": `{"spin_id":1}`, "/roulette/double-reward": `{"spin_id":1}`,
			"/roulette/claim-chest-reward": `{"spin_id":1,"watch_ad":true}`, "/circle-ads/claim": "", "/ads/start": `{"purpose":"daily"}`,
			"/ads/complete": `{"ticket":"` + strings.Repeat("a", 32) + `"}`, "/token/purchase": `{"ton_amount":0}`, "/mines/create-payment": `{"level":1}`,
			"/mines/unlock": `{"level":1,"transaction_hash":"a"}`, "/mines/mine": `{"taps":1}`, "/user/card": `{"of":"season"}`,
		} {
			g.clock.Step(5 * time.Second)
			g.asks(raw, "POST", path, body, 403, map[string]string{"code": "age_consent_required"})
		}
		id := modelstest.TelegramID()
		g.arrives(id)
		g.clock.Step(90 * 24 * time.Hour)
		g.asks(launch(id, g.clock.Now()), "POST", "/tap/perform-batch-tap", `{"total_taps":1}`, 409, map[string]string{"code": "season_over"})
		g.asks(launch(id, g.clock.Now()), "GET", "/settings", "", 200, map[string]string{"current_day": "90"})
	})
}

func TestNothingIsEarnedBeforeTheSeason(t *testing.T) {
	g := serve(t, modelstest.Store(t, "sqlite"), func(o *api.Options) { o.Season.Start = modelstest.Noon.Add(time.Hour) })
	raw := g.arrives(modelstest.TelegramID())
	g.asks(raw, "POST", "/tap/perform-batch-tap", `{"total_taps":1}`, 409, map[string]string{"code": "season_not_started"})
}

func TestSkewedClockRefusesWritesAndAllowsReads(t *testing.T) {
	g := serve(t, modelstest.Store(t, "postgres"))
	id := modelstest.TelegramID()
	raw := g.arrives(id)
	wish := request{method: "PUT", path: "/api/user/update", body: `{"language":"ru"}`, launch: raw}
	for _, c := range []struct {
		off              time.Duration
		status           int
		code, retryAfter string
	}{{time.Hour, 503, "try_again", "1"}, {0, 200, "<nil>", ""}} {
		modelstest.ComparedClocks(t, g.store, func() time.Time { return time.Now().Add(c.off) })
		for _, write := range []request{
			{method: "POST", path: "/api/tap/perform-batch-tap", body: `{"total_taps":1,"batch_id":"batch-0001"}`, launch: raw},
			wish.with("Idempotency-Key", modelstest.Key(1), true),
		} {
			if a := g.answers(c.off.String()+" off", write, c.status, map[string]string{"code": c.code}); a.header.Get("Retry-After") != c.retryAfter {
				t.Errorf("%s off, %s: Retry-After %q", c.off, write.path, a.header.Get("Retry-After"))
			}
		}
		g.asks(raw, "GET", "/user/me", "", 200, nil)
	}
	if got := g.posted(id); !slices.Equal(got, []string{"house:taps>game 1000"}) {
		t.Errorf("posted %v", got)
	}
}

func TestSignedReferralCodeBeatsQuery(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		signedFriend, otherFriend := modelstest.Player(t, g.store), modelstest.Player(t, g.store)
		id, now := modelstest.TelegramID(), g.clock.Now()
		for _, code := range []string{signedFriend.ReferralCode, otherFriend.ReferralCode} {
			g.asks(launch(id, now, "start_param", code), "GET", "/user/me?referral_code="+otherFriend.ReferralCode, "", 200, nil)
		}
		if by := g.player(launch(id, now)).ReferrerID; by == nil || *by != signedFriend.ID {
			t.Errorf("invited by %v, not %d", by, signedFriend.ID)
		}
		for _, malformed := range []string{strings.Repeat("a", 65), "%F0%9F%92%B0", "a+b"} { // blocks no sign-in
			g.asks(launch(modelstest.TelegramID(), now), "GET", "/user/me?referral_code="+malformed, "", 200, nil)
		}
	})
}

// A player who used a direct link never wrote to the bot; launch data may allow writing.
func TestLaunchDataSetReachability(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		modelstest.NoError(t, g.store.Outbox.SetReach(t.Context(), 4243, false, g.clock.Now()))
		g.clock.Step(time.Second)
		for i, user := range []string{`{"id":4243,"first_name":"Ann"}`, `{"id":4243,"first_name":"Ann","allows_write_to_pm":true}`} {
			g.asks(launch(1, g.clock.Now(), "user", user), "GET", "/user/me", "", 200, nil)
			if n := modelstest.Must(g.store.Outbox.BroadcastAudience(t.Context()))(t); n != int64(i) {
				t.Errorf("%s: an audience of %d", user, n)
			}
		}
	})
}

func TestNamesAndPicturesAreSanitized(t *testing.T) {
	g := serve(t, modelstest.Store(t, "sqlite"))
	shows := func(name, picture, wantName, wantPicture string) {
		t.Helper()
		user := `{"id":4242,"first_name":"` + name + `","photo_url":"` + picture + `"}`
		g.asks(launch(1, g.clock.Now(), "user", user), "GET", "/user/me", "", 200, map[string]string{"first_name": wantName, "photo_url": wantPicture})
	}
	for _, picture := range []string{
		"https://t.me/i/userpic/320/x.svg", "https://cdn4.telesco.pe/file/x.jpg", "https://cdn5.cdn-telegram.org/x.jpg", "https://cdn1.telegram-cdn.org/x.jpg",
	} {
		shows(`A\u0000n\u0007\u202en <b>`, picture, "Ann <b>", picture)
	}
	for _, picture := range []string{
		"https://evil.example/x.svg", "javascript:alert(1)", "http://t.me/x.svg", "https://t.me@evil.example/x.svg", "https://eviltelegram.org/x.svg",
		"http://localhost:8090/avatar/1.svg", "https://t.me:8443/i/userpic/320/x.svg",
	} {
		shows("\u2800 \u200b", picture, "", "") // an invisible name
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
	deadline := time.Now().Add(20 * time.Second)
	for g.send(request{method: "GET", path: "/api/config", launch: "-"}).status != 503 {
		if time.Now().After(deadline) {
			t.Fatal("the server takes any number of requests at once")
		}
	}
	if a := g.asks("-", "GET", "/config", "", 503, map[string]string{"code": "overloaded"}); a.header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After %q", a.header.Get("Retry-After"))
	}
	for _, path := range []string{"/health/live", "/"} {
		g.answers("meanwhile", request{method: "GET", path: path, launch: "-"}, 200, nil)
	}
	stop()
	release()
	running.Wait()
	g.asks("-", "GET", "/config", "", 200, nil)
}
