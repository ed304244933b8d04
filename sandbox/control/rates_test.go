package control

import (
	"net/http"
	"testing"

	"mcbk-sandbox/rates"
)

func TestChangedPriceIsSentToPages(t *testing.T) {
	c := newClient(t)
	events, stop := c.api.Feed.Listen()
	defer stop()
	var now rates.State
	c.ok(http.MethodPost, "/sandbox/rates", `{"usd":3.25,"broken":true}`, nil)
	c.ok(http.MethodGet, "/sandbox/rates", "", &now)
	if now.USD != "3.25" || !now.Broken {
		t.Errorf("the service is %+v", now)
	}
	if status := c.do(http.MethodPost, "/sandbox/rates", `{"usd":-1}`, nil); status != http.StatusBadRequest {
		t.Errorf("a negative price: %d", status)
	}
	if len(events) != 1 {
		t.Fatalf("%d events were sent", len(events))
	}
	if e := <-events; e.Kind != "rates" {
		t.Errorf("the event is %+v", e)
	}
}
