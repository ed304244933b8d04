package models

import "slices"

// maxDigGroup is the most batches of the mines that share a transaction.
const maxDigGroup = 128

// waitingDig is a batch of a mine that waits for its group commit.
type waitingDig struct {
	queuedBatch
	waiting[Dug]
}

// answerDigs writes a group. A batch that nobody waits for any more is not written: it comes again, with its id.
func (s *Store) answerDigs(group []*waitingDig) {
	answerRound(s.DB, slices.DeleteFunc(group, (*waitingDig).abandoned), s.writeDigs)
}
