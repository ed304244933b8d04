package main

import (
	"fmt"
	"net"
)

// ports are mcbk's three ports and the sandbox's listener.
type ports struct {
	listener net.Listener
	own      string
	app      string
	ops      string
	webapp   string // the mini-app's displayed URL, if not app
}

// address and appURL share one host name: otherwise the browser would treat the mini-app as third-party and block its storage.
func (p ports) address() string { return "http://localhost:" + p.own }

func (p ports) appURL() string {
	if p.webapp != "" {
		return p.webapp
	}
	return "http://localhost:" + p.app
}

// openPorts takes the sandbox's port and checks mcbk's, so that a conflict is reported by its flag.
func openPorts(f flags) (ports, error) {
	p := ports{webapp: f.webapp}
	app, err := listen("-app", f.app)
	if err != nil {
		return p, err
	}
	defer func() { _ = app.Close() }()
	ops, err := listen("-ops", f.ops)
	if err != nil {
		return p, err
	}
	defer func() { _ = ops.Close() }()
	if p.listener, err = listen("-listen", f.listen); err != nil {
		return p, err
	}
	p.own, p.app, p.ops = portOf(p.listener), portOf(app), portOf(ops)
	return p, nil
}

func listen(flag, address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%s %s: say host:port", flag, address)
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port)) //nolint:noctx // nothing to cancel
	if err != nil {
		return nil, fmt.Errorf("%s %s cannot be used, choose another with %s: %w", flag, address, flag, err)
	}
	return l, nil
}

func portOf(l net.Listener) string {
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}
