package telegram

import (
	"net/http"
	"sync"
	"time"
)

// Fault makes coming calls go wrong, the way Telegram does now and then.
type Fault struct {
	// Method is the Bot API method it hits; "*" is every one but getUpdates.
	Method string `json:"method"`
	// Count is how many calls it hits before it is spent.
	Count int `json:"count"`
	// Status is the answer: 429, 403, 500 … 0 only delays.
	Status int `json:"status"`
	// RetryAfter is the number of seconds a 429 asks for.
	RetryAfter int `json:"retry_after"`
	// DelayMS makes the call slow first, in milliseconds.
	DelayMS int `json:"delay_ms"`
	// Description replaces the usual words of that status.
	Description string `json:"description"`
	// HTML answers a page instead of JSON, as a gateway in between does.
	HTML bool `json:"html"`
	// After lets the call take effect and only then answers wrongly.
	After bool `json:"after"`
}

type faults struct {
	mu  sync.Mutex
	set []*Fault
}

// next spends one use of the first fault that fits the method.
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

// SetFaults replaces every waiting fault by these; none clears them.
func (s *Server) SetFaults(set []Fault) {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.set = nil
	for _, f := range set {
		f.Count = max(f.Count, 1)
		s.faults.set = append(s.faults.set, &f)
	}
}

// Faults lists the faults not yet spent.
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
