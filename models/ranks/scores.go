package ranks

// leafSize is the number of players in a leaf: ids are consecutive numbers, so leaves are full.
const leafSize = 1024

// leaf holds scores plus one; 0 is a player without a score.
type leaf [leafSize]int64

// scores holds each player's score, eight bytes each.
type scores map[int64]*leaf

func (s scores) of(id int64) (score int64, known bool) {
	l := s[id/leafSize]
	if l == nil || l[id%leafSize] == 0 {
		return 0, false
	}
	return l[id%leafSize] - 1, true
}

func (s scores) set(id, score int64) {
	l := s[id/leafSize]
	if l == nil {
		l = new(leaf)
		s[id/leafSize] = l
	}
	l[id%leafSize] = score + 1
}

func (s scores) forget(id int64) {
	if l := s[id/leafSize]; l != nil {
		l[id%leafSize] = 0
	}
}
