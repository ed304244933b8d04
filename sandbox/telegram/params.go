package telegram

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// maxRequest bounds a request: Telegram accepts pictures up to 10 MB.
const maxRequest = 12 << 20

// params are a call's parameters from the query or a multipart form. Values other than text and numbers are JSON.
type params struct {
	values map[string]string
	files  map[string][]byte
}

func readParams(w http.ResponseWriter, r *http.Request) (params, error) {
	p := params{values: map[string]string{}, files: map[string][]byte{}}
	for k, v := range r.URL.Query() {
		p.values[k] = v[0]
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxRequest)
	if r.Method == http.MethodGet {
		return p, nil
	}
	return p, p.readMultipart(r)
}

func (p params) readMultipart(r *http.Request) error {
	parts, err := r.MultipartReader()
	if err != nil {
		return badRequest("can't parse multipart form")
	}
	for {
		part, err := parts.NextPart()
		// A call without parameters may have a multipart header and no body.
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return badRequest("can't parse multipart form")
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return &Error{Code: http.StatusRequestEntityTooLarge, Description: "Request Entity Too Large"}
		}
		if part.FileName() != "" {
			p.files[part.FormName()] = content
		} else {
			p.values[part.FormName()] = string(content)
		}
	}
}

func (p params) text(name string) string { return p.values[name] }

func (p params) flag(name string) bool {
	return strings.EqualFold(p.values[name], "true") || p.values[name] == "1"
}

// number is 0 when the parameter is missing or no number, like Telegram's.
func (p params) number(name string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(p.values[name]), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// object decodes a JSON parameter into dest, if present.
func (p params) object(name string, dest any) error {
	if p.values[name] == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(p.values[name]), dest); err != nil {
		return badRequest("can't parse %s: %v", strings.ReplaceAll(name, "_", " "), err)
	}
	return nil
}
