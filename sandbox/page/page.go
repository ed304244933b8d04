// Package page serves the developer's pages: the desk with all phones, a page for each phone, and the wallet that links open.
package page

import (
	"embed"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"mcbk-sandbox/people"
)

//go:embed web
var web embed.FS

// Pages serves the page's own files.
type Pages struct {
	People *people.Book
	// Address is the sandbox's URL: http://localhost:8090.
	Address string
}

// policy restricts scripts to the page's own; the mini-app's frame may have any origin.
const policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: http: https:; " +
	"frame-src http: https:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// Handler serves /, /phone/{id}, /transfer/{address}, /wallet, /assets/ and /avatar/{id}.svg.
func (p *Pages) Handler() (http.Handler, error) {
	files, err := fs.Sub(web, "web")
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.html("web/desk.html"))
	mux.HandleFunc("GET /phone/{id}", p.phone())
	mux.HandleFunc("GET /transfer/{address}", p.html("web/transfer.html"))
	mux.HandleFunc("GET /wallet", p.html("web/wallet.html"))
	mux.HandleFunc("GET /avatar/{file}", p.avatar)
	mux.Handle("GET /assets/", http.StripPrefix("/assets/", http.FileServerFS(files)))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-cache")
		mux.ServeHTTP(w, r)
	}), nil
}

func (p *Pages) html(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		// The mini-app lives on localhost; a page on 127.0.0.1 would be
		// another site to the browser, which then blocks the app's storage.
		if host, _, err := net.SplitHostPort(r.Host); err == nil && host == "127.0.0.1" {
			if to, err := url.Parse(p.Address); err == nil {
				to.Path, to.RawQuery = r.URL.Path, r.URL.RawQuery
				http.Redirect(w, r, to.String(), http.StatusFound)
				return
			}
		}
		http.ServeFileFS(w, r, web, name)
	}
}

func (p *Pages) phone() http.HandlerFunc {
	show := p.html("web/phone.html")
	return func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
		if _, ok := p.People.Find(id); err != nil || !ok {
			http.Error(w, "No such player. GET /sandbox/people lists them.", http.StatusNotFound)
			return
		}
		show(w, r)
	}
}

// avatar is embedded by the mini-app, which has another origin.
func (p *Pages) avatar(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(strings.TrimSuffix(r.PathValue("file"), ".svg"), 10, 64)
	person, ok := p.People.Find(id)
	if err != nil || !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	_, _ = w.Write(people.Avatar(person))
}
