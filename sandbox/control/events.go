package control

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// events streams the feed as server-sent events until the client disconnects.
func (a *API) events(w http.ResponseWriter, r *http.Request) {
	events, stop := a.Feed.Listen()
	defer stop()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	out := http.NewResponseController(w)
	send := func(text string) bool {
		_, err := fmt.Fprint(w, text)
		return err == nil && out.Flush() == nil
	}
	if !send("retry: 500\n\n") {
		return
	}
	alive := time.NewTicker(15 * time.Second)
	defer alive.Stop()
	for {
		select {
		case e, open := <-events:
			if !open {
				return // too slow; the page reconnects
			}
			raw, err := json.Marshal(e)
			if err != nil || !send("data: "+string(raw)+"\n\n") {
				return
			}
		case <-alive.C:
			if !send(": still here\n\n") {
				return
			}
		case <-r.Context().Done():
			return
		}
	}
}
