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

// processors reads the processor time of a program and its database server, by process ids.
type processors struct{ program, server int }

// usage is the processor time used so far, seconds.
type usage struct{ program, postgres, generator, idle, all float64 }

func (p processors) read() (u usage) {
	u.program, u.generator, u.postgres = processTime(p.program).own, processTime(os.Getpid()).own, serverTime(p.server)
	if text, err := os.ReadFile("/proc/stat"); err == nil {
		line, _, _ := strings.Cut(string(text), "\n")
		u.idle, u.all = machine(line)
	}
	return u
}

func (u usage) since(before usage) usage {
	return usage{
		u.program - before.program, u.postgres - before.postgres, u.generator - before.generator, u.idle - before.idle, u.all - before.all,
	}
}

// during runs calls and adds the cost of one.
func (p processors) during(costs *[]cost, calls *[]load, of func() (load, error)) error {
	before := p.read()
	if err := measure(calls, of); err != nil {
		return err
	}
	spent := p.read().since(before)
	answers := float64((*calls)[len(*calls)-1].answers)
	*costs = append(*costs, cost{spent.program / answers * 1e6, spent.postgres / answers * 1e6, spent.generator / answers * 1e6})
	return nil
}

// cost is the processor time of one call, microseconds.
type cost struct {
	Program  float64 `json:"program"`
	Postgres float64 `json:"postgres"`
	Client   float64 `json:"client"`
}

// serverTime returns the processor time of a PostgreSQL server, with its ended connections; 0 if it does not run here.
func serverTime(server int) float64 {
	if server == 0 {
		return 0
	}
	main := processTime(server)
	sum := main.own + main.ended
	names, _ := filepath.Glob("/proc/[0-9]*")
	for _, name := range names {
		pid, _ := strconv.Atoi(filepath.Base(name))
		if one := processTime(pid); one.parent == server {
			sum += one.own
		}
	}
	return sum
}

// process is a process's parent and processor time in user and kernel mode, seconds: its own, and that of its ended children.
type process struct {
	parent     int
	own, ended float64
}

func processTime(pid int) (p process) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return p
	}
	// After the name, which may contain anything, come state, parent and nine more fields, then the times.
	_, after, _ := strings.Cut(string(text), ") ")
	const parent, times = 1, 11
	fields := strings.Fields(after)
	if len(fields) < times+4 {
		return p
	}
	p.parent, _ = strconv.Atoi(fields[parent])
	seconds := func(field int) float64 {
		ticks, _ := strconv.ParseFloat(fields[field], 64)
		return ticks / ticksPerSecond
	}
	p.own, p.ended = seconds(times)+seconds(times+1), seconds(times+2)+seconds(times+3)
	return p
}

// machine reads the first line of /proc/stat: user, nice, system, idle, waiting for a disk, two of interrupts, stolen.
func machine(line string) (idle, all float64) {
	const idleField, waitField, counted = 3, 4, 8
	fields := strings.Fields(line)
	for i, field := range fields[min(1, len(fields)):] {
		ticks, err := strconv.ParseFloat(field, 64)
		if err != nil || i >= counted {
			break
		}
		all += ticks / ticksPerSecond
		if i == idleField || i == waitField {
			idle += ticks / ticksPerSecond
		}
	}
	return idle, all
}
