// Package rates plays a service that gives the price of TON.
package rates

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
)

// Path is where the service answers.
const Path = "/rates"

// usual is the initial price of TON, in dollars.
const usual = json.Number("2.5")

// Service answers with one price, or fails.
type Service struct {
	mu     sync.Mutex
	price  json.Number
	broken bool
}

// New makes a service with the usual price.
func New() *Service { return &Service{price: usual} }

// State is what the service does.
type State struct {
	USD    json.Number `json:"usd"`
	Broken bool        `json:"broken"`
}

// State returns what the service does.
func (s *Service) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return State{s.price, s.broken}
}

// Set moves the price, unless it is empty, and breaks or mends the service.
func (s *Service) Set(to State) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if to.USD != "" {
		if price, err := to.USD.Float64(); err != nil || price <= 0 {
			return fmt.Errorf("usd: %q is no price", to.USD)
		}
		s.price = to.USD
	}
	s.broken = to.Broken
	return nil
}

// ServeHTTP answers as public services do.
func (s *Service) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	now := s.State()
	if now.Broken {
		http.Error(w, "broken", http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"rates": map[string]any{"TON": map[string]any{"prices": map[string]any{"USD": now.USD}}}})
}
