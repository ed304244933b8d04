package jobs

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"mcbk/ton"
)

func TestALiteServerOfNoUseIsNamedOnce(t *testing.T) {
	var out bytes.Buffer
	servers := newServerLog(slog.New(slog.NewTextHandler(&out, nil)))
	looks := func(first, second ton.State) {
		servers.record(t.Context(), []ton.ServerState{{Address: "192.0.2.1:1", State: first, Err: errors.New("why")}, {Address: "192.0.2.2:2", State: second}})
	}
	said := func(want ...string) {
		t.Helper()
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		out.Reset()
		for i, part := range want {
			if len(lines) != len(want) || !strings.Contains(lines[i], part) {
				t.Errorf("said %q, not %q", lines, want)
			}
		}
	}
	looks(ton.Good, ton.Good)
	looks(ton.Silent, ton.Slow)
	looks(ton.Good, ton.Slow)
	looks(ton.Lagging, ton.Good)
	said("")
	looks(ton.Silent, ton.Good)
	said(`"a lite server is of no use" server=192.0.2.1:1 state=silent error=why`)
	looks(ton.Lagging, ton.Good)
	looks(ton.Lagging, ton.Good)
	looks(ton.Good, ton.Good)
	said("")
	looks(ton.Good, ton.Good)
	said(`"a lite server is of use again" server=192.0.2.1:1`)
	looks(ton.Good, ton.Good)
	looks(ton.Silent, ton.Good)
	looks(ton.Good, ton.Good)
	said("")
	looks(ton.Lying, ton.Good) // in the only reading with something new
	said(`"a lite server is of no use" server=192.0.2.1:1 state=lying error=why`)
	for range 2 {
		looks(ton.Good, ton.Good)
		looks(ton.Good, ton.Good)
		looks(ton.Lying, ton.Good)
	}
	said("")
	looks(ton.Silent, ton.Good)
	looks(ton.Silent, ton.Good)
	said(`"a lite server is of no use" server=192.0.2.1:1 state=silent error=why`)
	looks(ton.Good, ton.Good)
	looks(ton.Good, ton.Good)
	said(`"a lite server is of use again" server=192.0.2.1:1`)
}
