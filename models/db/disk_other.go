//go:build !linux && !darwin && !freebsd

package db

// freeBytes is not known on this system.
func freeBytes(string) (bytes int64, known bool, err error) { return 0, false, nil }

// hardLinks returns 1 on systems that do not say how many there are.
func hardLinks(string) (int, error) { return 1, nil }
