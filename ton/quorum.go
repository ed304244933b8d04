package ton

import (
	"slices"
	"time"
)

// Block is a block of the masterchain. What it holds is final.
type Block struct {
	Seqno    uint32
	RootHash Hash
	FileHash Hash
	Time     time.Time // when it was made, by the chain's clock, in whole seconds
}

// accountView is what one server sees of an account as of a block.
type accountView struct {
	block Block
	head  Cursor
}

const (
	// mayLag is how far a server's newest block may be older than the newest of all.
	mayLag = time.Minute
	// mayLead is how far a block may be ahead of our clock.
	mayLead = time.Minute
)

// upToDate finds the servers that are up to date, and the newest block that more than half of them have. A server that does not
// have that block yet is left out, so that it delays nobody. In states it notes of each other server why it is left out.
func upToDate(heads map[int]Block, now time.Time, states []ServerState) (servers []int, common uint32) {
	var newest time.Time // blocks ahead of our clock do not count: beside one, all other servers would seem late
	for _, b := range heads {
		if !b.Time.After(now) && b.Time.After(newest) {
			newest = b.Time
		}
	}
	var seqnos []uint32
	for i := range states {
		b, ok := heads[i]
		if !ok {
			continue
		}
		states[i].Head = b
		switch {
		case !b.Time.Before(now.Add(mayLead)):
			states[i].State = Ahead
		case b.Time.Before(newest.Add(-mayLag)):
			states[i].State = Lagging
		default:
			servers, seqnos = append(servers, i), append(seqnos, b.Seqno)
		}
	}
	if len(servers) == 0 {
		return nil, 0
	}
	slices.Sort(seqnos)
	common = seqnos[(len(seqnos)-1)/2]
	return slices.DeleteFunc(servers, func(i int) bool {
		slow := heads[i].Seqno < common
		if slow {
			states[i].State = Slow
		}
		return slow
	}), common
}

// agree finds what more than half of the servers see. Those left out as slow count in that total, and so do those that were asked
// and answered with an error: a server that makes up an old block, which others no longer keep, is not alone. In states it notes
// which servers do not agree.
func agree[View comparable](views map[int]View, asked []int, states []ServerState) (seen View, holders []int, err error) {
	votes := map[View]int{}
	for _, s := range views {
		votes[s]++
	}
	voices := len(views)
	for _, s := range states {
		if s.State == Slow {
			voices++
		}
	}
	for _, i := range asked {
		if states[i].answered() && states[i].Err != nil {
			voices++
		}
	}
	found := false
	for s, n := range votes {
		if 2*n > voices {
			seen, found = s, true
		}
	}
	switch {
	case len(votes) == 0, len(votes) == 1 && !found: // too few to believe
		return seen, nil, ErrNoServer
	case !found:
		for i := range views {
			states[i].State = Differs
		}
		return seen, nil, ErrDiffer
	}
	for i := range states {
		s, ok := views[i]
		switch {
		case ok && s == seen:
			holders = append(holders, i)
			states[i].State = Good
		case ok:
			states[i].State = Differs
		}
	}
	return seen, holders, nil
}
