package api_test

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"mcbk/api"
)

// awaited are the codes that no test can see yet: the first operation that will refuse with it,
// or what else must be built. Once an operation here is built, its codes must be seen.
var awaited = map[string]string{
	"request_in_progress": "nothing answers it (decision 0009: idempotency)",
	"payment_link_failed": "nothing answers it: a link is only put together (decision 0032: selling coins)",
}

// codes are those that answers carried in any test of this package.
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

// problems compares the codes seen with the contract's.
func (c *codes) problems() (all []string) {
	statuses := api.RefusalStatuses()
	for _, code := range slices.Sorted(maps.Keys(c.seen)) {
		if statuses[code] == 0 {
			all = append(all, fmt.Sprintf("%s is answered, but not in the contract", code))
		}
		if feature := awaited[code]; feature != "" {
			all = append(all, fmt.Sprintf("%s is answered, so that it need not wait for: %s", code, feature))
		}
	}
	for _, code := range slices.Sorted(maps.Keys(statuses)) {
		if !c.seen[code] && awaited[code] == "" {
			all = append(all, fmt.Sprintf("%s is in the contract, but no test was answered with it", code))
		}
	}
	return all
}

func TestAwaitedCodesWaitForSomething(t *testing.T) {
	statuses, built := api.RefusalStatuses(), map[string]bool{}
	for _, operation := range operations(t) {
		built[operation.OperationID] = !api.NotYet[operation.OperationID]
	}
	for code, feature := range awaited {
		if statuses[code] == 0 {
			t.Errorf("%s is not in the contract", code)
		}
		if built[feature] {
			t.Errorf("%s waits for %s, which is built", code, feature)
		}
	}
}
