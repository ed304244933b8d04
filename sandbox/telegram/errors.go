package telegram

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// Error is an error in the Bot API's format.
type Error struct {
	Code        int
	Description string
	RetryAfter  int // seconds, for code 429
}

func (e *Error) Error() string { return e.Description }

func badRequest(format string, args ...any) error {
	return &Error{Code: http.StatusBadRequest, Description: "Bad Request: " + fmt.Sprintf(format, args...)}
}

var (
	errUnauthorized = &Error{Code: http.StatusUnauthorized, Description: "Unauthorized"}
	errNotFound     = &Error{Code: http.StatusNotFound, Description: "Not Found"}
	errBlocked      = &Error{Code: http.StatusForbidden, Description: "Forbidden: bot was blocked by the user"}
	errNotStarted   = &Error{Code: http.StatusForbidden, Description: "Forbidden: bot can't initiate conversation with a user"}
	errWebhookSet   = &Error{Code: http.StatusConflict, Description: "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"}
	errOldQuery     = badRequest("query is too old and response timeout expired or query ID is invalid")
	errOtherPoll    = &Error{Code: http.StatusConflict, Description: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"}
)

type envelope struct {
	OK          bool        `json:"ok"`
	Result      any         `json:"result,omitempty"`
	ErrorCode   int         `json:"error_code,omitempty"`
	Description string      `json:"description,omitempty"`
	Parameters  *retryAfter `json:"parameters,omitempty"`
}

type retryAfter struct {
	Seconds int `json:"retry_after"`
}

func writeResult(w http.ResponseWriter, result any) {
	writeEnvelope(w, http.StatusOK, envelope{OK: true, Result: result})
}

func writeError(w http.ResponseWriter, e *Error) {
	answer := envelope{ErrorCode: e.Code, Description: e.Description}
	if e.RetryAfter > 0 {
		answer.Parameters = &retryAfter{Seconds: e.RetryAfter}
	}
	writeEnvelope(w, e.Code, answer)
}

func writeEnvelope(w http.ResponseWriter, status int, e envelope) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// A failed write means that the client is gone.
	_ = json.NewEncoder(w).Encode(e)
}
