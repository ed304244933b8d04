package mines

import (
	"slices"

	"mcbk/models/db"
	"mcbk/models/taps"
)

// maxDigGroup is the most batches of the mines that share a transaction.
const maxDigGroup = 128

// waitingDig is a batch of a mine that waits for its group commit.
type waitingDig struct {
	taps.QueuedBatch
	db.Call[Dug]
}

// answerDigs writes a group. A batch that nobody waits for any more is not written: it comes again, with its id.
func (s *Store) answerDigs(group []*waitingDig) {
	db.AnswerRound(s.db, slices.DeleteFunc(group, (*waitingDig).Abandoned), s.writeDigs)
}
