package admin

// Statements whose plans a test reads.
var (
	NewestQuestions = newestQuestions
	RefusedSince    = refusedSince
)
