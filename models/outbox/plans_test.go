package outbox_test

import (
	"testing"

	"mcbk/models/modelstest"
	"mcbk/models/outbox"
)

// Most of what waits of this broadcast has failed.
func TestUntriedMessagesAreFoundByIndex(t *testing.T) {
	t.Parallel()
	modelstest.NewPlans(t, "broadcasts", "outbox").WantIndex(t, "outbox_untried", outbox.UntriedMessages, 1, 10_000)
}
