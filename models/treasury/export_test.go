package treasury

// Statements whose plans a test reads.
const (
	ActionsSince = actionsSince
	ActionsWith  = actionsWith
)
