package models

import "slices"

// maxDigGroup is how many batches of the mines share a transaction at most.
const maxDigGroup = 128

// waitingDig is a batch on its way through the line of the mines.
type waitingDig struct {
	queuedBatch
	waiting[Dug]
}

// answerDigs writes a group. A batch that nobody waits for any more is not written: it comes again, with its id.
func (s *Store) answerDigs(group []*waitingDig) {
	answerRound(s, slices.DeleteFunc(group, (*waitingDig).abandoned), s.writeDigs)
}
