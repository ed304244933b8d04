package trial

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"time"

	initdata "github.com/telegram-mini-apps/init-data-golang"
)

// answerTime is a client's timeout.
const answerTime = 20 * time.Second

// Player is a person with signed launch data.
type Player struct{ Launch string }

// NewPlayer signs launch data for a person.
func NewPlayer(telegramID int64, now time.Time) Player {
	fields := map[string]string{"user": fmt.Sprintf(`{"id":%d,"first_name":"Ann"}`, telegramID), "signature": "any"}
	query := url.Values{"hash": {initdata.Sign(fields, Token, now)}, "auth_date": {strconv.FormatInt(now.Unix(), 10)}}
	for key, value := range fields {
		query.Set(key, value)
	}
	return Player{query.Encode()}
}

// SignIn creates the player and accepts the rules.
func (p Player) SignIn(c *Client) error {
	for _, r := range [][3]string{{"GET", "/api/user/me", ""}, {"PUT", "/api/user/update", `{"age_consent_accepted":true}`}} {
		request := p.Request(r[0], r[1], r[2])
		answer, err := c.Do(request)
		for try := 1; try < signInTries && err == nil && answer.Status == http.StatusServiceUnavailable; try++ {
			time.Sleep(signInPause)
			answer, err = c.Do(request)
		}
		if err != nil {
			return err
		}
		if answer.Status != http.StatusOK {
			return fmt.Errorf("%s answers %d: %s", r[1], answer.Status, answer.Body)
		}
	}
	return nil
}

// Retries of a sign-in after try_again: at most this often.
const (
	signInTries = 60
	signInPause = time.Second
)

// Request returns a call as sent over the wire.
func (p Player) Request(method, path, body string, headers ...string) string {
	var r strings.Builder
	fmt.Fprintf(&r, "%s %s HTTP/1.1\r\nHost: mcbk\r\nAuthorization: tma %s\r\n", method, path, p.Launch)
	for i := 0; i+1 < len(headers); i += 2 {
		fmt.Fprintf(&r, "%s: %s\r\n", headers[i], headers[i+1])
	}
	if body != "" {
		fmt.Fprintf(&r, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	r.WriteString("\r\n" + body)
	return r.String()
}

// Tap returns a call with a batch of taps.
func (p Player) Tap(taps int, batchID string) string {
	return p.Request("POST", "/api/tap/perform-batch-tap", fmt.Sprintf(`{"total_taps":%d,"batch_id":%q}`, taps, batchID))
}

// Answer is an HTTP response.
type Answer struct {
	Status int
	Body   []byte
}

// Number reads the first number with that name, such as accepted.
func (a Answer) Number(name string) (json.Number, error) {
	_, after, found := bytes.Cut(a.Body, []byte(`"`+name+`":`))
	end := bytes.IndexAny(after, ",}")
	if !found || end < 0 {
		return "", fmt.Errorf("no %s in %s", name, a.Body)
	}
	return json.Number(after[:end]), nil
}

// Client is a kept-alive connection, cheap so that benchmarks measure the program. Not safe for concurrent use.
type Client struct {
	address string
	conn    net.Conn
	in      *bufio.Reader
}

// NewClient makes a client for a program's URL; it connects when first used.
func NewClient(url string) *Client { return &Client{address: strings.TrimPrefix(url, "http://")} }

// Do sends a request and reads its response. After an error it is unknown whether the request took effect.
func (c *Client) Do(request string) (Answer, error) {
	answer, err := c.do(request)
	if err != nil {
		c.Close()
	}
	return answer, err
}

func (c *Client) do(request string) (Answer, error) {
	if c.conn == nil {
		conn, err := new(net.Dialer).DialContext(context.Background(), "tcp", c.address)
		if err != nil {
			return Answer{}, err
		}
		c.conn, c.in = conn, bufio.NewReader(conn)
	}
	if err := c.conn.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return Answer{}, err
	}
	if _, err := io.WriteString(c.conn, request); err != nil {
		return Answer{}, err
	}
	return c.read()
}

// read reads a response, chunked or with a Content-Length.
func (c *Client) read() (Answer, error) {
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return Answer{}, err
	}
	if len(line) < len("HTTP/1.1 200") {
		return Answer{}, fmt.Errorf("not an answer: %q", line)
	}
	status, err := strconv.Atoi(string(line[len("HTTP/1.1 "):len("HTTP/1.1 200")]))
	if err != nil {
		return Answer{}, err
	}
	length, chunked := -1, false
	for {
		if line, err = c.in.ReadSlice('\n'); err != nil {
			return Answer{}, err
		}
		if len(line) <= len("\r\n") {
			break
		}
		chunked = chunked || bytes.HasPrefix(line, []byte("Transfer-Encoding: chunked"))
		if value, found := bytes.CutPrefix(line, []byte("Content-Length: ")); found {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return Answer{}, err
			}
		}
	}
	if chunked {
		body, err := io.ReadAll(httputil.NewChunkedReader(c.in))
		if err == nil {
			_, err = c.in.ReadSlice('\n') // after the last chunk
		}
		return Answer{status, body}, err
	}
	if length < 0 {
		return Answer{}, errors.New("an answer without Content-Length")
	}
	body := make([]byte, length)
	_, err = io.ReadFull(c.in, body)
	return Answer{status, body}, err
}

// Close closes the connection.
func (c *Client) Close() {
	if c.conn != nil {
		_ = c.conn.Close()
		c.conn = nil
	}
}
