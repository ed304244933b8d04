//go:build linux || darwin || freebsd

package db

import "syscall"

// freeBytes returns how many bytes may still be written to the disk of a folder.
func freeBytes(folder string) (bytes int64, known bool, err error) {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(folder, &disk); err != nil {
		return 0, false, err
	}
	return int64(disk.Bavail) * int64(disk.Bsize), true, nil //nolint:gosec,unconvert // other systems have other types
}

// hardLinks returns how many names a file has.
func hardLinks(path string) (int, error) {
	var file syscall.Stat_t
	if err := syscall.Stat(path, &file); err != nil {
		return 0, err
	}
	return int(file.Nlink), nil //nolint:gosec,unconvert // other systems have other types
}
