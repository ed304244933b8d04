package telegram

import (
	"bytes"
	"fmt"
	"image"
	_ "image/gif" // the formats Telegram takes
	_ "image/jpeg"
	_ "image/png"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

const largestPhoto = 10 << 20

var fileIDShape = regexp.MustCompile(`^sandbox-photo-[0-9]+$`)

// sendPhoto accepts an upload, an attachment, a stored file_id, or a URL, which is shown and never fetched.
func (s *Server) sendPhoto(p params) (any, error) {
	caption, entities, err := captionText(p)
	if err != nil {
		return nil, err
	}
	photo, err := s.photo(p)
	if err != nil {
		return nil, err
	}
	return s.send(p, &Message{Photo: []PhotoSize{photo}, Caption: caption, CaptionEntities: entities})
}

func (s *Server) photo(p params) (PhotoSize, error) {
	field := "photo"
	given := p.text("photo")
	if name, attached := strings.CutPrefix(given, "attach://"); attached {
		field = name
	}
	if content, ok := p.files[field]; ok {
		return s.storePhoto(content)
	}
	switch {
	case given == "":
		return PhotoSize{}, badRequest("there is no photo in the request")
	case fileIDShape.MatchString(given):
		content, err := os.ReadFile(filepath.Join(s.filesDir(), given))
		if err != nil {
			return PhotoSize{}, badRequest("wrong file identifier/HTTP URL specified")
		}
		return measure(given, content)
	case strings.HasPrefix(given, "http://"), strings.HasPrefix(given, "https://"):
		return PhotoSize{FileID: given, FileUniqueID: given, Width: 640, Height: 360}, nil
	}
	return PhotoSize{}, badRequest("wrong file identifier/HTTP URL specified")
}

func (s *Server) storePhoto(content []byte) (PhotoSize, error) {
	if len(content) > largestPhoto {
		return PhotoSize{}, badRequest("PHOTO_SAVE_FILE_INVALID")
	}
	s.mu.Lock()
	s.state.Files++
	id := fmt.Sprintf("sandbox-photo-%d", s.state.Files)
	s.dirty = true
	s.mu.Unlock()
	size, err := measure(id, content)
	if err != nil {
		return size, err
	}
	if err := os.WriteFile(filepath.Join(s.filesDir(), id), content, 0o600); err != nil {
		return size, fmt.Errorf("keep a picture: %w", err)
	}
	return size, nil
}

func measure(id string, content []byte) (PhotoSize, error) {
	size := PhotoSize{FileID: id, FileUniqueID: id, FileSize: len(content)}
	if http.DetectContentType(content) == "image/webp" { // no decoder in the standard library
		size.Width, size.Height = 640, 360
		return size, nil
	}
	cfg, _, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return size, badRequest("IMAGE_PROCESS_FAILED")
	}
	size.Width, size.Height = cfg.Width, cfg.Height
	return size, nil
}

// ServeFile serves a stored picture by its file_id, the last part of the path.
func (s *Server) ServeFile(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	content, err := os.ReadFile(filepath.Join(s.filesDir(), filepath.Base(id)))
	if !fileIDShape.MatchString(id) || err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", http.DetectContentType(content))
	w.Header().Set("Cache-Control", "max-age=3600")
	_, _ = w.Write(content)
}
