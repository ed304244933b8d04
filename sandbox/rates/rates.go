// Package rates is a fake service for the price of TON.
package rates

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
)

// Path is the service's path.
const Path = "/rates"

// usual is the initial price of TON, in dollars.
const usual = json.Number("2.5")

// Service returns one price, or fails.
type Service struct {
	mu     sync.Mutex
	price  json.Number
	broken bool
}

// New makes a service with the usual price.
func New() *Service { return &Service{price: usual} }

// State is the service's state.
type State struct {
	USD    json.Number `json:"usd"`
	Broken bool        `json:"broken"`
}

// State returns the service's state.
func (s *Service) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return State{s.price, s.broken}
}

// Set sets the price, unless empty, and breaks or repairs the service.
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

// ServeHTTP responds like public services.
func (s *Service) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	now := s.State()
	if now.Broken {
		http.Error(w, "broken", http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"rates": map[string]any{"TON": map[string]any{"prices": map[string]any{"USD": now.USD}}}})
}
