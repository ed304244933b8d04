package telegram

import (
	"net/http"
	"sync"
	"time"
)

// Fault makes the next calls fail like Telegram's.
type Fault struct {
	// Method is the affected Bot API method; "*" is every one but getUpdates.
	Method string `json:"method"`
	// Count is the number of affected calls.
	Count int `json:"count"`
	// Status is the response's: 429, 403, 500 … 0 only delays.
	Status int `json:"status"`
	// RetryAfter is retry_after of a 429, in seconds.
	RetryAfter int `json:"retry_after"`
	// DelayMS is a delay before, in milliseconds.
	DelayMS int `json:"delay_ms"`
	// Description replaces the default text of the status.
	Description string `json:"description"`
	// HTML returns a page instead of JSON, like a gateway.
	HTML bool `json:"html"`
	// After executes the call before the wrong response.
	After bool `json:"after"`
}

type faults struct {
	mu  sync.Mutex
	set []*Fault
}

// next uses the first fault of the method once.
func (f *faults) next(method string) *Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, fault := range f.set {
		if fault.Method != method && (fault.Method != "*" || method == "getUpdates") {
			continue
		}
		fault.Count--
		if fault.Count <= 0 {
			f.set = append(f.set[:i:i], f.set[i+1:]...)
		}
		once := *fault
		return &once
	}
	return nil
}

// SetFaults replaces all pending faults; none clears them.
func (s *Server) SetFaults(set []Fault) {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.set = nil
	for _, f := range set {
		f.Count = max(f.Count, 1)
		s.faults.set = append(s.faults.set, &f)
	}
}

// Faults lists the pending faults.
func (s *Server) Faults() []Fault {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	left := make([]Fault, 0, len(s.faults.set))
	for _, f := range s.faults.set {
		left = append(left, *f)
	}
	return left
}

func (f *Fault) wait(r *http.Request) {
	select {
	case <-time.After(time.Duration(f.DelayMS) * time.Millisecond):
	case <-r.Context().Done():
	}
}

func (f *Fault) write(w http.ResponseWriter) {
	if f.HTML {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(f.Status)
		_, _ = w.Write([]byte("<html><body><h1>" + http.StatusText(f.Status) + "</h1></body></html>"))
		return
	}
	e := &Error{Code: f.Status, Description: f.Description, RetryAfter: f.RetryAfter}
	if e.Description == "" {
		e.Description = http.StatusText(f.Status)
		switch f.Status {
		case http.StatusForbidden:
			e.Description = errBlocked.Description
		case http.StatusTooManyRequests:
			e.RetryAfter = max(e.RetryAfter, 1)
			e.Description = "Too Many Requests: retry later"
		}
	}
	writeError(w, e)
}
