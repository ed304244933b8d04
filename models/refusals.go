package models

import "mcbk/game"

// Refusals that no rule of package game makes: those of storing and asking.
const (
	IdempotencyKeyReused game.Code = "idempotency_key_reused" // a known key with another body
	NotEligible          game.Code = "not_eligible"           // not offered now
	AdNotConfirmed       game.Code = "ad_not_confirmed"
	BotBlocked           game.Code = "bot_blocked" // the bot may not write to the player
	Expired              game.Code = "expired"
	RateLimited          game.Code = "rate_limited"
	NonceUsed            game.Code = "nonce_used" // the wallet's nonce, or the admin's pending action

	NotFound         game.Code = "not_found"
	ValidationFailed game.Code = "validation_failed"
	Overloaded       game.Code = "overloaded" // too many messages wait to be sent
)

// Refusals that only admins see. They are not of the type game.Code, all of which have a status in the API.
const (
	AlreadyErased     = "already_erased"      // the account was erased
	AlreadySo         = "already_so"          // the game or a broadcast is in that state already
	MoneyWaits        = "money_waits"         // what the account is owed is not settled yet
	OwnMoney          = "own_money"           // the treasury paid itself
	OtherAddress      = "other_address"       // a payout's address has changed since it was shown
	PaysSomethingElse = "pays_something_else" // a transaction that is not the payout's

	AlreadyBanned   = "already_banned"
	NotBanned       = "not_banned"
	AlreadyOffered  = "already_offered"  // a task that is on already
	AlreadyRejected = "already_rejected" // a friend's reward
)

// WrongField refuses a request whose named field differs from what is stored.
func WrongField(field, problem string) *game.Refusal {
	return &game.Refusal{Code: ValidationFailed, Params: map[string]any{"field": field, "problem": problem}}
}

// WalletNotConnected refuses what needs a connected wallet.
const WalletNotConnected game.Code = "wallet_not_connected"
