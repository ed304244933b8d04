//go:build !linux

package child

import "syscall"

// attributes protect the program from the terminal's Ctrl-C; the sandbox stops it.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
