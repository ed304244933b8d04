package models

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

// ActionSetKnob changes a runtime setting; its arguments are the key and the value.
const ActionSetKnob Action = "settings"

// knobPrefix is the prefix of a runtime setting's key in the table of settings.
const knobPrefix = "knob:"

// Knobs are the runtime settings, which admins may change while the program runs. Each field is one line: its key, default, bounds
// and unit. Add a setting only with the code that reads it.
type Knobs struct {
	EnergyPerTap  int           `knob:"energy_per_tap" usual:"1" least:"1" most:"10" unit:"energy that a tap takes"`
	CoinsPerTap   int           `knob:"micro_mcbk_per_tap" usual:"1000" least:"1" most:"10000" unit:"millionths of an MCBK that a tap earns"`
	TapsPerSecond int           `knob:"taps_per_second" usual:"10" least:"1" most:"50" unit:"taps a second that a player's allowance grows by"`
	TapsSaved     int           `knob:"taps_saved" usual:"5000" least:"100" most:"20000" unit:"taps that an allowance holds at most"`
	TapsAtFirst   int           `knob:"taps_at_first" usual:"50" least:"10" most:"1000" unit:"taps that a new player's allowance begins with"`
	LaunchAge     time.Duration `knob:"launch_age" usual:"24h" least:"1h" most:"48h" unit:"how old launch data may be"`
	LargePayment  int           `knob:"large_payment" usual:"50" least:"1" most:"1000" unit:"TON above which two lite servers must show a payment"`
	MatchedADay   int           `knob:"matched_a_day" usual:"1000" least:"1" most:"100000" unit:"TON of held payments that an admin may settle in a UTC day; a raise counts after 24 hours"`

	// What a UTC day pays. What was paid is stored if it is not the usual, so that doubling pays the same again.
	CheckInCoins  [7]int `knob:"checkin_coins" usual:"1,1,1,2,2,2,3" least:"0" most:"30" unit:"MCBK for a check-in on each day of a streak, the last also later"`
	CheckInPoints [7]int `knob:"checkin_points" usual:"10,20,30,40,50,60,100" least:"1" most:"1000" unit:"points for it"`
	AdvicePoints  int    `knob:"advice_points" usual:"25" least:"1" most:"1000" unit:"points for the advice of a day, from the next that is given"`
	FreeSpins     int    `knob:"free_spins" usual:"10" least:"0" most:"20" unit:"free spins that the first look of a day gives"`
	LeastPrize    int    `knob:"least_prize_ore" usual:"100" least:"1" most:"100000" unit:"MCBK of ore that a prize needs, as it is when a tournament closes"`

	// What tasks ask and pay. The tasks of a day are made once and stay, and so does a task that admins add.
	TaskRouletteSpin  [3]int `knob:"task_roulette_spin" usual:"10,1,50" least:"1,0,1" most:"20,20,1000" unit:"spins, MCBK and points, from the next day's tasks on"`
	TaskTapCount      [3]int `knob:"task_tap_count" usual:"500,1,50" least:"1,0,1" most:"1000,20,1000" unit:"taps, MCBK and points, from the next day's"`
	TaskWatchAds      [3]int `knob:"task_watch_ads" usual:"5,1,100" least:"1,0,1" most:"10,20,1000" unit:"ads, MCBK and points, from the next day's"`
	TaskGetPrediction [3]int `knob:"task_get_prediction" usual:"1,0,20" least:"1,0,1" most:"1,20,1000" unit:"advice, MCBK and points, from the next day's"`
	TaskInviteFriends [3]int `knob:"task_invite_friends" usual:"1,2,100" least:"1,0,1" most:"10,20,1000" unit:"friends, MCBK and points, from the next day's"`
	TaskEnergySpend   [3]int `knob:"task_energy_spend" usual:"1000,1,50" least:"1,0,1" most:"1000,20,1000" unit:"energy, MCBK and points, from the next day's"`
	TaskExchangeJoin  [2]int `knob:"task_exchange_join" usual:"3,100" least:"0,1" most:"30,1000" unit:"MCBK and points, from the next that is added"`
	TaskSubscription  [2]int `knob:"task_telegram_subscription" usual:"3,100" least:"0,1" most:"30,1000" unit:"MCBK and points, from the next that is added"`

	// Features of the game that can be switched off: then what players would begin is refused, and what they only read is not.
	Sales bool `knob:"sales" usual:"on" least:"off" most:"on" unit:"coins and mines can be bought"`
	Ads   bool `knob:"ads" usual:"on" least:"off" most:"on" unit:"ads can be begun"`
	Wheel bool `knob:"wheel" usual:"on" least:"off" most:"on" unit:"the wheel turns"`
	Mines bool `knob:"mines" usual:"on" least:"off" most:"on" unit:"ore can be dug and mines opened"`
}

// TapRules returns the rules by which taps are accepted and what they earn.
func (k Knobs) TapRules() game.TapRules {
	return game.TapRules{
		TapRate:   game.TapRate{Energy: k.EnergyPerTap, Coins: game.MicroMCBK(k.CoinsPerTap)},
		PerSecond: k.TapsPerSecond, Most: k.TapsSaved, AtFirst: k.TapsAtFirst,
	}
}

// CheckIn returns the rewards of the days of a streak.
func (k Knobs) CheckIn() (rewards game.CheckInRewards) {
	for i := range rewards {
		rewards[i] = game.Reward{Coins: game.MicroMCBK(k.CheckInCoins[i]) * game.MCBK, Points: int64(k.CheckInPoints[i])}
	}
	return rewards
}

// LeastPrizeOre returns the ore that a prize needs.
func (k Knobs) LeastPrizeOre() game.MicroMCBK { return game.MicroMCBK(k.LeastPrize) * game.MCBK }

// DailyTasks returns what the tasks of a day ask and pay, in the order they are listed.
func (k Knobs) DailyTasks() []game.TaskTerms {
	return []game.TaskTerms{
		asks(game.RouletteSpin, k.TaskRouletteSpin), asks(game.TapCount, k.TaskTapCount), asks(game.WatchAds, k.TaskWatchAds),
		asks(game.GetPrediction, k.TaskGetPrediction), asks(game.InviteFriends, k.TaskInviteFriends), asks(game.EnergySpend, k.TaskEnergySpend),
	}
}

// PermanentTask returns the terms of a task that admins add; ok is false for an action of daily tasks.
func (k Knobs) PermanentTask(action game.TaskAction) (terms game.TaskTerms, ok bool) {
	pays, ok := map[game.TaskAction][2]int{game.ExchangeJoin: k.TaskExchangeJoin, game.TelegramSubscription: k.TaskSubscription}[action]
	if !ok {
		return game.TaskTerms{}, false
	}
	return asks(action, [3]int{1, pays[0], pays[1]}), true
}

func asks(action game.TaskAction, terms [3]int) game.TaskTerms {
	return game.TaskTerms{Action: action, Target: int64(terms[0]), Coins: game.MicroMCBK(terms[1]) * game.MCBK, Points: int64(terms[2])}
}

// Knob is one runtime setting, for people to read. The value of a list is its numbers with commas between them; a bound of a list
// has one number for each, or one for all.
type Knob struct {
	Key, Unit          string
	Value              string // as it is now
	Usual, Least, Most string
	Numbers            int // in a list; else 1
}

// IsSwitch reports whether the setting is either on or off.
func (k Knob) IsSwitch() bool { return k.Least == switchedOff && k.Most == switchedOn }

// Knobs returns the runtime settings; every process knows a change within two seconds.
func (s *Store) Knobs(ctx context.Context, now time.Time) Knobs {
	return s.currentSettings(ctx, now).knobs
}

// List returns the settings in their order.
func (k Knobs) List() []Knob {
	values := reflect.ValueOf(k)
	list := make([]Knob, values.NumField())
	for i := range list {
		tag := values.Type().Field(i).Tag
		list[i] = Knob{
			Key: tag.Get("knob"), Unit: tag.Get("unit"), Value: shown(values.Field(i)),
			Usual: tag.Get("usual"), Least: tag.Get("least"), Most: tag.Get("most"), Numbers: len(numbersOf(values.Field(i))),
		}
	}
	return list
}

// Find returns the setting with a key; ok is false if there is none.
func (k Knobs) Find(key string) (knob Knob, ok bool) {
	all := k.List()
	if i := slices.IndexFunc(all, func(knob Knob) bool { return knob.Key == key }); i >= 0 {
		return all[i], true
	}
	return Knob{}, false
}

// With returns the settings with one of them changed. It refuses with not_found for an unknown key, and with validation_failed for
// a value of another kind or out of bounds.
func (k Knobs) With(key, value string) (Knobs, error) {
	fields := reflect.TypeFor[Knobs]()
	for i := range fields.NumField() {
		tag := fields.Field(i).Tag
		if tag.Get("knob") != key {
			continue
		}
		turned := k
		if !put(reflect.ValueOf(&turned).Elem().Field(i), tag, value) {
			return k, &game.Refusal{Code: "validation_failed", Params: map[string]any{"least": tag.Get("least"), "most": tag.Get("most")}}
		}
		return turned, nil
	}
	return k, game.Refuse("not_found")
}

// put sets a field to the value of a text; ok is false if the text is of another kind or out of bounds.
func put(field reflect.Value, tag reflect.StructTag, text string) (ok bool) {
	numbers, said := numbersOf(field), []string{text}
	if field.Kind() == reflect.Array {
		said = strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
	}
	if len(said) != len(numbers) {
		return false
	}
	for i, one := range numbers {
		wanted, err := number(one.Type(), said[i])
		least, _ := number(one.Type(), boundOf(tag.Get("least"), i))
		most, _ := number(one.Type(), boundOf(tag.Get("most"), i))
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

// UsualKnobs returns the default settings.
func UsualKnobs() Knobs {
	var k Knobs
	for _, knob := range k.List() {
		var err error
		if k, err = k.With(knob.Key, knob.Usual); err != nil {
			panic(fmt.Sprintf("the usual %s is outside of its bounds", knob.Key)) // a test would find it first
		}
	}
	return k
}

// knobsSet returns the settings as stored; what is not stored, or no longer allowed, has its default.
func knobsSet(stored map[string]string) Knobs {
	k := UsualKnobs()
	for key, value := range stored {
		if turned, err := k.With(strings.TrimPrefix(key, knobPrefix), value); err == nil {
			k = turned
		}
	}
	return k
}

// setKnob changes a setting for every process.
func setKnob(_ *Store, tx *gorm.DB, q Question, now time.Time) (outcome string, err error) {
	if len(q.Args) != 2 {
		return "", fmt.Errorf("setting with %d arguments", len(q.Args))
	}
	turned, err := UsualKnobs().With(q.Args[0], q.Args[1])
	if err != nil {
		return "", err
	}
	knob, _ := turned.Find(q.Args[0])
	return fmt.Sprintf("%s is %s", knob.Key, knob.Value), set(tx, knobPrefix+knob.Key, knob.Value, now)
}

// number reads a value of a setting's type.
func number(kind reflect.Type, text string) (int64, error) {
	switch {
	case kind == reflect.TypeFor[time.Duration]():
		d, err := time.ParseDuration(text)
		return int64(d), err
	case kind.Kind() == reflect.Bool && text == switchedOn:
		return 1, nil
	case kind.Kind() == reflect.Bool && text == switchedOff:
		return 0, nil
	case kind.Kind() == reflect.Bool:
		return 0, fmt.Errorf("neither on nor off: %q", text)
	}
	return strconv.ParseInt(text, 10, 64)
}

// shown writes a value as number reads it.
func shown(value reflect.Value) string {
	if value.Kind() == reflect.Array {
		var each []string
		for _, one := range numbersOf(value) {
			each = append(each, shown(one))
		}
		return strings.Join(each, ",")
	}
	if d, ok := value.Interface().(time.Duration); ok {
		text := d.String() // 24h0m0s
		for _, empty := range []string{"m0s", "h0m"} {
			if strings.HasSuffix(text, empty) {
				text = text[:len(text)-2]
			}
		}
		return text
	}
	if value.Kind() == reflect.Bool {
		if value.Bool() {
			return switchedOn
		}
		return switchedOff
	}
	return fmt.Sprint(value.Interface())
}
