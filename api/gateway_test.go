package api

import "testing"

func TestStageNeedsOnlyKeysOfEarlierStages(t *testing.T) {
	left, last := map[string]bool{}, allRequests
	for _, s := range new(gateway).stages() {
		if s.scope < last {
			t.Errorf("%s comes after a stage of a narrower scope", s.name)
		}
		if (s.wrap != nil) != (s.scope == operations) || (s.run != nil) == (s.wrap != nil) {
			t.Errorf("%s has the wrong kind of function for its scope", s.name)
		}
		for _, key := range s.needs {
			if !left[key] {
				t.Errorf("%s needs %q, which no earlier stage leaves", s.name, key)
			}
		}
		for _, key := range s.leaves {
			left[key] = true
		}
		last = s.scope
	}
}
