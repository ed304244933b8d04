package ton

import (
	"slices"
	"time"
)

// Block is a final block of the masterchain.
type Block struct {
	Seqno    uint32
	RootHash Hash
	FileHash Hash
	Time     time.Time // by the chain's clock, whole seconds
}

// accountView is an account as of a block, by one server.
type accountView struct {
	block Block
	head  Cursor
}

const (
	// mayLag is the largest age of a server's newest block relative to the newest of all.
	mayLag = time.Minute
	// mayLead is how far a block may be ahead of our clock.
	mayLead = time.Minute
)

// upToDate finds the up-to-date servers and the newest block that a majority has. A server without that block is skipped, so that it
// delays no read. states gets the reason for each skipped server.
func upToDate(heads map[int]Block, now time.Time, states []ServerState) (servers []int, common uint32) {
	var newest time.Time // blocks ahead of our clock don't count: all other servers would seem late
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

// agree finds the view of a majority. The total includes slow servers and those that returned an error: a server that makes up an old
// block, which others have pruned, is not alone. states gets the servers that disagree.
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
	case len(votes) == 0, len(votes) == 1 && !found: // no quorum
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
