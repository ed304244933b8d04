package page

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"mcbk-sandbox/check"
	"mcbk-sandbox/people"
)

// open returns a function that asks for a page.
func open(t *testing.T) func(url string) *httptest.ResponseRecorder {
	t.Helper()
	book := check.Must(people.Open(t.TempDir()))(t)
	pages := check.Must((&Pages{People: book, Address: "http://localhost:8090"}).Handler())(t)
	return func(url string) *httptest.ResponseRecorder {
		rec := httptest.NewRecorder()
		pages.ServeHTTP(rec, httptest.NewRequest("GET", url, nil))
		return rec
	}
}

func TestThePages(t *testing.T) {
	ask := open(t)
	for url, kind := range map[string]string{
		"http://localhost:8090/":                      "text/html",
		"http://localhost:8090/phone/7000000101?x=1":  "text/html",
		"http://localhost:8090/wallet?v=2&id=x&r=y":   "text/html",
		"http://localhost:8090/assets/js/wallet.js":   "text/javascript",
		"http://localhost:8090/assets/wallet.svg":     "image/svg+xml",
		"http://localhost:8090/assets/js/phone.js":    "text/javascript",
		"http://localhost:8090/assets/js/stars.js":    "text/javascript",
		"http://localhost:8090/assets/css/chat.css":   "text/css",
		"http://localhost:8090/avatar/7000000104.svg": "image/svg+xml",
	} {
		rec := ask(url)
		check.That(t, rec.Code == 200 && strings.HasPrefix(rec.Header().Get("Content-Type"), kind), "%s: %d %s", url, rec.Code, rec.Header().Get("Content-Type"))
		if strings.Contains(rec.Header().Get("Content-Security-Policy"), "unsafe-eval") || rec.Header().Get("Content-Security-Policy") == "" {
			t.Errorf("%s: policy %q", url, rec.Header().Get("Content-Security-Policy"))
		}
	}
	for _, url := range []string{"http://localhost:8090/phone/1", "http://localhost:8090/phone/x", "http://localhost:8090/avatar/1.svg", "http://localhost:8090/nothing"} {
		check.Equal(t, ask(url).Code, http.StatusNotFound, url)
	}
	rec := ask("http://127.0.0.1:8090/phone/7000000101?start=a")
	to := rec.Header().Get("Location")
	check.That(t, rec.Code == http.StatusFound && to == "http://localhost:8090/phone/7000000101?start=a", "from 127.0.0.1: %d %s", rec.Code, to)
}

func TestPaymentLinkOpensWalletPage(t *testing.T) {
	ask := open(t)
	plain := ask("http://localhost:8090/transfer/UQabc?amount=1500000001&text=MC-ABCDE23456&exp=1900000000")
	if plain.Code != http.StatusOK || !strings.HasPrefix(plain.Header().Get("Content-Type"), "text/html") {
		t.Fatalf("%d %s", plain.Code, plain.Header().Get("Content-Type"))
	}
	rules := plain.Header().Get("Content-Security-Policy")
	for _, rule := range []string{"default-src 'self';", "object-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'self'"} {
		check.That(t, strings.Contains(rules, rule), "the policy %q lacks %s", rules, rule)
	}
	// Without a script-src of its own the default forbids scripts in the page.
	check.That(t, !strings.Contains(rules, "script-src"), "the policy %q loosens scripts", rules)
	check.Equal(t, plain.Header().Get("X-Content-Type-Options"), "nosniff", "the browser may guess what the page is")
	html := plain.Body.String()
	scripts := regexp.MustCompile(`<script[^>]*>`).FindAllString(html, -1)
	check.That(t, len(scripts) == 1 && strings.Contains(scripts[0], `src="/assets/js/transfer.js"`), "its scripts are %q", scripts)
	check.Equal(t, ask("http://localhost:8090/assets/js/transfer.js").Code, http.StatusOK, "its script")
	const markup = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E"
	for _, url := range []string{"/transfer/UQabc?amount=1&text=" + markup, "/transfer/%22%3E%3Cscript%3E?exp=" + markup, "/transfer/UQabc"} {
		rec := ask("http://localhost:8090" + url)
		check.That(t, rec.Code == http.StatusOK && rec.Body.String() == html, "%s: %d, and another page", url, rec.Code)
		rec = ask("http://127.0.0.1:8090" + url)
		check.That(t, rec.Code == http.StatusFound && !strings.Contains(rec.Body.String(), "<script"), "%s from 127.0.0.1: %d %s", url, rec.Code, rec.Body)
	}
	check.Equal(t, ask("http://localhost:8090/transfer/").Code, http.StatusNotFound, "to nobody")
}
