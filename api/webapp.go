package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/klauspost/compress/gzip"
)

const notBuilt = "The web app is not built into this program: run `make build`.\n"

// webApp serves the built files. Those under /assets have a hash of their content in the name and are cached for a year; all others are
// revalidated. An unknown path is a route of the app and gets its page.
func webApp(files fs.FS) (http.Handler, error) {
	pages, err := readAll(files)
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		file, found := pages[name]
		switch {
		case found && strings.HasPrefix(name, "assets/"):
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		case !found && path.Ext(name) != "": // a file, not a route
			http.Error(w, "not found", http.StatusNotFound)
			return
		default:
			if !found {
				file, found = pages["index.html"]
			}
			w.Header().Set("Cache-Control", "no-cache")
		}
		if !found {
			http.Error(w, notBuilt, http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", file.kind)
		w.Header().Set("ETag", file.tag)
		body := file.body
		if small := file.zipped(); small != nil {
			w.Header().Set("Vary", "Accept-Encoding")
			if takesGzip(r.Header.Values("Accept-Encoding")) {
				w.Header().Set("Content-Encoding", "gzip")
				body = small
			}
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	}), nil
}

type asset struct {
	body      []byte
	zipped    func() []byte // gzipped; nil if not smaller
	kind, tag string
}

// takesGzip reports whether a browser accepts gzip.
func takesGzip(accepted []string) bool {
	for _, coding := range strings.Split(strings.Join(accepted, ","), ",") {
		name, weight, _ := strings.Cut(coding, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			_, quality, weighed := strings.Cut(weight, "=")
			return !weighed || strings.Trim(quality, " 0.") != ""
		}
	}
	return false
}

// zippedKinds are the compressible content types.
var zippedKinds = []string{"text/html", "text/css", "text/javascript", "image/svg+xml"}

// zipped returns a file compressed at the highest level, once, at the first request. Compressing each time would cost 30 ms, and pages
// are not rate-limited; compressing at the start would delay it.
func zipped(kind string, body []byte) []byte {
	if base, _, _ := strings.Cut(kind, ";"); !slices.Contains(zippedKinds, base) {
		return nil
	}
	var small bytes.Buffer
	to, err := gzip.NewWriterLevel(&small, gzip.BestCompression)
	if err != nil {
		panic(err) // the level is a valid constant
	}
	_, err = to.Write(body)
	if err = errors.Join(err, to.Close()); err != nil || small.Len() >= len(body) {
		return nil
	}
	return small.Bytes()
}

// readAll reads the built files into memory; they are embedded and small.
func readAll(files fs.FS) (map[string]asset, error) {
	pages := map[string]asset{}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || (err == nil && entry.IsDir()) {
			return nil
		}
		if err != nil {
			return err
		}
		body, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(body)
		kind := mime.TypeByExtension(path.Ext(name))
		if kind == "" {
			kind = "application/octet-stream"
		}
		pages[name] = asset{
			body: body, zipped: sync.OnceValue(func() []byte { return zipped(kind, body) }),
			kind: kind, tag: `W/"` + hex.EncodeToString(sum[:8]) + `"`,
		}
		return nil
	})
	return pages, err
}

// isCall reports whether a path belongs to the API.
func isCall(p string) bool { return p == basePath || strings.HasPrefix(p, basePath+"/") }

// isOps reports whether a path belongs to OPS_LISTEN; nothing is served under it here, not even the web app's page.
func isOps(p string) bool { return p == "/metrics" || p == "/debug" || strings.HasPrefix(p, "/debug/") }

// securityHeaders restrict the page and who may frame it: Telegram's web client, and in the sandbox a page on this machine.
func (g *gateway) securityHeaders(c *gin.Context) {
	header := c.Writer.Header()
	header.Set("Content-Security-Policy", g.policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()")
}

// contentPolicy returns the Content-Security-Policy. An ad network's script may load and call its own hosts, if ads are configured. The
// page may load wallets' pictures and call their bridges.
func contentPolicy(o Options) string {
	frames, pictures, calls, ads := " https://web.telegram.org", "", "", ""
	for _, host := range pictureHosts {
		pictures += " https://" + host
	}
	if o.Sandbox {
		const local = " http://localhost:* http://127.0.0.1:*"
		frames, pictures, calls = frames+local, pictures+local, calls+local
	}
	for _, host := range o.WalletHosts {
		pictures, calls = pictures+" "+host, calls+" "+host
	}
	for _, host := range o.Ads.Hosts {
		ads += " " + host
	}
	policy := "default-src 'none'; script-src 'self'" + ads + "; style-src 'self' 'unsafe-inline'" + ads + "; " +
		"img-src 'self' data:" + pictures + ads + "; font-src 'self'" + ads + "; connect-src 'self'" + calls + ads + "; manifest-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors" + frames
	if ads != "" {
		policy += "; frame-src" + ads + "; media-src" + ads
	}
	return policy
}
