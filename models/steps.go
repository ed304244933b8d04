package models

import "slices"

// Steps are the states that may follow each state of a row. The triggers …_steps of the database refuse any other step; a test
// compares them with these, and prints those of a changed table.
type Steps[State ~string] map[State][]State

// List returns the steps in the form from>to, sorted.
func (s Steps[State]) List() (all []string) {
	for from, next := range s {
		for _, to := range next {
			all = append(all, string(from+">"+to))
		}
	}
	slices.Sort(all)
	return all
}
