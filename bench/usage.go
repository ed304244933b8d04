package main

import (
	"os"
	"strconv"
	"strings"
)

// usage is the processor time used so far, seconds.
type usage struct{ program, postgres, generator, idle, all float64 }

func readUsage(program int) usage {
	u := usage{program: seconds(program), postgres: secondsOf("postgres"), generator: seconds(os.Getpid())}
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return u
	}
	line, _, _ := strings.Cut(string(text), "\n")
	u.idle, u.all = machine(line)
	return u
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

// since adds the shares of processor time to a step.
func (u usage) since(before usage, s *step) {
	all := u.all - before.all
	if all <= 0 {
		return
	}
	percent := func(now, then float64) float64 { return (now - then) / all * 100 }
	s.Program, s.Postgres = percent(u.program, before.program), percent(u.postgres, before.postgres)
	s.Generator, s.Idle = percent(u.generator, before.generator), percent(u.idle, before.idle)
	s.Others = max(0, 100-s.Program-s.Postgres-s.Generator-s.Idle)
}
