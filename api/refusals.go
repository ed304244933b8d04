package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/orders"
	"mcbk/models/wallet"
)

// Refusals of malformed requests.
const (
	validationFailed     = game.Code(ErrorCodeValidationFailed)
	invalidAmount        = game.Code(ErrorCodeInvalidAmount)
	initDataMissing      = game.Code(ErrorCodeInitDataMissing)
	initDataInvalid      = game.Code(ErrorCodeInitDataInvalid)
	initDataExpired      = game.Code(ErrorCodeInitDataExpired)
	notFound             = game.Code(ErrorCodeNotFound)
	methodNotAllowed     = game.Code(ErrorCodeMethodNotAllowed)
	bodyTooLarge         = game.Code(ErrorCodeBodyTooLarge)
	unsupportedMediaType = game.Code(ErrorCodeUnsupportedMediaType)
	unauthorized         = game.Code(ErrorCodeUnauthorized)
	walletAddressInvalid = game.Code(ErrorCodeWalletAddressInvalid)
	telegramUnavailable  = game.Code(ErrorCodeTelegramUnavailable)
	paymentLinkFailed    = game.Code(ErrorCodePaymentLinkFailed)
	rateLimited          = models.RateLimited
	internalError        = game.Code(ErrorCodeInternal)
	tryAgain             = game.Code(ErrorCodeTryAgain)
	overloaded           = game.Code(ErrorCodeOverloaded)
	maintenance          = game.Code(ErrorCodeMaintenance)
)

// switchedOff refuses a disabled feature. The code is that of maintenance, so that clients retain unsent data.
func switchedOff(feature string) *game.Refusal {
	return &game.Refusal{Code: maintenance, Params: map[string]any{"feature": feature}, RetryAfter: maintenanceWait}
}

type refusal struct {
	status  int
	message string // {name} is replaced by the parameter of that name
}

// detail returns the message with its parameters.
func (r refusal) detail(params map[string]any) string {
	filled := make([]string, 0, 2*len(params))
	for name, value := range params {
		filled = append(filled, "{"+name+"}", fmt.Sprint(value))
	}
	return strings.NewReplacer(filled...).Replace(r.message)
}

// refusals maps each code to its status and message. A test compares it with the contract's list.
var refusals = map[game.Code]refusal{
	validationFailed:            {http.StatusBadRequest, "The request is malformed"},
	invalidAmount:               {http.StatusBadRequest, "Invalid amount"},
	game.AmountTooSmall:         {http.StatusBadRequest, "Minimum purchase is 0.1 TON"},
	game.AmountTooLarge:         {http.StatusBadRequest, "Maximum purchase is 1000 TON"},
	walletAddressInvalid:        {http.StatusBadRequest, "Wrong address {address}. {problem}."},
	wallet.WalletProofInvalid:   {http.StatusBadRequest, "The wallet's proof is not valid"},
	initDataMissing:             {http.StatusUnauthorized, "Open the game in Telegram"},
	initDataInvalid:             {http.StatusUnauthorized, "Telegram did not sign this request"},
	initDataExpired:             {http.StatusUnauthorized, "Close the game and open it again"},
	unauthorized:                {http.StatusUnauthorized, "Wrong secret"},
	game.AgeConsentRequired:     {http.StatusForbidden, "Accept the rules first"},
	game.UserBlocked:            {http.StatusForbidden, "This account is blocked"},
	notFound:                    {http.StatusNotFound, "Not found"},
	methodNotAllowed:            {http.StatusMethodNotAllowed, "This address does not take that method"},
	game.AlreadyClaimed:         {http.StatusConflict, "Already claimed"},
	game.NotCompleted:           {http.StatusConflict, "Not completed yet"},
	models.NotEligible:          {http.StatusConflict, "Not available now"},
	game.NoSpinsLeft:            {http.StatusConflict, "No spins left"},
	game.AdSpinsExhausted:       {http.StatusConflict, "No ad spins left today"},
	game.SpinLimitReached:       {http.StatusConflict, "You already have as many spins as you can hold"},
	game.GoldenNotAvailable:     {http.StatusConflict, "The golden spin is not available yet"},
	models.BotBlocked:           {http.StatusConflict, "The bot may not write to this player"},
	models.AdNotConfirmed:       {http.StatusConflict, "The ad is not confirmed yet"},
	models.WalletNotConnected:   {http.StatusConflict, "Please connect your wallet first"},
	wallet.WalletInUse:          {http.StatusConflict, "This wallet belongs to another player"},
	models.NonceUsed:            {http.StatusConflict, "This request was already used"},
	game.LevelNotNext:           {http.StatusConflict, "Unlock the previous level first"},
	game.MineLocked:             {http.StatusConflict, "Unlock a mine first"},
	orders.TooManyOpenOrders:    {http.StatusConflict, "Too many open orders"},
	game.SeasonNotStarted:       {http.StatusConflict, "The season has not started yet"},
	game.SeasonOver:             {http.StatusConflict, "The season is over"},
	game.TournamentNotActive:    {http.StatusConflict, "The tournament is not running"},
	"request_in_progress":       {http.StatusConflict, "The same request is still running"},
	models.Expired:              {http.StatusGone, "This has expired"},
	bodyTooLarge:                {http.StatusRequestEntityTooLarge, "The request is too large"},
	unsupportedMediaType:        {http.StatusUnsupportedMediaType, "Send JSON"},
	models.IdempotencyKeyReused: {http.StatusUnprocessableEntity, "This key was used for another request"},
	rateLimited:                 {http.StatusTooManyRequests, "Too many requests"},
	internalError:               {http.StatusInternalServerError, "An unknown error occurred"},
	paymentLinkFailed:           {http.StatusBadGateway, "Failed to create payment link."},
	orders.PriceUnavailable:     {http.StatusServiceUnavailable, "Failed to load pricing data"},
	telegramUnavailable:         {http.StatusServiceUnavailable, "Telegram is not responding"},
	tryAgain:                    {http.StatusServiceUnavailable, "Try again"},
	overloaded:                  {http.StatusServiceUnavailable, "Too busy, try again"},
	maintenance:                 {http.StatusServiceUnavailable, "Technical works"},
}

// invalid refuses a request for a named part and its problem.
func invalid(field, problem string) *game.Refusal {
	return &game.Refusal{Code: validationFailed, Params: map[string]any{"field": field, "problem": problem}}
}

// decodeRefusal refuses a body that matches the schema but cannot be decoded: invalid_amount, amount_too_large, else validation_failed.
func decodeRefusal(err error) *game.Refusal {
	switch {
	case errors.Is(err, ErrTooLarge):
		return game.Refuse(game.AmountTooLarge)
	case errors.Is(err, ErrAmount):
		return game.Refuse(invalidAmount)
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
		return invalid(wrong.Field, "must be a whole number of at most 64 bits, without point and exponent")
	}
	return invalid("body", "is not what the contract describes")
}

// fail ends a request with an error's response. An unexpected error is logged once, here; the player gets only a request ID.
func (g *gateway) fail(c *gin.Context, err error) {
	no := asRefusal(err)
	answer, known := refusals[no.Code]
	if !known {
		err, no, answer = errors.Join(errors.New("refusal without a status: "+string(no.Code)), err), game.Refuse(internalError), refusals[internalError]
	}
	switch no.Code {
	case internalError:
		g.logFailure(c, err)
	case tryAgain:
		level := slog.LevelWarn
		if errors.Is(c.Request.Context().Err(), context.Canceled) { // the client hung up
			level = slog.LevelDebug
		}
		g.log.Log(c.Request.Context(), level, "request must be tried again", "request", requestIDOf(c), "route", g.routeName(c), "error", err)
	}
	body := Error{Code: ErrorCode(no.Code), Message: answer.detail(no.Params), RequestID: requestIDOf(c)}
	if len(no.Params) > 0 {
		body.Params = &no.Params
	}
	if no.RetryAfter > 0 {
		seconds := int(math.Ceil(no.RetryAfter.Seconds()))
		body.RetryAfter = &seconds
		c.Header("Retry-After", strconv.Itoa(seconds))
	}
	c.AbortWithStatusJSON(answer.status, body)
}

func (g *gateway) logFailure(c *gin.Context, err error) {
	g.log.ErrorContext(c.Request.Context(), "request failed", "request", requestIDOf(c), "route", g.routeName(c), "player", player(c).ID, "error", err)
}

// asRefusal returns the refusal for an error.
func asRefusal(err error) *game.Refusal {
	var no *game.Refusal
	switch {
	case errors.As(err, &no):
		return no
	case errors.Is(err, db.ErrNotFound):
		return game.Refuse(notFound)
	case errors.Is(err, db.ErrOverloaded):
		return &game.Refusal{Code: overloaded, RetryAfter: time.Second}
	case errors.Is(err, db.ErrUnavailable), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return &game.Refusal{Code: tryAgain, RetryAfter: time.Second}
	}
	return game.Refuse(internalError)
}
