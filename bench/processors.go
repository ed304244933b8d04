package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ticksPerSecond is the unit of processor time in /proc.
const ticksPerSecond = 100

// processors measures processor time during calls.
type processors struct {
	program int // its process id
}

// during runs calls and adds the cost of one.
func (p processors) during(costs *[]cost, calls *[]load, of func() (load, error)) error {
	own, postgres, program := seconds(os.Getpid()), secondsOf("postgres"), seconds(p.program)
	if err := measure(calls, of); err != nil {
		return err
	}
	answers := float64((*calls)[len(*calls)-1].answers)
	micros := func(spent float64) float64 { return spent / answers * 1e6 }
	*costs = append(*costs, cost{
		Program:  micros(seconds(p.program) - program),
		Postgres: micros(secondsOf("postgres") - postgres),
		Client:   micros(seconds(os.Getpid()) - own),
	})
	return nil
}

// cost is the processor time of one call, microseconds.
type cost struct {
	Program  float64 `json:"program"`
	Postgres float64 `json:"postgres"`
	Client   float64 `json:"client"`
}

// secondsOf returns the processor time of all processes of a name.
func secondsOf(name string) (sum float64) {
	names, _ := filepath.Glob("/proc/[0-9]*/comm")
	for _, file := range names {
		if text, err := os.ReadFile(file); err == nil && strings.TrimSpace(string(text)) == name { //nolint:gosec // /proc
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			sum += seconds(pid)
		}
	}
	return sum
}

// seconds returns the processor time of a process, in user and kernel mode.
func seconds(pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// After the name, which may contain anything, come state and ten more fields, then the two.
	_, after, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(after)
	const user, system = 11, 12
	if len(fields) <= system {
		return 0
	}
	own, _ := strconv.ParseFloat(fields[user], 64)
	kernel, _ := strconv.ParseFloat(fields[system], 64)
	return (own + kernel) / ticksPerSecond
}
