package control

import (
	"net/http"
	"testing"

	"mcbk-sandbox/check"
	"mcbk-sandbox/rates"
)

func TestChangedPriceIsSentToPages(t *testing.T) {
	c := newClient(t)
	events, stop := c.api.Feed.Listen()
	defer stop()
	var now rates.State
	c.ok(http.MethodPost, "/sandbox/rates", `{"usd":3.25,"broken":true}`, nil)
	c.ok(http.MethodGet, "/sandbox/rates", "", &now)
	check.That(t, now.USD == "3.25" && now.Broken, "the service is %+v", now)
	check.Equal(t, c.do(http.MethodPost, "/sandbox/rates", `{"usd":-1}`, nil), http.StatusBadRequest, "a negative price")
	if len(events) != 1 {
		t.Fatalf("%d events were sent", len(events))
	}
	e := <-events
	check.That(t, e.Kind == "rates", "the event is %+v", e)
}
