package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"mcbk-sandbox/check"
)

func TestRefusalsAreJSON(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /sandbox/info", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("fine")) })
	handler := routes("localhost:8090", nil, mux, mux)
	for name, c := range map[string]struct {
		method, path, host, site string
		status                   int
		code                     string
	}{
		"known":           {"GET", "/sandbox/info", "localhost:8090", "", http.StatusOK, ""},
		"by address":      {"GET", "/sandbox/info", "127.0.0.1:8090", "", http.StatusOK, ""},
		"by IPv6":         {"GET", "/sandbox/info", "[::1]:8090", "", http.StatusOK, ""},
		"unknown path":    {"GET", "/sandbox/nothing", "localhost", "", http.StatusNotFound, "not_found"},
		"unknown page":    {"GET", "/nothing", "localhost", "", http.StatusNotFound, "not_found"},
		"wrong method":    {"POST", "/sandbox/info", "localhost", "", http.StatusMethodNotAllowed, "method_not_allowed"},
		"another origin":  {"POST", "/sandbox/info", "localhost", "cross-site", http.StatusForbidden, "forbidden"},
		"rebound":         {"GET", "/sandbox/info", "evil.example:8090", "", http.StatusForbidden, "forbidden"},
		"rebound to page": {"GET", "/", "localhost.evil.example", "", http.StatusForbidden, "forbidden"},
		"no host":         {"GET", "/sandbox/info", "", "", http.StatusForbidden, "forbidden"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), c.method, c.path, nil)
		r.Host = c.host
		if c.site != "" {
			r.Header.Set("Sec-Fetch-Site", c.site)
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		var told struct{ Code, Message string }
		if c.code != "" {
			if err := json.Unmarshal(w.Body.Bytes(), &told); err != nil || told.Message == "" || w.Header().Get("Content-Type") != "application/json" {
				t.Errorf("%s: %q, %v", name, w.Body, err)
			}
		}
		check.That(t, w.Code == c.status && told.Code == c.code, "%s: %d %q", name, w.Code, w.Body)
	}
}
