package main

import (
	"net"
	"net/http"
	"strings"

	"mcbk-sandbox/control"
)

// knownHosts refuses requests by other names than localhost and the listener's: otherwise a site could reach the sandbox with the same
// origin (DNS rebinding). IP addresses are allowed.
func knownHosts(listen string, next http.Handler) http.Handler {
	own, _, _ := net.SplitHostPort(listen)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host // without a port
		}
		host = strings.ToLower(strings.Trim(host, "[]"))
		if host != "localhost" && host != strings.ToLower(own) && net.ParseIP(host) == nil {
			control.WriteError(w, http.StatusForbidden, "unknown host "+host)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// jsonErrors rewrites the plain-text errors of net/http, such as 404 and 405, as JSON.
func jsonErrors(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&errorWriter{ResponseWriter: w}, r)
	})
}

type errorWriter struct {
	http.ResponseWriter
	status int // of an error whose text is to come
}

func (w *errorWriter) WriteHeader(status int) {
	if status >= http.StatusBadRequest && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.status = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *errorWriter) Write(text []byte) (int, error) {
	if w.status == 0 {
		return w.ResponseWriter.Write(text)
	}
	control.WriteError(w.ResponseWriter, w.status, strings.TrimSpace(string(text)))
	return len(text), nil
}

// Unwrap lets http.ResponseController flush.
func (w *errorWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
