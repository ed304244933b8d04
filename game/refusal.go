package game

import "time"

// Code is the code of an expected refusal, by which clients and translations know it.
type Code string

// The refusals of the rules in this package.
const (
	UserBlocked        Code = "user_blocked"
	AgeConsentRequired Code = "age_consent_required"
	SeasonNotStarted   Code = "season_not_started"
	SeasonOver         Code = "season_over"
)

// Refusal is the error by which the rules say no. It is an answer, not a failure: nothing was changed.
type Refusal struct {
	Code       Code
	Params     map[string]any // facts for the message, like the limit that was passed
	RetryAfter time.Duration  // how long to wait before trying again; 0 if waiting does not help
}

// Refuse returns a Refusal without parameters.
func Refuse(code Code) *Refusal { return &Refusal{Code: code} }

func (r *Refusal) Error() string { return "refused: " + string(r.Code) }
