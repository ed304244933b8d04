package models

import (
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcbk/game"
)

// A line whose commits take as long as the test wants.
func heldLine() (line *tapLine, sizes *[]int, commit chan struct{}) {
	sizes, commit = new([]int), make(chan struct{})
	line = &tapLine{write: func(group []*waitingTap) {
		*sizes = append(*sizes, len(group))
		<-commit
		for _, w := range group {
			w.finish(nil)
		}
	}}
	return line, sizes, commit
}

func TestBatchesThatComeDuringACommitShareTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line, sizes, commit := heldLine()
		var last *waitingTap
		for range 3*maxTapGroup + 1 {
			last = &waitingTap{done: make(chan struct{})}
			line.join(last)
			synctest.Wait() // the first is on its way alone
		}
		close(commit)
		<-last.done
		line.wait()
		if want := []int{1, maxTapGroup, maxTapGroup, maxTapGroup}; !reflect.DeepEqual(*sizes, want) {
			t.Errorf("groups of %v, want %v", *sizes, want)
		}
	})
}

func TestALineThatIsEmptyHoldsNoGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // it fails when a goroutine is left
		line, sizes, commit := heldLine()
		close(commit)
		for range 3 {
			line.join(&waitingTap{done: make(chan struct{})})
			line.wait()
		}
		if want := []int{1, 1, 1}; !reflect.DeepEqual(*sizes, want) {
			t.Errorf("groups of %v, want %v", *sizes, want)
		}
	})
}

func TestAPanicInTheLineIsAnErrorOfItsBatches(t *testing.T) {
	s := &Store{meter: noMeter{}, switches: newSwitches()} // without a database, writing panics
	s.openLines()
	s.taskBook.newest.Store(&tasksOfDay{day: game.DayOf(time.Time{})})
	for range 2 { // the line goes on
		_, err := s.Tap(t.Context(), TapBatch{TelegramID: 1, Sent: 1, Key: "key-00001"}, game.Season{}, time.Time{})
		if err == nil || !strings.Contains(err.Error(), "panic in the line of taps") {
			t.Errorf("answered with %v", err)
		}
	}
}
