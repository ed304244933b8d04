package page

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"mcbk-sandbox/people"
)

func TestThePages(t *testing.T) {
	book, err := people.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	pages, err := (&Pages{People: book, Address: "http://localhost:8090"}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	ask := func(url string) *httptest.ResponseRecorder {
		rec := httptest.NewRecorder()
		pages.ServeHTTP(rec, httptest.NewRequest("GET", url, nil))
		return rec
	}
	for url, kind := range map[string]string{
		"http://localhost:8090/":                      "text/html",
		"http://localhost:8090/phone/7000000101?x=1":  "text/html",
		"http://localhost:8090/assets/js/phone.js":    "text/javascript",
		"http://localhost:8090/assets/css/chat.css":   "text/css",
		"http://localhost:8090/avatar/7000000104.svg": "image/svg+xml",
	} {
		rec := ask(url)
		if rec.Code != 200 || !strings.HasPrefix(rec.Header().Get("Content-Type"), kind) {
			t.Errorf("%s: %d %s", url, rec.Code, rec.Header().Get("Content-Type"))
		}
		if strings.Contains(rec.Header().Get("Content-Security-Policy"), "unsafe-eval") || rec.Header().Get("Content-Security-Policy") == "" {
			t.Errorf("%s: policy %q", url, rec.Header().Get("Content-Security-Policy"))
		}
	}
	for _, url := range []string{"http://localhost:8090/phone/1", "http://localhost:8090/phone/x", "http://localhost:8090/avatar/1.svg", "http://localhost:8090/nothing"} {
		if rec := ask(url); rec.Code != http.StatusNotFound {
			t.Errorf("%s: %d", url, rec.Code)
		}
	}
	rec := ask("http://127.0.0.1:8090/phone/7000000101?start=a")
	if to := rec.Header().Get("Location"); rec.Code != http.StatusFound || to != "http://localhost:8090/phone/7000000101?start=a" {
		t.Errorf("from 127.0.0.1: %d %s", rec.Code, to)
	}
}
