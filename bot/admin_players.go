package bot

import (
	"context"
	"fmt"
	"html"
	"strings"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/players"
	"mcbk/models/privacy"
)

func (h *adminHandler) adminPlayer(ctx context.Context, _ *message, payload string) (reply, error) {
	if err := validateOnlyPlayer(payload); err != nil {
		return reply{}, err
	}
	d, err := h.store.Players.PlayerDetails(ctx, payload)
	if err != nil {
		return reply{}, err
	}
	p, held := d.Player, d.Player.Balances
	lines := []string{
		fmt.Sprintf("<b>%s</b>", describePlayer(p)),
		fmt.Sprintf("Telegram %d, here since %s UTC", p.TelegramID, formatSecond(p.CreatedAt)),
		"Rules: " + formatSince(p.ConsentedAt, "accepted ", "not accepted"),
		"Banned: " + formatSince(p.BannedAt, "since ", "no") + escapeAfter(": ", p.BanReason),
		"Chat: " + chatState(d),
		"Wallet: " + h.walletState(p),
		fmt.Sprintf("Game %s, referral %s, purchased %s MCBK", held.Game.Decimal(), held.Referral.Decimal(), held.Purchased.Decimal()),
		fmt.Sprintf("Points: game %d, referral %d; ore %s, spins %d, ad spins %d", held.GamePoints, held.ReferralPoints, held.Mine.Decimal(), held.Spins, held.AdSpins),
		fmt.Sprintf("Energy level %d, %s ever", p.Bag.Level().Level, pluralize(int64(p.Bag.Spins), "spin", "spins")),
	}
	orders, err := h.store.Orders.LastOrders(ctx, p.TelegramID, ordersShown)
	if err != nil {
		return reply{}, err
	}
	if len(orders) > 0 {
		lines = append(lines, "", "Latest orders:")
	}
	for _, o := range orders {
		lines = append(lines, describeOwnOrder(o, models.English))
	}
	charges, err := h.store.Stars.ChargesOf(ctx, p.TelegramID, ordersShown)
	if err != nil {
		return reply{}, err
	}
	if len(charges) > 0 {
		lines = append(append(lines, "", "Latest payments in Stars, UTC:"), describeCharges(charges)...)
	}
	if len(d.Postings) > 0 {
		lines = append(lines, "", "Latest postings, UTC:")
	}
	for _, posting := range d.Postings {
		lines = append(lines, fmt.Sprintf("%s %s → %s %s (%s)", formatSecond(posting.PostedAt),
			posting.Source, posting.Destination, formatAmount(posting), html.EscapeString(posting.Reference)))
	}
	return reply{text: strings.Join(lines, "\n")}, nil
}

// validateOnlyPlayer returns errUsage unless the payload names one player.
func validateOnlyPlayer(payload string) error {
	switch len(strings.Fields(payload)) {
	case 0:
		return usageError("ID is missing: a player's number, Telegram's number or @username")
	case 1:
		return validateName(payload)
	}
	return usageError("Nothing comes after ID")
}

func validateName(word string) error {
	if wrong := validate(validatePlayer, word); wrong != "" {
		return usageError(wrong)
	}
	return nil
}

// findOnlyPlayer returns the player named by the whole payload.
func (h *adminHandler) findOnlyPlayer(ctx context.Context, payload string) (models.Player, error) {
	if err := validateOnlyPlayer(payload); err != nil {
		return models.Player{}, err
	}
	return h.store.Players.FindPlayer(ctx, payload)
}

// adminBan requests confirmation of a ban.
func (h *adminHandler) adminBan(ctx context.Context, _ *message, payload string) (reply, error) {
	words := strings.Fields(payload)
	if len(words) < 2 {
		return reply{}, usageError([]string{"ID is missing", "REASON is missing: the player will see it"}[len(words)])
	}
	who, reason := words[0], strings.Join(words[1:], " ")
	if err := validateName(who); err != nil {
		return reply{}, err
	}
	if !isShort(reason) {
		return reply{text: fmt.Sprintf("The player will see the reason: at most %d characters, please.", longestReason)}, nil
	}
	p, err := h.store.Players.FindPlayer(ctx, who)
	if err != nil {
		return reply{}, err
	}
	if p.Banned() {
		return reply{text: describePlayer(p) + " is already banned."}, nil
	}
	return reply{
		text:   fmt.Sprintf("Ban %s? They keep what they have, cannot play, and will read: %s", describePlayer(p), html.EscapeString(reason)),
		action: players.ActionBan, args: []string{fmt.Sprint(p.ID), reason},
	}, nil
}

// adminUnban requests confirmation to lift a ban.
func (h *adminHandler) adminUnban(ctx context.Context, _ *message, payload string) (reply, error) {
	p, err := h.findOnlyPlayer(ctx, payload)
	if err != nil {
		return reply{}, err
	}
	if p.Erased() {
		return reply{text: fmt.Sprintf("Player %d was erased for good and cannot be let in again.", p.ID)}, nil
	}
	if !p.Banned() {
		return reply{text: describePlayer(p) + " is not banned."}, nil
	}
	return reply{
		text:   fmt.Sprintf("Let %s play again? They were banned for: %s", describePlayer(p), html.EscapeString(p.BanReason)),
		action: players.ActionUnban, args: []string{fmt.Sprint(p.ID)},
	}, nil
}

// adminErase requests confirmation to erase a player's identity.
func (h *adminHandler) adminErase(ctx context.Context, _ *message, payload string) (reply, error) {
	p, err := h.findOnlyPlayer(ctx, payload)
	if err != nil {
		return reply{}, err
	}
	if p.Erased() {
		return reply{text: fmt.Sprintf("Player %d is already erased.", p.ID)}, nil
	}
	return reply{
		text: fmt.Sprintf("Erase %s for good? Name, picture and wallet are forgotten, and the account stays closed even if they come back; "+
			"what they own and what they paid stays in the books.", describePlayer(p)),
		action: privacy.ActionErase, args: []string{fmt.Sprint(p.ID)},
	}, nil
}

// listNamesakes lists players of one name, in HTML, for the admin to choose from.
func listNamesakes(all *players.NamesakesError) string {
	lines := []string{"Several players were last seen by that name, and only one can have it now. Say whom you mean by the Telegram number:"}
	for _, p := range all.Players {
		lines = append(lines, fmt.Sprintf("<code>%d</code>: %s, here since %s UTC", p.TelegramID, describePlayer(p), formatSecond(p.CreatedAt)))
	}
	if all.More {
		lines = append(lines, "and others")
	}
	return strings.Join(lines, "\n")
}

// describePlayer returns a player's ID, name and username as HTML. The ID comes first and the name is quoted: a name may imitate
// another player.
func describePlayer(p models.Player) string {
	return fmt.Sprintf("player %d, %s", p.ID, quoteName(p.FirstName)) + escapeAfter(", @", p.Username)
}

// quoteName returns a name as HTML in quotation marks that it cannot close.
func quoteName(name string) string {
	return "“" + html.EscapeString(strings.Map(func(r rune) rune {
		if strings.ContainsRune("\"“”„‟«»″〝〞＂", r) {
			return '\''
		}
		return r
	}, plainName(name))) + "”"
}

func escapeAfter(before, text string) string {
	if text == "" {
		return ""
	}
	return before + html.EscapeString(text)
}

func chatState(d players.PlayerDetails) string {
	switch {
	case d.Blocked != nil:
		return "the bot has been blocked since " + formatSecond(*d.Blocked) + " UTC"
	case !d.Player.Notifications:
		return "open, no notifications wanted"
	}
	return "open"
}

// walletState returns the wallet's address and whether it is proven: only a proven wallet receives prizes.
func (h *adminHandler) walletState(p models.Player) string {
	if p.Wallet == nil {
		return "none"
	}
	state := "not proven"
	if p.WalletProven {
		state = "proven"
	}
	return fmt.Sprintf("<code>%s</code>, %s", html.EscapeString(h.settings.shownAddress(*p.Wallet)), state)
}

func formatSince(at *time.Time, before, never string) string {
	if at == nil {
		return never
	}
	return before + formatSecond(*at) + " UTC"
}

func formatMinute(at time.Time) string { return at.UTC().Format("2006-01-02 15:04") }

func formatSecond(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05") }

func formatAmount(p models.Posting) string {
	if p.Asset == models.AssetMCBK || p.Asset == models.AssetOre {
		return fmt.Sprintf("%s %s", game.MicroMCBK(p.Amount).Decimal(), p.Asset)
	}
	return fmt.Sprintf("%d %s", p.Amount, p.Asset)
}
