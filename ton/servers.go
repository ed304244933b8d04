package ton

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/tonkeeper/tongo/config"
)

// longestConfig is in bytes; the public network's configuration has some thirty thousand.
const longestConfig = 1 << 20

// ErrNoConfig says that no lite servers are configured.
var ErrNoConfig = errors.New("no lite servers are configured")

// errNoURL has no detail: any part of the address may be a key.
var errNoURL = errors.New("the address is no URL")

// readServers parses a global configuration of TON nodes; only lite servers with an IPv4 address are used.
func readServers(ctx context.Context, source string, n Network) ([]*server, error) {
	if source == "" {
		return nil, ErrNoConfig
	}
	text, err := readConfig(ctx, source)
	if err != nil {
		return nil, fmt.Errorf("read the lite servers: %w", err)
	}
	file, err := config.ParseConfig(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("read the lite servers in the configuration: %w", err)
	}
	servers := make([]*server, 0, len(file.LiteServers))
	for _, one := range file.LiteServers {
		s, err := newServer(one, n)
		if err != nil {
			return nil, err
		}
		servers = append(servers, s)
	}
	return servers, nil
}

// CheckConfig checks a file for lite servers with IPv4. Of a URL only the form is checked: the game starts without a chain.
func CheckConfig(ctx context.Context, source string, n Network) error {
	if isAddress(source) {
		if _, err := url.Parse(source); err != nil {
			return errNoURL
		}
		return nil
	}
	servers, err := readServers(ctx, source, n)
	if err == nil && len(servers) == 0 {
		err = errors.New("it names no lite server")
	}
	return err
}

func isAddress(source string) bool {
	return strings.HasPrefix(source, "http://") || strings.HasPrefix(source, "https://")
}

func readConfig(ctx context.Context, source string) ([]byte, error) {
	if !isAddress(source) {
		return os.ReadFile(source) //nolint:gosec // the operator names the file
	}
	ctx, cancel := context.WithTimeout(ctx, serverTimeout)
	defer cancel()
	text, _, err := fetch(ctx, source, longestConfig)
	return text, err
}

// fetch reads what an address answers, at most so many bytes. Its errors name the host alone: any other part of the address may be a
// key.
func fetch(ctx context.Context, address string, most int) (body []byte, host string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, "", errNoURL
	}
	host = req.URL.Host
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, host, fmt.Errorf("%s: %w", host, withoutURL(err))
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, host, fmt.Errorf("%s answers %s", host, resp.Status)
	}
	body, err = io.ReadAll(io.LimitReader(resp.Body, int64(most)+1))
	switch {
	case err != nil:
		return nil, host, fmt.Errorf("%s: %w", host, err)
	case len(body) > most:
		return nil, host, fmt.Errorf("%s is longer than %d bytes", host, most)
	}
	return body, host, nil
}

// withoutURL removes the address from a failed request's error, since it may contain a key.
func withoutURL(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return failed.Err
	}
	return err
}
