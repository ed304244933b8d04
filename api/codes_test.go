package api_test

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"mcbk/api"
)

// unused are the contract's codes that no call returns, with the reason.
var unused = map[string]string{
	"request_in_progress": "nothing answers it (decision 0009: idempotency)",
}

// codes are those of all responses in this package's tests.
type codes struct {
	mu   sync.Mutex
	seen map[string]bool
}

var seenCodes = codes{seen: map[string]bool{}}

func (c *codes) note(code string) {
	if code != "" {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.seen[code] = true
	}
}

func (c *codes) problems() (all []string) {
	statuses := api.RefusalStatuses()
	for _, code := range slices.Sorted(maps.Keys(c.seen)) {
		if statuses[code] == 0 {
			all = append(all, fmt.Sprintf("%s is answered, but not in the contract", code))
		}
		if why := unused[code]; why != "" {
			all = append(all, fmt.Sprintf("%s is answered, though: %s", code, why))
		}
	}
	for code := range unused {
		if statuses[code] == 0 {
			all = append(all, fmt.Sprintf("%s is unused, and not in the contract", code))
		}
	}
	for _, code := range slices.Sorted(maps.Keys(statuses)) {
		if !c.seen[code] && unused[code] == "" {
			all = append(all, fmt.Sprintf("%s is in the contract, but no test was answered with it", code))
		}
	}
	return all
}
