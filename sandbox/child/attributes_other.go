//go:build !linux

package child

import "syscall"

// attributes keep the terminal's Ctrl-C from the program, which the sandbox
// stops itself.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
