package rates_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"mcbk-sandbox/check"
	"mcbk-sandbox/rates"
)

func TestPriceServiceReturnsSetPrice(t *testing.T) {
	s := rates.New()
	answers := func(status int, body string) {
		t.Helper()
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", rates.Path, nil))
		check.That(t, w.Code == status && strings.TrimSpace(w.Body.String()) == body, "answers %d %s, want %d %s", w.Code, w.Body, status, body)
	}
	answers(200, `{"rates":{"TON":{"prices":{"USD":2.5}}}}`)
	if err := s.Set(rates.State{USD: "3.25"}); err != nil {
		t.Error(err)
	}
	answers(200, `{"rates":{"TON":{"prices":{"USD":3.25}}}}`)
	if err := s.Set(rates.State{Broken: true}); err != nil {
		t.Error(err)
	}
	answers(502, "broken")
	check.That(t, s.Set(rates.State{USD: "-1"}) != nil, "a price below zero is taken")
	if err := s.Set(rates.State{}); err != nil {
		t.Error(err)
	}
	answers(200, `{"rates":{"TON":{"prices":{"USD":3.25}}}}`)
}
