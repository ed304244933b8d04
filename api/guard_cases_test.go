package api_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"mcbk/api"
	"mcbk/models/modelstest"
)

type problems []string

func (p *problems) add(format string, args ...any) { *p = append(*p, fmt.Sprintf(format, args...)) }

// changed adds unexpected changes.
func (p *problems) changed(g *table, before modelstest.Contents) {
	g.t.Helper()
	if tables := g.contents(g.t).Changed(before); len(tables) > 0 {
		p.add("changed %v", tables)
	}
}

// plain is a well-formed call of the route, which need not succeed.
func (r route) plain(launch string) request {
	q := request{method: r.method, path: r.path, launch: launch}
	for _, p := range r.parameters {
		value := fmt.Sprint(smallest(p.Value.Schema.Value))
		switch {
		case p.Value.In == openapi3.ParameterInPath:
			q.path = strings.ReplaceAll(q.path, ":"+p.Value.Name, url.PathEscape(value))
		case p.Value.In == openapi3.ParameterInQuery && p.Value.Required:
			q = q.asking(p.Value.Name, value)
		}
	}
	if body := r.body(); body != nil {
		q.body = text(smallest(body))
	}
	return q
}

// good is a successful call of a new player; ok is false without an example.
func (r route) good(g *table, launch, key string) (q request, ok bool) {
	e, known := examples[r.id()]
	switch {
	case known && e.good != nil:
		q = e.good(g, launch, key)
	case r.isWrite() || strings.Contains(r.path, ":"):
		return request{}, false
	default:
		q = r.plain(launch)
	}
	q.launch = launch
	return q.with("Idempotency-Key", key, r.isWrite()), true
}

// asking adds a query parameter to a request.
func (q request) asking(name, value string) request {
	separator := "?"
	if strings.Contains(q.path, "?") {
		separator = "&"
	}
	q.path += separator + name + "=" + url.QueryEscape(value)
	return q
}

// with adds a header to a request, if not empty.
func (q request) with(name, value string, so bool) request {
	q.header = maps.Clone(q.header)
	if q.header == nil {
		q.header = map[string]string{}
	}
	if so {
		q.header[name] = value
	}
	return q
}

const noExample = "nobody has said how a call succeeds: give an example of the operation in a guard_*_test.go, as guard_user_test.go does"

// withWrongLaunchData sends no, forged, expired and future launch data, in each place that accepts them.
func withWrongLaunchData(g *table, r route) (found []string) {
	var wrong problems
	before := g.contents(g.t)
	id, now := modelstest.TelegramID(), g.clock.Now()
	honest := launch(id, now)
	for name, c := range map[string]struct{ raw, code string }{
		"no":                    {"", "init_data_missing"},
		"changed":               {strings.Replace(honest, "Ann", "Bob", 1), "init_data_invalid"},
		"another bot's":         {signedBy("99:another-bot", map[string]string{"user": fmt.Sprintf(`{"id":%d}`, id)}, now), "init_data_invalid"},
		"a day and a second's":  {launch(id, now.Add(-24*time.Hour-time.Second)), "init_data_expired"},
		"the next minute's":     {launch(id, now.Add(61*time.Second)), "init_data_invalid"},
		"unsigned":              {fmt.Sprintf("user=%%7B%%22id%%22%%3A%d%%7D&auth_date=%d", id, now.Unix()), "init_data_invalid"},
		"twice the same user's": {honest + "&user=" + url.QueryEscape(`{"id":7}`), "init_data_invalid"},
	} {
		q := r.plain("-").with("Idempotency-Key", modelstest.Key(1), r.isWrite())
		inAddressCode := "init_data_missing"
		if r.takesLaunchDataInAddress() {
			inAddressCode = c.code
		}
		for place, sent := range map[string]struct {
			request
			code string
		}{
			"Authorization":        {q.with("Authorization", "tma "+c.raw, true), c.code},
			"X-Telegram-Init-Data": {q.with("X-Telegram-Init-Data", c.raw, true), c.code},
			"the address":          {q.asking("init_data", c.raw), inAddressCode},
		} {
			if a := g.send(sent.request); a.status != 401 || a.code() != sent.code {
				wrong.add("%s launch data in %s: %d %s", name, place, a.status, a.body)
			}
		}
	}
	if !r.takesLaunchDataInAddress() {
		if a := g.send(r.plain("-").asking("init_data", honest)); a.code() != "init_data_missing" {
			wrong.add("good launch data in the address: %d %s", a.status, a.body)
		}
	}
	wrong.changed(g, before)
	return wrong
}

// takesLaunchDataInAddress reports whether the contract accepts launch data in the query, for a page-exit beacon.
func (r route) takesLaunchDataInAddress() bool {
	if r.operation == nil || r.operation.Security == nil {
		return false
	}
	return slices.ContainsFunc(*r.operation.Security, func(s openapi3.SecurityRequirement) bool {
		_, ok := s["launchDataQuery"]
		return ok
	})
}

// withAnothersID sends one player's IDs in the name of another.
func withAnothersID(g *table, r route) (found []string) {
	var wrong problems
	owner, other := g.arrives(modelstest.TelegramID()), g.arrives(modelstest.TelegramID())
	q, ok := r.good(g, owner, modelstest.Key(1))
	if !ok {
		return []string{noExample}
	}
	before := g.contents(g.t)
	q.launch = other
	if a := g.send(q); a.status != 404 || a.code() != "not_found" {
		wrong.add("what is another's: %d %s", a.status, a.body)
	}
	wrong.changed(g, before)
	q.launch = owner
	if a := g.send(q); a.status > 299 {
		wrong.add("not even its owner's: %d %s", a.status, a.body)
	}
	return wrong
}

// withBadInput sends violations of the contract.
func withBadInput(g *table, r route) (found []string) {
	var wrong problems
	raw := g.arrives(modelstest.TelegramID())
	before := g.contents(g.t)
	refused := func(name string, q request, status int, code string) {
		if a := g.send(q); a.status != status || a.code() != code {
			wrong.add("%s: %d %s", name, a.status, a.body)
		}
	}
	whole := r.plain(raw)
	if r.id() == "rewardAd" { // its errors reveal nothing
		whole = whole.asking("key", adsSecret)
	}
	large := whole
	large.body += strings.Repeat(" ", int(api.MaxBodyOf(r.id()))+1)
	refused("a long body", large, 413, "body_too_large")
	if r.isWrite() {
		for name, key := range map[string]string{"a short key": "short", "a long key": strings.Repeat("k", 65), "a strange key": "key 00001"} {
			refused(name, whole.with("Idempotency-Key", key, true), 400, "validation_failed")
		}
	}
	if r.operation != nil && (r.operation.Security == nil || len(*r.operation.Security) > 0) { // public calls have other senders than the app
		for name, text := range map[string]string{"a broken escape": "x=%zz", "a semicolon": "x=1;y=2"} {
			garbled := whole
			garbled.path, _, _ = strings.Cut(garbled.path, "?")
			garbled.path += "?" + text
			refused(name, garbled, 400, "validation_failed")
		}
	}
	for name, q := range r.badParameters(whole) {
		refused(name, q, 400, "validation_failed")
	}
	if schema := r.body(); schema != nil {
		bodies, lax := wrongBodies(schema)
		for _, field := range lax {
			wrong.add("%s may be anything", field)
		}
		for name, body := range bodies {
			q := whole
			q.body = body
			refused(name, q, 400, codeFor(schema, name))
		}
		refused("a form", whole.with("Content-Type", "application/x-www-form-urlencoded", true), 415, "unsupported_media_type")
		refused("a compressed body", whole.with("Content-Encoding", "gzip", true), 415, "unsupported_media_type")
	}
	if schema := r.body(); schema == nil && r.operation != nil && whole.method != "GET" {
		for name, body := range map[string]string{"a field": `{"amount":1}`, "a list": `[]`, "null": `null`, "half an object": `{`} {
			q := whole
			q.body = body
			refused(name, q, 400, "validation_failed")
		}
		q := whole.with("Content-Type", "application/x-www-form-urlencoded", true)
		q.body = "a=b"
		refused("a form", q, 415, "unsupported_media_type")
	}
	wrong.changed(g, before)
	return wrong
}

// codeFor is the code that refuses a wrong body: the contract may define one for the field.
func codeFor(schema *openapi3.Schema, what string) string {
	field, _, isWrong := strings.Cut(what, " is ")
	if p := schema.Properties[field]; isWrong && p != nil {
		if own, ok := p.Value.Extensions["x-refusal"].(string); ok {
			return own
		}
	}
	return "validation_failed"
}

// badParameters are requests with one invalid parameter in the path or the query.
func (r route) badParameters(whole request) map[string]request {
	const nonsense = "x!"
	bad := map[string]request{}
	for _, p := range r.parameters {
		schema, name := p.Value.Schema.Value, p.Value.Name
		if schema.Type.Is("string") && schema.VisitJSON(nonsense) == nil {
			continue // any text is valid
		}
		q := whole
		switch p.Value.In {
		case openapi3.ParameterInQuery:
			at, query, _ := strings.Cut(whole.path, "?")
			values, _ := url.ParseQuery(query) //nolint:errcheck // made by plain
			values.Set(name, nonsense)
			q.path = at + "?" + values.Encode()
		case openapi3.ParameterInPath:
			q.path = strings.ReplaceAll(r.path, ":"+name, url.PathEscape(nonsense))
		default:
			continue
		}
		bad["a bad "+name] = q
	}
	return bad
}

// tenTimes sends a good call ten times.
func tenTimes(g *table, r route) (found []string) {
	var wrong problems
	q, ok := r.good(g, g.arrives(modelstest.TelegramID()), modelstest.Key(1))
	if !ok {
		return []string{noExample}
	}
	before := g.contents(g.t)
	first := g.send(q)
	if first.status > 299 {
		wrong.add("not even once: %d %s", first.status, first.body)
	}
	after := g.contents(g.t)
	if r.isWrite() && len(after.Changed(before)) == 0 {
		wrong.add("the example changes nothing")
	}
	for i := range 9 {
		if again := g.send(q); again.status != first.status || again.body != first.body {
			wrong.add("time %d: %d %s, the first %d %s", i+2, again.status, again.body, first.status, first.body)
		}
	}
	wrong.changed(g, after)
	return wrong
}

// fiftyAtOnce sends fifty concurrent copies of a good call, which must add as many rows as one; then fifty calls with their own keys,
// which may be refused but not fail.
func fiftyAtOnce(g *table, r route) (found []string) {
	var wrong problems
	alone, crowded := g.arrives(modelstest.TelegramID()), g.arrives(modelstest.TelegramID())
	single, ok := r.good(g, alone, modelstest.Key(1))
	if !ok {
		return []string{noExample}
	}
	copied, _ := r.good(g, crowded, modelstest.Key(1))
	others := make([]request, 50)
	for i := range others {
		others[i], _ = r.good(g, crowded, modelstest.Key(2+i))
	}

	before := g.contents(g.t)
	g.send(single)
	once := g.contents(g.t)
	answers := g.sendAtOnce(slices.Repeat([]request{copied}, 50))
	for _, a := range answers {
		if a.status > 299 || a.body != answers[0].body {
			wrong.add("one of the copies: %d %s, another %d %s", a.status, a.body, answers[0].status, answers[0].body)
		}
	}
	after := g.contents(g.t)
	if got, want := after.Added(once), once.Added(before); !maps.Equal(got, want) {
		wrong.add("fifty copies added rows %v, one call %v", got, want)
	}
	if tables := after.Changed(once); !r.isWrite() && len(tables) > 0 && len(once.Changed(before)) == 0 {
		wrong.add("changed %v", tables)
	}
	for _, a := range g.sendAtOnce(others) {
		if a.status >= 500 || (a.status >= 400 && !r.isWrite()) {
			wrong.add("one of fifty calls: %d %s", a.status, a.body)
		}
	}
	report, err := g.store.Audit.Verify(g.t.Context(), modelstest.Season, g.clock.Now())
	if broken := report.Broken(); err != nil || len(broken) > 0 {
		wrong.add("verify: %v, %v", broken, err)
	}
	return wrong
}

// sendAtOnce sends all requests concurrently, alternating between the processes.
func (g *table) sendAtOnce(all []request) []answer {
	g.t.Helper()
	processes := []*table{g}
	if g.twin != nil {
		processes = append(processes, g.twin.in(g.t))
	}
	answers := make([]answer, len(all))
	gate := make(chan struct{})
	var running sync.WaitGroup
	for i, q := range all {
		running.Go(func() {
			<-gate
			answers[i] = processes[i%len(processes)].send(q)
		})
	}
	close(gate)
	running.Wait()
	return answers
}
