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
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, source, nil)
	if err != nil {
		return nil, errNoURL
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, withoutAddress(req, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", req.URL.Host, resp.Status)
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, longestConfig+1))
	if err == nil && len(text) > longestConfig {
		err = fmt.Errorf("%s is longer than %d bytes", req.URL.Host, longestConfig)
	}
	return text, err
}

// withoutAddress reduces a failed request's error to its host.
func withoutAddress(req *http.Request, err error) error {
	return fmt.Errorf("%s: %w", req.URL.Host, withoutURL(err))
}

// withoutURL removes the address from a failed request's error, since it may contain a key.
func withoutURL(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return failed.Err
	}
	return err
}
