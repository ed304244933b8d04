package child

import (
	"bytes"
	"sync"
)

const (
	linesKept   = 400
	longestLine = 4000 // bytes; a longer line is cut
)

// ring is a writer that stores the last lines.
type ring struct {
	each func(string)

	mu   sync.Mutex
	kept []string
	rest []byte
}

func newRing(each func(string)) *ring { return &ring{each: each} }

// Write never fails: a log must not stop the program.
func (r *ring) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rest = append(r.rest, p...)
	for {
		line, rest, found := bytes.Cut(r.rest, []byte{'\n'})
		if !found {
			break
		}
		r.keep(string(bytes.TrimSuffix(line, []byte{'\r'})))
		r.rest = append([]byte(nil), rest...)
	}
	if len(r.rest) > longestLine {
		r.keep(string(r.rest))
		r.rest = nil
	}
	return len(p), nil
}

func (r *ring) add(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keep(line)
}

// flush stores an unfinished last line, as after a crash.
func (r *ring) flush() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.rest) > 0 {
		r.keep(string(r.rest))
		r.rest = nil
	}
}

func (r *ring) keep(line string) {
	line = line[:min(len(line), longestLine)]
	r.kept = append(r.kept, line)
	if len(r.kept) > linesKept {
		r.kept = r.kept[len(r.kept)-linesKept:]
	}
	r.each(line)
}

func (r *ring) lines() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string{}, r.kept...)
}
