package bridge

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Path is the bridge's path.
const Path = "/bridge/"

// longest is a message's length in bytes.
const longest = 64 << 10

// beat is the heartbeat interval; a proxy would close an idle stream.
const beat = 5 * time.Second

// Handler serves GET /bridge/events and POST /bridge/message to any origin.
func (b *Bridge) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+Path+"events", b.events)
	mux.HandleFunc("POST "+Path+"message", b.message)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "*")
		w.Header().Set("Access-Control-Allow-Methods", "GET, POST, OPTIONS")
		switch {
		case r.Method == http.MethodOptions:
			w.WriteHeader(http.StatusNoContent)
		case b.Offline():
			answer(w, http.StatusServiceUnavailable, "the bridge is offline")
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

func answer(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"message": text, "statusCode": status})
}

// isClient reports whether the text is a public key in hex.
func isClient(id string) bool {
	raw, err := hex.DecodeString(id)
	return err == nil && len(raw) == 32
}

// message accepts a message, in base64.
func (b *Bridge) message(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	from, to := q.Get("client_id"), q.Get("to")
	seconds, err := strconv.Atoi(q.Get("ttl"))
	switch {
	case !isClient(from) || !isClient(to):
		answer(w, http.StatusBadRequest, "client_id and to are public keys in hex")
		return
	case err != nil || seconds < 1 || time.Duration(seconds)*time.Second > kept:
		answer(w, http.StatusBadRequest, fmt.Sprintf("ttl is 1 to %.0f seconds", kept.Seconds()))
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, longest))
	if err != nil {
		answer(w, http.StatusRequestEntityTooLarge, "the message is too long")
		return
	}
	if _, err := base64.StdEncoding.DecodeString(string(body)); err != nil || len(body) == 0 {
		answer(w, http.StatusBadRequest, "the message is no base64")
		return
	}
	b.pass(to, from, string(body), time.Duration(seconds)*time.Second)
	answer(w, http.StatusOK, "OK")
}

// pass delivers a message to a wallet of this process, or stores it for another client.
func (b *Bridge) pass(to, from, text string, lives time.Duration) {
	b.mu.Lock()
	receive := b.receiver
	b.mu.Unlock()
	if receive == nil || !receive(to, from, text) {
		b.Send(to, from, text, lives)
	}
}

// events streams messages as server-sent events until either side ends.
func (b *Bridge) events(w http.ResponseWriter, r *http.Request) {
	clients := strings.Split(r.URL.Query().Get("client_id"), ",")
	if slices.ContainsFunc(clients, func(id string) bool { return !isClient(id) }) {
		answer(w, http.StatusBadRequest, "client_id lists public keys in hex")
		return
	}
	// A reconnecting browser sends it in the header, an app in the query.
	last, err := strconv.ParseUint(cmp.Or(r.Header.Get("Last-Event-ID"), r.URL.Query().Get("last_event_id"), "0"), 10, 64)
	if err != nil {
		answer(w, http.StatusBadRequest, "last_event_id is a number")
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	b.stream(w, r, clients, last)
}

// stream writes the headers at once: apps wait only seconds for them.
func (b *Bridge) stream(w http.ResponseWriter, r *http.Request, clients []string, last uint64) {
	out := http.NewResponseController(w)
	alive := time.NewTicker(b.beat)
	defer alive.Stop()
	for {
		list, next, offline := b.after(clients, last)
		if offline {
			return
		}
		slices.SortFunc(list, func(x, y message) int { return cmp.Compare(x.id, y.id) })
		for _, m := range list {
			_, _ = fmt.Fprintf(w, "event: message\nid: %d\ndata: %s\n\n", m.id, m.data())
			last = m.id
		}
		if out.Flush() != nil {
			return
		}
		select {
		case <-next:
		case <-alive.C:
			_, _ = io.WriteString(w, heartbeat(r))
		case <-r.Context().Done():
			return
		}
	}
}

func (m message) data() []byte {
	text, _ := json.Marshal(map[string]string{"from": m.from, "message": m.text})
	return text
}

// heartbeat is in the format that the client requests.
func heartbeat(r *http.Request) string {
	if r.URL.Query().Get("heartbeat") == "message" {
		return "event: message\ndata: heartbeat\n\n"
	}
	return "event: heartbeat\n\n"
}
