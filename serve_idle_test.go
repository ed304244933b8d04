package main

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"mcbk/models/modelstest"
)

// pipes is a listener whose connections are pipes.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	conn, open := <-p
	if !open {
		return nil, net.ErrClosed
	}
	return conn, nil
}
func (p pipes) Close() error   { close(p); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

// A proxy keeps a connection idle for up to ten minutes, and may send a write on it at the last moment.
func TestIdleConnectionsOutliveProxies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		listener, served := make(pipes), make(chan error)
		go func() {
			served <- serveHTTP(ctx, listener, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), slog.New(slog.DiscardHandler))
		}()
		client, server := net.Pipe()
		listener <- server
		answers := bufio.NewReader(client)
		for _, idle := range []time.Duration{0, 59 * time.Second, 90 * time.Second, 10 * time.Minute} {
			time.Sleep(idle)
			if _, err := io.WriteString(client, "POST / HTTP/1.1\r\nHost: game.example\r\nContent-Length: 0\r\n\r\n"); err != nil {
				t.Fatalf("a write after %s: %v", idle, err)
			}
			response, err := http.ReadResponse(answers, nil)
			if err != nil {
				t.Fatalf("an answer after %s: %v", idle, err)
			}
			if err := response.Body.Close(); err != nil || response.StatusCode != http.StatusOK {
				t.Fatalf("after %s: %s, %v", idle, response.Status, err)
			}
		}
		stop()
		modelstest.Succeeds(<-served)(t)
	})
}
