package jobs

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"mcbk/ton"
)

func TestFailingLiteServerIsLoggedOnce(t *testing.T) {
	const fails, recovers = `"lite server failed" server=192.0.2.1:1 state=`, `"lite server recovered" server=192.0.2.1:1`
	var out bytes.Buffer
	servers := newServerLog(slog.New(slog.NewTextHandler(&out, nil)))
	for i, c := range []struct {
		states []ton.State // of the first server, one read after the other; the second is late by a block
		want   string
	}{
		{[]ton.State{ton.Good, ton.Silent, ton.Good, ton.Lagging}, ""},
		{[]ton.State{ton.Silent}, fails + "silent error=why"},
		{[]ton.State{ton.Lagging, ton.Lagging, ton.Good}, ""},
		{[]ton.State{ton.Good}, recovers},
		{[]ton.State{ton.Good, ton.Silent, ton.Good}, ""},
		{[]ton.State{ton.Lying}, fails + "lying error=why"}, // in the only read with something new
		{[]ton.State{ton.Good, ton.Good, ton.Lying, ton.Good, ton.Good, ton.Lying}, ""},
		{[]ton.State{ton.Silent, ton.Silent}, fails + "silent error=why"},
		{[]ton.State{ton.Good, ton.Good}, recovers},
	} {
		out.Reset()
		for _, state := range c.states {
			servers.record(t.Context(), []ton.ServerState{{Address: "192.0.2.1:1", State: state, Err: errors.New("why")}, {Address: "192.0.2.2:2", State: ton.Slow}})
		}
		if logged := strings.TrimSpace(out.String()); !strings.Contains(logged, c.want) || (logged == "") != (c.want == "") || strings.Contains(logged, "\n") {
			t.Errorf("step %d: logged %q, want %q", i, logged, c.want)
		}
	}
}
