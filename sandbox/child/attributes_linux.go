package child

import "syscall"

// attributes keep the terminal's Ctrl-C from the program, which the sandbox
// stops itself, and let it die with a sandbox that was killed.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
