package bot

import (
	"fmt"
	"html"
	"regexp"
	"strings"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/admin"
	"mcbk/models/friends"
	"mcbk/models/mines"
	"mcbk/models/tasks"
	"mcbk/models/treasury"
)

// refusalWords explain refusals to an admin and the remedy. A code with a special meaning for one action is listed under both; an
// unlisted code is humanized.
var refusalWords = map[string]string{
	string(treasury.ActionMatch) + ":already_claimed":       "it is already settled",
	string(mines.ActionAward) + ":already_claimed":          "it is already awarded",
	string(mines.ActionTournament) + ":already_claimed":     "another tournament is on during these days; /tournament status lists them",
	string(mines.ActionTournament) + ":expired":             "that day has already begun; choose a later one",
	string(friends.ActionRejectFriend) + ":already_claimed": "the reward is already paid",
	string(friends.ActionRejectFriend) + ":not_found":       "nobody invited them",
	string(treasury.ActionMatch) + ":already_erased":        "that account was erased for good, and nobody can use what it gets; mark the payment for refund",
	string(treasury.ActionMatch) + ":rate_limited":          "it would be more than one admin may settle in a UTC day (/settings matched_a_day); another admin may do it, or, if this payment alone is more, raise it: that counts after 24 hours",
	string(treasury.ActionMatch) + ":price_unavailable":     "no coins were sold when it was paid; give it to its order, or mark it for refund",
	string(treasury.ActionMatch) + ":amount_too_small":      "it is less than the mine costs; give it to the player as coins, or mark it for refund",
	string(treasury.ActionMatch) + ":tournament_not_active": "the tournament of that mine is over; give it to the player as coins, or mark it for refund",
	string(treasury.ActionMatch) + ":level_not_next":        "that mine is already open, or the one before it is not; give it to the player as coins, or mark it for refund",
	string(treasury.ActionCancelPayout) + ":not_eligible":   "it may no longer be in the state that you were shown; look at /payouts and ask again",
	string(tasks.ActionAddTask) + ":not_eligible":           "it would pay something else than you were shown: /settings has changed; ask again",

	models.AlreadySo:         "that is already the case",
	models.AlreadyErased:     "that account was erased for good",
	models.PaysSomethingElse: "that transaction sent another amount, or to another address, so the chain will never settle this payout by it; if it did pay it, /payouts cancel ID and say so",
	models.OwnMoney:          "the treasury paid itself, so nothing came in; mark it for refund, and then /payouts cancel that refund",
	models.OtherAddress:      "it would now go to another address than the one you were shown; look at /payouts and approve it again",
	models.MoneyWaits:        "some of their money still waits; settle it first, see /match, /payouts and /tournament",
	"overloaded":             "too many messages are waiting to be sent; try again later",

	string(admin.PressRepeated):  "it was already decided",
	string(admin.PressTooLate):   "it was pressed too late",
	string(admin.PressNotTheirs): "only the admin who was asked may press it",
}

func explainRefusal(action models.Action, code string) string {
	if words, known := refusalWords[string(action)+":"+code]; known {
		return words
	}
	if words, known := refusalWords[code]; known {
		return words
	}
	return humanize(code)
}

// rawAddress matches an account of the chain in its stored form.
var rawAddress = regexp.MustCompile(`-?\d+:[0-9a-f]{64}`)

// shownAddress returns a raw address in user-friendly form.
func (s Settings) shownAddress(raw string) string {
	if s.ShownAddress == nil {
		return raw
	}
	return s.ShownAddress(raw)
}

// displayText returns a text of the audit log as HTML, its addresses in user-friendly form.
func (s Settings) displayText(text string) string {
	return html.EscapeString(rawAddress.ReplaceAllStringFunc(text, s.shownAddress))
}

func pluralize(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

var friendStates = map[models.FriendState]string{
	models.FriendBound: "on the way", models.FriendQualified: "waiting for the reward", models.FriendRewarded: "rewarded", models.FriendRejected: "rejected",
}

// describeOrder describes an order without its player.
func describeOrder(o models.Order) string {
	what := o.Currency.Format(o.Amount) + " for coins"
	if o.MineLevel != nil {
		what = fmt.Sprintf("%s for mine %d, %s", o.Currency.Format(o.Amount), *o.MineLevel, game.MineAt(*o.MineLevel).Name)
	}
	if o.Paid > 0 {
		what += ", of which " + o.Currency.Format(o.Paid) + " came before"
	}
	return what
}

// sentence capitalises a text and ends it with a full stop.
func sentence(text string) string {
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
