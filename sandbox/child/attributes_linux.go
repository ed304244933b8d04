package child

import "syscall"

// attributes protect the program from the terminal's Ctrl-C and end it with a killed sandbox.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
