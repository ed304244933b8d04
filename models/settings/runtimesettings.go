package settings

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
)

// ActionChangeSetting changes a runtime setting; its arguments are the key and the value.
const ActionChangeSetting models.Action = "settings"

// SettingPrefix is the prefix of a runtime setting's key in the table of settings.
const SettingPrefix = "knob:" // what is stored must not change

// RuntimeSettings are what admins may change while the program runs. Each field is one line: its key, default, bounds and unit. Add
// a setting only with the code that reads it.
type RuntimeSettings struct {
	EnergyPerTap  int           `key:"energy_per_tap" default:"1" min:"1" max:"10" unit:"energy that a tap takes"`
	CoinsPerTap   int           `key:"micro_mcbk_per_tap" default:"1000" min:"1" max:"10000" unit:"millionths of an MCBK that a tap earns"`
	TapsPerSecond int           `key:"taps_per_second" default:"10" min:"1" max:"50" unit:"taps a second that a player's allowance grows by"`
	TapsSaved     int           `key:"taps_saved" default:"5000" min:"100" max:"20000" unit:"taps that an allowance holds at most"`
	TapsAtFirst   int           `key:"taps_at_first" default:"50" min:"10" max:"1000" unit:"taps that a new player's allowance begins with"`
	LaunchAge     time.Duration `key:"launch_age" default:"24h" min:"1h" max:"48h" unit:"how old launch data may be"`
	LargePayment  int           `key:"large_payment" default:"50" min:"1" max:"1000" unit:"TON above which two lite servers must show a payment"`
	MatchedADay   int           `key:"matched_a_day" default:"1000" min:"1" max:"100000" unit:"TON of held payments that an admin may settle in a UTC day; a raise counts after 24 hours"`

	// How coins and mines are paid for. TON needs a treasury. (decision 0048: Stars)
	PayWith      PayWith       `key:"pay_with" default:"both" min:"ton" max:"both" unit:"what players pay with"`
	StarUSD      game.MicroUSD `key:"star_usd" default:"0.013" min:"0.005" max:"0.03" unit:"US dollars that a Star is worth"`
	StarsAnOrder [2]int        `key:"stars_an_order" default:"1,10000" min:"1,1" max:"10000,10000" unit:"least and most Stars of an order for coins"`

	// What a UTC day pays. What was paid is stored if it is not the default, so that doubling pays the same again.
	CheckInCoins  [7]int `key:"checkin_coins" default:"1,1,1,2,2,2,3" min:"0" max:"30" unit:"MCBK for a check-in on each day of a streak, the last also later"`
	CheckInPoints [7]int `key:"checkin_points" default:"10,20,30,40,50,60,100" min:"1" max:"1000" unit:"points for it"`
	AdvicePoints  int    `key:"advice_points" default:"25" min:"1" max:"1000" unit:"points for the advice of a day, from the next that is given"`
	FreeSpins     int    `key:"free_spins" default:"10" min:"0" max:"20" unit:"free spins that the first look of a day gives"`
	LeastPrize    int    `key:"least_prize_ore" default:"100" min:"1" max:"100000" unit:"MCBK of ore that a prize needs, as it is when a tournament closes"`

	// What tasks ask and pay. The tasks of a day are made once and stay, and so does a task that admins add.
	TaskRouletteSpin  [3]int `key:"task_roulette_spin" default:"10,1,50" min:"1,0,1" max:"20,20,1000" unit:"spins, MCBK and points, from the next day's tasks on"`
	TaskTapCount      [3]int `key:"task_tap_count" default:"500,1,50" min:"1,0,1" max:"1000,20,1000" unit:"taps, MCBK and points, from the next day's"`
	TaskWatchAds      [3]int `key:"task_watch_ads" default:"5,1,100" min:"1,0,1" max:"10,20,1000" unit:"ads, MCBK and points, from the next day's"`
	TaskGetPrediction [3]int `key:"task_get_prediction" default:"1,0,20" min:"1,0,1" max:"1,20,1000" unit:"advice, MCBK and points, from the next day's"`
	TaskInviteFriends [3]int `key:"task_invite_friends" default:"1,2,100" min:"1,0,1" max:"10,20,1000" unit:"friends, MCBK and points, from the next day's"`
	TaskEnergySpend   [3]int `key:"task_energy_spend" default:"1000,1,50" min:"1,0,1" max:"1000,20,1000" unit:"energy, MCBK and points, from the next day's"`
	TaskExchangeJoin  [2]int `key:"task_exchange_join" default:"3,100" min:"0,1" max:"30,1000" unit:"MCBK and points, from the next that is added"`
	TaskSubscription  [2]int `key:"task_telegram_subscription" default:"3,100" min:"0,1" max:"30,1000" unit:"MCBK and points, from the next that is added"`

	// Features of the game that can be switched off: then what players would begin is refused, and what they only read is not.
	Sales bool `key:"sales" default:"on" min:"off" max:"on" unit:"coins and mines can be bought"`
	Ads   bool `key:"ads" default:"on" min:"off" max:"on" unit:"ads can be begun"`
	Wheel bool `key:"wheel" default:"on" min:"off" max:"on" unit:"the wheel turns"`
	Mines bool `key:"mines" default:"on" min:"off" max:"on" unit:"ore can be dug and mines opened"`
}

// PayWith is what players pay with.
type PayWith int

// The ways to pay, in the order of their names.
const (
	PayTON PayWith = iota
	PayStars
	PayBoth
)

// Names of values, in the order of the values.
var (
	payWithNames = []string{"ton", "stars", "both"}
	switchNames  = []string{switchedOff, switchedOn}
)

// Takes reports whether players may pay in a currency.
func (r RuntimeSettings) Takes(c models.Currency) bool {
	return r.PayWith == PayBoth || (r.PayWith == PayStars) == (c == models.CurrencyStars)
}

// TapRules returns the rules by which taps are accepted and what they earn.
func (r RuntimeSettings) TapRules() game.TapRules {
	return game.TapRules{
		TapRate:   game.TapRate{Energy: r.EnergyPerTap, Coins: game.MicroMCBK(r.CoinsPerTap)},
		PerSecond: r.TapsPerSecond, Most: r.TapsSaved, AtFirst: r.TapsAtFirst,
	}
}

// CheckIn returns the rewards of the days of a streak.
func (r RuntimeSettings) CheckIn() (rewards game.CheckInRewards) {
	for i := range rewards {
		rewards[i] = game.Reward{Coins: game.MicroMCBK(r.CheckInCoins[i]) * game.MCBK, Points: int64(r.CheckInPoints[i])}
	}
	return rewards
}

// OutOfReach returns the daily tasks that a player on the first level could not complete: for want of energy, or of spins.
func (r RuntimeSettings) OutOfReach() []game.TaskTerms {
	taps := game.EnergyLevels[0].Energy / r.EnergyPerTap
	most := map[game.TaskAction]int{game.TapCount: taps, game.EnergySpend: taps * r.EnergyPerTap, game.RouletteSpin: r.FreeSpins + game.AdSpinsADay}
	return slices.DeleteFunc(r.DailyTasks(), func(t game.TaskTerms) bool {
		limit, limited := most[t.Action]
		return !limited || t.Target <= int64(limit)
	})
}

// LeastPrizeOre returns the ore that a prize needs.
func (r RuntimeSettings) LeastPrizeOre() game.MicroMCBK {
	return game.MicroMCBK(r.LeastPrize) * game.MCBK
}

// DailyTasks returns what the tasks of a day ask and pay, in the order they are listed.
func (r RuntimeSettings) DailyTasks() []game.TaskTerms {
	return []game.TaskTerms{
		taskTerms(game.RouletteSpin, r.TaskRouletteSpin), taskTerms(game.TapCount, r.TaskTapCount), taskTerms(game.WatchAds, r.TaskWatchAds),
		taskTerms(game.GetPrediction, r.TaskGetPrediction), taskTerms(game.InviteFriends, r.TaskInviteFriends), taskTerms(game.EnergySpend, r.TaskEnergySpend),
	}
}

// PermanentTask returns the terms of a task that admins add; ok is false for an action of daily tasks.
func (r RuntimeSettings) PermanentTask(action game.TaskAction) (terms game.TaskTerms, ok bool) {
	pays, ok := map[game.TaskAction][2]int{game.ExchangeJoin: r.TaskExchangeJoin, game.TelegramSubscription: r.TaskSubscription}[action]
	if !ok {
		return game.TaskTerms{}, false
	}
	return taskTerms(action, [3]int{1, pays[0], pays[1]}), true
}

func taskTerms(action game.TaskAction, terms [3]int) game.TaskTerms {
	return game.TaskTerms{Action: action, Target: int64(terms[0]), Coins: game.MicroMCBK(terms[1]) * game.MCBK, Points: int64(terms[2])}
}

// RuntimeSetting is one of them, for people to read. The value of a list is its numbers with commas between them; a bound of a list
// has one number for each, or one for all.
type RuntimeSetting struct {
	Key, Unit            string
	Value                string // as it is now
	Default, Least, Most string
	Numbers              int // in a list; else 1
}

// IsSwitch reports whether the setting is either on or off.
func (r RuntimeSetting) IsSwitch() bool { return r.Least == switchedOff && r.Most == switchedOn }

// Choices returns the values of a setting that is no number, such as "on or off"; empty for numbers.
func (r RuntimeSetting) Choices() string {
	switch r.Least {
	case switchedOff:
		return switchedOn + " or " + switchedOff
	case payWithNames[PayTON]:
		return strings.Join(payWithNames[:PayBoth], ", ") + " or " + payWithNames[PayBoth]
	}
	return ""
}

// RuntimeSettings returns the runtime settings; every process knows a change within two seconds.
func (s *Store) RuntimeSettings(ctx context.Context, now time.Time) RuntimeSettings {
	return s.currentSettings(ctx, now).Runtime
}

// List returns the settings in their order.
func (r RuntimeSettings) List() []RuntimeSetting {
	values := reflect.ValueOf(r)
	list := make([]RuntimeSetting, values.NumField())
	for i := range list {
		tag := values.Type().Field(i).Tag
		list[i] = RuntimeSetting{
			Key: tag.Get("key"), Unit: tag.Get("unit"), Value: formatValue(values.Field(i)),
			Default: tag.Get("default"), Least: tag.Get("min"), Most: tag.Get("max"), Numbers: len(numbersOf(values.Field(i))),
		}
	}
	return list
}

// Find returns the setting with a key; ok is false if there is none.
func (r RuntimeSettings) Find(key string) (setting RuntimeSetting, ok bool) {
	all := r.List()
	if i := slices.IndexFunc(all, func(setting RuntimeSetting) bool { return setting.Key == key }); i >= 0 {
		return all[i], true
	}
	return RuntimeSetting{}, false
}

// With returns the settings with one of them changed. It refuses with not_found for an unknown key, and with validation_failed for
// a value of another kind or out of bounds.
func (r RuntimeSettings) With(key, value string) (RuntimeSettings, error) {
	fields := reflect.TypeFor[RuntimeSettings]()
	for i := range fields.NumField() {
		tag := fields.Field(i).Tag
		if tag.Get("key") != key {
			continue
		}
		changed := r
		if !setField(reflect.ValueOf(&changed).Elem().Field(i), tag, value) {
			return r, &game.Refusal{Code: models.ValidationFailed, Params: map[string]any{"least": tag.Get("min"), "most": tag.Get("max")}}
		}
		return changed, nil
	}
	return r, game.Refuse(models.NotFound)
}

// setField sets a field to the value of a text; ok is false if the text is of another kind or out of bounds.
func setField(field reflect.Value, tag reflect.StructTag, text string) (ok bool) {
	numbers, said := numbersOf(field), []string{text}
	if field.Kind() == reflect.Array {
		said = strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
	}
	if len(said) != len(numbers) {
		return false
	}
	for i, one := range numbers {
		wanted, err := number(one.Type(), said[i])
		least, _ := number(one.Type(), boundOf(tag.Get("min"), i))
		most, _ := number(one.Type(), boundOf(tag.Get("max"), i))
		if err != nil || wanted < least || wanted > most {
			return false
		}
		if one.Kind() == reflect.Bool {
			one.SetBool(wanted == 1)
		} else {
			one.SetInt(wanted)
		}
	}
	return true
}

// numbersOf returns the numbers of a list, or a single number.
func numbersOf(field reflect.Value) []reflect.Value {
	if field.Kind() != reflect.Array {
		return []reflect.Value{field}
	}
	numbers := make([]reflect.Value, field.Len())
	for i := range numbers {
		numbers[i] = field.Index(i)
	}
	return numbers
}

// boundOf returns the bound of number i of a list.
func boundOf(bounds string, i int) string {
	each := strings.Split(bounds, ",")
	return each[min(i, len(each)-1)]
}

// DefaultSettings returns the default settings.
func DefaultSettings() RuntimeSettings {
	var r RuntimeSettings
	for _, setting := range r.List() {
		var err error
		if r, err = r.With(setting.Key, setting.Default); err != nil {
			panic(fmt.Sprintf("the default of %s is out of bounds", setting.Key)) // a test would find it first
		}
	}
	return r
}

// From returns the settings as stored; what is not stored, or no longer allowed, has its default.
func From(stored map[string]string) RuntimeSettings {
	r := DefaultSettings()
	for key, value := range stored {
		if changed, err := r.With(strings.TrimPrefix(key, SettingPrefix), value); err == nil {
			r = changed
		}
	}
	return r
}

// ChangeSetting changes a setting for every process.
func ChangeSetting(tx *gorm.DB, q models.PendingAction, now time.Time) (outcome string, err error) {
	if len(q.Args) != 2 {
		return "", fmt.Errorf("setting with %d arguments", len(q.Args))
	}
	changed, err := DefaultSettings().With(q.Args[0], q.Args[1])
	if err != nil {
		return "", err
	}
	setting, _ := changed.Find(q.Args[0])
	return fmt.Sprintf("%s is %s", setting.Key, setting.Value), Put(tx, SettingPrefix+setting.Key, setting.Value, now)
}

// number reads a value of a setting's type.
func number(kind reflect.Type, text string) (int64, error) {
	switch {
	case kind == reflect.TypeFor[PayWith]():
		return named(payWithNames, text)
	case kind.Kind() == reflect.Bool:
		return named(switchNames, text)
	case kind == reflect.TypeFor[game.MicroUSD]():
		dollars, err := strconv.ParseFloat(text, 64)
		if err == nil && strconv.FormatFloat(dollars, 'f', -1, 64) != text {
			err = fmt.Errorf("no plain number: %q", text)
		}
		return int64(math.Round(dollars * float64(game.USD))), err
	case kind == reflect.TypeFor[time.Duration]():
		d, err := time.ParseDuration(text)
		return int64(d), err
	}
	return strconv.ParseInt(text, 10, 64)
}

// named reads a value by its name.
func named(names []string, text string) (int64, error) {
	at := slices.Index(names, text)
	if at < 0 {
		return 0, fmt.Errorf("none of %v: %q", names, text)
	}
	return int64(at), nil
}

// formatValue writes a value as number reads it.
func formatValue(value reflect.Value) string {
	if value.Kind() == reflect.Array {
		var each []string
		for _, one := range numbersOf(value) {
			each = append(each, formatValue(one))
		}
		return strings.Join(each, ",")
	}
	switch v := value.Interface().(type) {
	case time.Duration:
		text := v.String() // 24h0m0s
		for _, empty := range []string{"m0s", "h0m"} {
			if strings.HasSuffix(text, empty) {
				text = text[:len(text)-2]
			}
		}
		return text
	case PayWith:
		return payWithNames[v]
	case game.MicroUSD:
		return strconv.FormatFloat(float64(v)/float64(game.USD), 'f', -1, 64)
	case bool:
		if v {
			return switchedOn
		}
		return switchedOff
	}
	return fmt.Sprint(value.Interface())
}
