package game

import "time"

// Code identifies a refusal for clients and translations.
type Code string

// The refusals of the rules in this package.
const (
	UserBlocked        Code = "user_blocked"
	AgeConsentRequired Code = "age_consent_required"
	SeasonNotStarted   Code = "season_not_started"
	SeasonOver         Code = "season_over"
)

// Refusal is an expected error of a rule: nothing was changed.
type Refusal struct {
	Code       Code
	Params     map[string]any // facts for the message
	RetryAfter time.Duration  // 0 if waiting does not help
}

// Refuse returns a Refusal without parameters.
func Refuse(code Code) *Refusal { return &Refusal{Code: code} }

func (r *Refusal) Error() string { return "refused: " + string(r.Code) }
