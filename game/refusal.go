package game

import "time"

// Code names an expected "no"; clients and translations know it by this word.
type Code string

// The refusals of the rules in this package.
const (
	UserBlocked        Code = "user_blocked"
	AgeConsentRequired Code = "age_consent_required"
	SeasonNotStarted   Code = "season_not_started"
	SeasonOver         Code = "season_over"
)

// Refusal is the rules saying no. It is an answer, not a failure: nothing was changed.
type Refusal struct {
	Code       Code
	Params     map[string]any // facts for the message, like the limit that was passed
	RetryAfter time.Duration  // how long to wait before asking again; 0 when waiting does not help
}

// Refuse makes a Refusal without parameters.
func Refuse(code Code) *Refusal { return &Refusal{Code: code} }

func (r *Refusal) Error() string { return "refused: " + string(r.Code) }
