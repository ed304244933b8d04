package bot_test

import (
	"slices"
	"strings"
	"testing"

	"mcbk/models"
	"mcbk/models/given"
)

func TestCommandsOfPartsNotBuiltAreReadAndChecked(t *testing.T) {
	const nothing, told = "Nothing was changed.", ""
	hash := strings.Repeat("aB", 32)
	good := map[string]string{ // and how what it tries is written down
		"/payouts":                           told,
		"/payouts approve 3":                 "payouts approve 3",
		"/payouts sent 3 " + hash:            "payouts sent 3 " + hash,
		"/tournament status":                 told,
		"/tournament award":                  "tournament award",
		"/tournament  new\n2026-12-01":       "tournament new 2026-12-01",
		"/payouts sent 3 " + hash[:43] + "=": "payouts sent 3 " + hash[:43] + "=",
	}
	bad := map[string][]string{ // and what is told
		"/task":                   {"/task list", "/task add exchange_join URL TITLE", "URL|@CHANNEL TITLE", "/task retire ID"},
		"/task mint 5":            {"/task list"},
		"/task add":               {"/task add exchange_join URL TITLE"},
		"/task list all":          {"Nothing comes after list", "/task list"},
		"/task retire":            {"ID is missing"},
		"/task retire <b>":        {"&lt;b&gt; is no number"},
		"/task retire 0":          {"0 is no number"},
		"/task add exchange_join": {"URL is missing"},
		"/task add exchange_join https://exchange.example":                                 {"TITLE is missing"},
		"/task add exchange_join javascript:alert(1) A | Б":                                {"is no link"},
		"/task add exchange_join http://exchange.example A | Б":                            {"is no link"},
		"/task add exchange_join https://a:b@exchange.example A | Б":                       {"is no link"},
		"/task add exchange_join https://localhost A | Б":                                  {"is no link"},
		"/task add exchange_join //exchange.example A | Б":                                 {"is no link"},
		"/task add exchange_join https://exchange.example Join":                            {"TITLE is English | Russian"},
		"/task add exchange_join https://exchange.example Join | ":                         {"TITLE is English | Russian"},
		"/task add exchange_join https://exchange.example A | Б | C":                       {"TITLE is English | Russian"},
		"/task add exchange_join https://exchange.example A | " + strings.Repeat("я", 101): {"at most 100 characters"},
		"/task add telegram_subscription @a A | Б":                                         {"is no public channel"},
		"/task add telegram_subscription https://evil.example/mcbk A | Б":                  {"is no public channel"},
		"/task add telegram_subscription https://t.me/+invitation A | Б":                   {"is no public channel"},
		"/match 12":                       {"ORDER|PLAYER|refund is missing", "/match PAYMENT ORDER|PLAYER|refund"},
		"/match x refund":                 {"x is no number"},
		"/match 12 MC-abc":                {"neither an order"},
		"/match 12 refund now":            {"Nothing comes after"},
		"/payouts approve":                {"ID is missing", "/payouts approve ID"},
		"/payouts approve 3 x":            {"Nothing comes after ID"},
		"/payouts sent 3":                 {"HASH is missing", "/payouts sent ID HASH"},
		"/payouts sent 3 abc":             {"is no hash"},
		"/payouts pay 3":                  {"/payouts\n", "/payouts approve ID", "/payouts sent ID HASH"},
		"/tournament":                     {"/tournament status", "/tournament award", "/tournament new START"},
		"/tournament new":                 {"START is missing"},
		"/tournament new tomorrow":        {"tomorrow is no day, like 2026-12-01"},
		"/tournament new 2026-02-30":      {"is no day"},
		"/tournament new 2026-12-01 noon": {"Nothing comes after START"},
	}
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		d := atDesk(t, store)
		for text, tried := range good {
			before := len(d.outcomes())
			said := d.writes(d.adam, text)
			if words := said.fields["text"]; !strings.Contains(words, "not open yet") || strings.Contains(words, nothing) == (tried == told) || len(said.buttons()) > 0 {
				t.Errorf("%q got %q", text, said.fields)
			}
			all, err := store.Audit(t.Context(), 1)
			if err != nil {
				t.Fatal(err)
			}
			if added := len(d.outcomes()) - before; tried == told {
				if added != 0 {
					t.Errorf("%q is written down", text)
				}
			} else if added != 1 || strings.Join(append([]string{string(all[0].Action)}, all[0].Args...), " ") != tried ||
				all[0].State != models.ActionRefused || all[0].Outcome != "not open yet" || all[0].AdminID != d.adam.id {
				t.Errorf("%q is written down as %+v", text, all)
			}
		}
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
