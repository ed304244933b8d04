//go:build !linux && !darwin && !freebsd

package models

// freeBytes is not known on this system.
func freeBytes(string) (bytes int64, known bool, err error) { return 0, false, nil }

// hardLinks is one where the system does not tell.
func hardLinks(string) (int, error) { return 1, nil }
