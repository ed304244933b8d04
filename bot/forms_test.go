package bot_test

import (
	"slices"
	"strings"
	"testing"

	"mcbk/models/modelstest"
	"mcbk/models/store"
)

func TestSubcommandsAreParsedAndValidated(t *testing.T) {
	bad := map[string][]string{ // with the reply
		"/task":                   {"/task list", "/task add exchange_join URL TITLE", "URL|@CHANNEL TITLE", "/task retire ID"},
		"/task add":               {"/task add exchange_join URL TITLE"},
		"/task list all":          {"Nothing comes after list", "/task list"},
		"/task retire":            {"ID is missing"},
		"/task retire <b>":        {"&lt;b&gt; is not a number"},
		"/task retire 0":          {"0 is not a number"},
		"/task add exchange_join": {"URL is missing"},
		"/task add exchange_join https://exchange.example":                                 {"TITLE is missing"},
		"/task add exchange_join javascript:alert(1) A | Б":                                {"is not a link"},
		"/task add exchange_join https://exchange.example Join":                            {"TITLE is written as English | Russian"},
		"/task add exchange_join https://exchange.example Join | ":                         {"TITLE is written as English | Russian"},
		"/task add exchange_join https://exchange.example 100% | 100%":                     {"TITLE needs letters in each language"},
		"/task add exchange_join https://exchange.example A | Б | C":                       {"TITLE is written as English | Russian"},
		"/task add exchange_join https://exchange.example A | " + strings.Repeat("я", 101): {"at most 100 characters"},
		"/task add telegram_subscription @a A | Б":                                         {"is not a public channel"},
		"/match 12":       {"ORDER|PLAYER|refund is missing", "/match PAYMENT ORDER|PLAYER|refund"},
		"/match x refund": {"x is not a number"},
		"/match " + strings.Repeat("я", 4000) + " refund": {strings.Repeat("я", 60) + "… is not a number"},
		"/match 12 MC-abc":     {"neither an order"},
		"/match 12 refund now": {"Nothing comes after"},
		"/payouts approve":     {"ID is missing", "/payouts approve ID"},
		"/payouts show":        {"ID is missing", "/payouts show ID"},
		"/payouts approve 3 x": {"Nothing comes after ID"},
		"/payouts sent 3":      {"HASH is missing", "/payouts sent ID HASH"},
		"/payouts sent 3 abc":  {"is not the hash"},
		"/payouts pay 3":       {"/payouts\n", "/payouts approve ID", "/payouts sent ID HASH"},
		"/tournament":          {"/tournament status", "/tournament award", "/tournament new START"},
		"/payouts cancel 3":    {"REASON is missing"},
		"/payouts cancel 3 " + strings.Repeat("я", 201): {"at most 200 characters"},
		"/tournament new":                 {"START is missing"},
		"/tournament new tomorrow":        {"tomorrow is not a day, like 2026-12-01"},
		"/tournament new 2026-02-30":      {"is not a day"},
		"/tournament new 2026-12-01 noon": {"Nothing comes after START"},
	}
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		d := atDesk(t, store)
		before := d.outcomes()
		for text, tells := range bad {
			said := d.writes(d.adam, text).fields["text"]
			for _, words := range append(tells, "Usage:\n<code>/") {
				if !strings.Contains(strings.NewReplacer("</code>", "\n", "<code>", "").Replace(said)+"\n", strings.NewReplacer("<code>", "").Replace(words)) {
					t.Errorf("%q got %q, not %q", text, said, words)
				}
			}
		}
		if !slices.Equal(before, d.outcomes()) {
			t.Errorf("badly written commands left %q", d.outcomes())
		}
	})
}
