package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"mcbk/models/modelstest"
)

// A slow or endless request is cut off and does not delay others.
func TestEndlessRequestIsCutOff(t *testing.T) {
	t.Parallel()
	s := start(t, minimal(modelstest.Address(t, "sqlite")))
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	player := arrive(t, s.url)
	body := "POST /api/tap/perform-batch-tap HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: tma " + player.launch + "\r\n"
	for what, c := range map[string]struct {
		begins, goesOn string
		every          time.Duration
		within         time.Duration
	}{
		"a header letter by letter": {"GET / HTTP/1.1\r\nX-Slow: ", "x", 200 * time.Millisecond, 5 * time.Second},
		"a header without an end":   {"GET / HTTP/1.1\r\nX-Long: ", strings.Repeat("x", 1<<10), 0, 5 * time.Second},
		"a body letter by letter":   {body + "Content-Length: 1000\r\n\r\n", " ", 200 * time.Millisecond, 10 * time.Second},
		"a body of a gigabyte":      {body + "Content-Length: 1073741824\r\n\r\n", strings.Repeat(" ", 64<<10), 0, 5 * time.Second},
		"chunks without an end":     {body + "Transfer-Encoding: chunked\r\n\r\n", "400\r\n" + strings.Repeat(" ", 1<<10) + "\r\n", 0, 5 * time.Second},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			conn := modelstest.Must(net.Dial("tcp", strings.TrimPrefix(s.url, "http://")))(t)
			defer conn.Close() //nolint:errcheck // cut off by then
			began := time.Now()
			go func() {
				_, err := fmt.Fprint(conn, c.begins)
				for err == nil {
					_, err = fmt.Fprint(conn, c.goesOn)
					time.Sleep(c.every)
				}
			}()
			const slack = 4 * time.Second // of a busy machine; without a header timeout the body's, 10 s, would count
			modelstest.NoError(t, conn.SetReadDeadline(began.Add(c.within+slack)))
			answer, err := io.ReadAll(conn)
			modelstest.That(t, time.Since(began) < c.within+slack, "not cut off within %s: %v", c.within, err)
			if len(answer) > 0 && !strings.HasPrefix(string(answer), "HTTP/1.1 4") && !strings.HasPrefix(string(answer), "HTTP/1.1 503") {
				t.Errorf("answered %.200q", answer)
			}
			if what == "a body letter by letter" && !strings.Contains(string(answer), `"try_again"`) {
				t.Errorf("taps that came too slowly are not kept, but answered %.200q", answer)
			}
		})
	}
	t.Run("somebody else", func(t *testing.T) {
		t.Parallel()
		modelstest.Returns(player.tap(s.url, "meanwhile-1"))(t, tapsEach)
	})
}

func TestHeadersAreLimitedToSixteenKilobytes(t *testing.T) {
	t.Parallel()
	s := start(t, minimal(modelstest.Address(t, "sqlite")))
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	for size, want := range map[int]int{15 << 10: http.StatusOK, 17 << 10: http.StatusRequestHeaderFieldsTooLarge} {
		modelstest.Equal(t, (&tapper{}).ask(t, s.url, "GET", "/api/config", "", "Connection", "close", "X-Long", strings.Repeat("x", size)), want, "a header of", size, "bytes is answered")
	}
}
