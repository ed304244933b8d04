package telegram

import (
	"bytes"
	"fmt"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
)

const largestPhoto = 10 << 20

var fileIDShape = regexp.MustCompile(`^sandbox-photo-[0-9]+$`)

// sendPhoto accepts an upload.
func (s *Server) sendPhoto(p params) (any, error) {
	caption, entities, err := captionText(p)
	if err != nil {
		return nil, err
	}
	content, ok := p.files["photo"]
	if !ok {
		return nil, badRequest("there is no photo in the request")
	}
	photo, err := s.storePhoto(content)
	if err != nil {
		return nil, err
	}
	return s.send(p, &Message{Photo: []PhotoSize{photo}, Caption: caption, CaptionEntities: entities})
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
	cfg, err := png.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return PhotoSize{}, badRequest("IMAGE_PROCESS_FAILED")
	}
	size := PhotoSize{FileID: id, FileUniqueID: id, Width: cfg.Width, Height: cfg.Height, FileSize: len(content)}
	if err := os.WriteFile(filepath.Join(s.filesDir(), id), content, 0o600); err != nil {
		return size, fmt.Errorf("keep a picture: %w", err)
	}
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
