package season

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"mcbk/game"
	"mcbk/trial"
)

// kind is a playing style.
type kind string

const (
	honest kind = "honest" // comes most days, and plays a while
	greedy kind = "greedy" // takes all rewards, each day
	owner  kind = "owner"  // plays like honest, and invents friends
	fake   kind = "fake"   // an invented friend, who only qualifies as one
)

// person is somebody who plays.
type person struct {
	trial.Player
	kind    kind
	id      int64 // Telegram's
	arrives int   // day of the season
	inviter *person
	invites map[int]bool // days on which a friend arrives; the inviter plays then
	code    string       // referral code
	chance  *rand.Rand

	// Habits of the honest.
	comes, spins float64 // share of days, and of a day's spins
	energyShare  float64 // share of a day's energy that is tapped
	advice, ads  bool    // requests advice; watches ads

	today  today
	writes int // number of writes, for their keys
	days   int // with a check-in
	spun   int // ordinary spins, ever
	gold   int // golden ones
	// The energy of a greedy player: that of each day, at its level.
	energy int
}

// today is a player's state on a day.
type today struct {
	here    bool
	tapped  int      // taps that were accepted
	left    int      // spins
	golden  bool     // a golden spin is there
	tickets []string // of ads that are being watched
}

// step is a time of day with each kind's action.
type step struct {
	at     time.Duration // since 00:00 UTC
	honest func(*person, *visit) error
	greedy func(*person, *visit) error
}

// steps are in the order of the day. Tickets are limited to twenty an hour, so ads are spread; a new player's first batch is short, since
// the allowance begins small.
var steps = []step{
	{8 * time.Hour, (*person).morning, (*person).greedyMorning},
	{8*time.Hour + 10*time.Minute, (*person).goesOn, (*person).greedyNoon},
	{10 * time.Hour, nil, (*person).greedyAgain},
	{10*time.Hour + 10*time.Minute, nil, (*person).greedyEvening},
}

const (
	adSecret  = "season-secret"
	adsAtOnce = 20 // tickets an hour (decision 0026: the daily loop)
	tapPath   = "/tap/perform-batch-tap"
	repeats   = 20 // of an unanswered request
)

// visit is a connection at a step of a day.
type visit struct {
	*trial.Client
	day int // of the season
	now time.Time
}

// call expects success. A write has a key, like the app's, or a batch ID.
func (p *person) call(v *visit, method, path, body string, into any) error {
	var key []string
	if method != http.MethodGet && path != tapPath {
		p.writes++
		key = []string{"Idempotency-Key", fmt.Sprintf("season-%06d", p.writes)}
	}
	answer, err := v.ask(p.Request(method, "/api"+path, body, key...))
	if err != nil {
		return fmt.Errorf("%s of %d on day %d: %w", path, p.id, v.day, err)
	}
	if answer.Status != http.StatusOK {
		return fmt.Errorf("%s %s of %s %d on day %d is answered %d: %s", path, body, p.kind, p.id, v.day, answer.Status, answer.Body)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer.Body, into)
}

// ask sends a request, and repeats it while a busy machine does not answer.
func (v *visit) ask(request string) (answer trial.Answer, err error) {
	for try := range repeats {
		time.Sleep(time.Duration(try) * 100 * time.Millisecond)
		if answer, err = v.Do(request); err == nil && answer.Status != http.StatusServiceUnavailable {
			break
		}
	}
	return answer, err
}

// opens signs in; a new player accepts the rules.
func (p *person) opens(v *visit) error {
	p.Player = trial.NewPlayer(p.id, v.now)
	path := "/user/me"
	arrives := v.day == p.arrives
	if arrives && p.inviter != nil { // who came on a day before
		path += "?referral_code=" + p.inviter.code
	}
	var me struct {
		Code    string `json:"referral_code"`
		Balance struct {
			Spins int `json:"daily_spins"`
		} `json:"balance"`
	}
	if err := p.call(v, "GET", path, "", &me); err != nil {
		return err
	}
	p.today = today{here: true, left: me.Balance.Spins}
	if arrives {
		p.code = me.Code
		return p.call(v, "PUT", "/user/update", `{"age_consent_accepted":true}`, nil)
	}
	return nil
}

func (p *person) checksIn(v *visit) error {
	p.days++
	return p.call(v, "POST", "/user/checkin", "", nil)
}

// tapsBag taps a share of the day's energy, as far as the pace allows.
func (p *person) tapsBag(v *visit, share float64) error {
	sent := int(float64(p.dayEnergy()-p.today.tapped) * share)
	if sent == 0 {
		return nil
	}
	var tapped struct {
		Accepted int `json:"accepted"`
	}
	err := p.call(v, "POST", tapPath, fmt.Sprintf(`{"total_taps":%d,"batch_id":"batch-%d"}`, sent, v.now.Unix()), &tapped)
	p.today.tapped += tapped.Accepted
	return err
}

// dayEnergy is the energy of a day at the current level; a tap takes one.
func (p *person) dayEnergy() int { return game.LevelAt(p.spun + p.gold).Energy }

// looks visits the wheel, where a golden spin may be available.
func (p *person) looks(v *visit) error {
	var wheel struct {
		Spins  int  `json:"daily_spins"`
		Golden bool `json:"is_golden_spin_available"`
	}
	err := p.call(v, "GET", "/roulette/status", "", &wheel)
	p.today.left, p.today.golden = wheel.Spins, wheel.Golden
	return err
}

// spin is a spin's result.
type spin struct {
	ID     int64  `json:"spin_id"`
	Status string `json:"status"`
	Reward struct {
		Type   string `json:"type"`
		Double bool   `json:"canDoubleWithAd"`
	} `json:"reward"`
	User struct {
		Balance struct {
			Spins int `json:"daily_spins"`
		} `json:"balance"`
	} `json:"user"`
}

func (p *person) spinsOnce(v *visit) (s spin, err error) {
	err = p.call(v, "POST", "/roulette/spin", fmt.Sprintf(`{"is_golden_spin_requested":%t}`, p.today.golden), &s)
	if p.today.golden {
		p.gold++
	} else {
		p.spun++
	}
	p.today.left, p.today.golden = s.User.Balance.Spins, false
	return s, err
}

// takes claims a spin's prize, unless it is paid.
func (p *person) takes(v *visit, s spin) error {
	switch {
	case s.Status != "pending":
		return nil
	case s.Reward.Type == game.ChestType:
		return p.call(v, "POST", "/roulette/claim-chest-reward", fmt.Sprintf(`{"spin_id":%d,"watch_ad":false}`, s.ID), nil)
	}
	return p.call(v, "POST", "/roulette/claim-reward", fmt.Sprintf(`{"spin_id":%d}`, s.ID), nil)
}

func (p *person) startsAd(v *visit, purpose string, target int64) error {
	body := fmt.Sprintf(`{"purpose":%q}`, purpose)
	if target != 0 {
		body = fmt.Sprintf(`{"purpose":%q,"target_id":%d}`, purpose, target)
	}
	var ad struct {
		Ticket string `json:"ticket"`
	}
	err := p.call(v, "POST", "/ads/start", body, &ad)
	p.today.tickets = append(p.today.tickets, ad.Ticket)
	return err
}

// watched confirms all begun ads by the network.
func (p *person) watched(v *visit) error {
	for _, ticket := range p.today.tickets {
		answer, err := v.ask(fmt.Sprintf("GET /api/ads/reward?key=%s&userid=%d&ticket=%s HTTP/1.1\r\nHost: mcbk\r\n\r\n", adSecret, p.id, ticket))
		if err != nil || answer.Status != http.StatusOK {
			return fmt.Errorf("the word of the ad network is answered %d: %s: %w", answer.Status, answer.Body, err)
		}
	}
	p.today.tickets = nil
	return nil
}

func (p *person) claimsTasks(v *visit) error {
	var all struct {
		Tasks []struct {
			ID     int64  `json:"id"`
			Status string `json:"status"`
		} `json:"tasks"`
	}
	if err := p.call(v, "GET", "/tasks", "", &all); err != nil {
		return err
	}
	for _, task := range all.Tasks {
		if task.Status != "completed" {
			continue
		}
		if err := p.call(v, "POST", "/tasks/claim", fmt.Sprintf(`{"user_task_id":%d}`, task.ID), nil); err != nil {
			return err
		}
	}
	return nil
}

func (p *person) asksAdvice(v *visit) (id int64, err error) {
	var advice struct {
		ID int64 `json:"id"`
	}
	err = p.call(v, "GET", "/prediction", "", &advice)
	return advice.ID, err
}

// morning is most of an honest day.
func (p *person) morning(v *visit) error {
	if err := p.tapsBag(v, p.energyShare*p.chance.Float64()); err != nil {
		return err
	}
	var last spin // the others' prizes are paid by the next
	for n := int(p.spins * float64(game.FreeSpinsADay)); n > 0 && p.today.left > 0; n-- {
		won, err := p.spinsOnce(v)
		if err != nil {
			return err
		}
		last = won
	}
	if err := p.takes(v, last); err != nil {
		return err
	}
	if p.advice {
		id, err := p.asksAdvice(v)
		if err != nil {
			return err
		}
		if err := p.call(v, "POST", "/prediction/claim", fmt.Sprintf(`{"prediction_id":%d}`, id), nil); err != nil {
			return err
		}
	}
	if p.ads {
		return p.startsAd(v, "daily", 0)
	}
	return nil
}

// goesOn is the rest: the ad is over, and the bag has refilled. Once a week some forget to claim.
func (p *person) goesOn(v *visit) error {
	if err := p.watched(v); err != nil {
		return err
	}
	if err := p.tapsBag(v, p.energyShare); err != nil {
		return err
	}
	if v.day%7 == 0 && p.chance.IntN(4) == 0 {
		return nil
	}
	return p.claimsTasks(v)
}

// spinsAll spins until no spin or ticket is left, with an ad for each spin that it doubles: the confirmation pays even after the next
// spin.
func (p *person) spinsAll(v *visit) error {
	if err := p.looks(v); err != nil {
		return err
	}
	for p.today.left > 0 && len(p.today.tickets) < adsAtOnce {
		won, err := p.spinsOnce(v)
		switch {
		case err != nil:
			return err
		case won.Reward.Double:
			err = p.startsAd(v, "roulette", won.ID)
		case p.today.left == 0: // there may be a spin in it
			if err = p.takes(v, won); err == nil {
				err = p.looks(v)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// greedyMorning begins the day's ads, and spins while tickets are available.
func (p *person) greedyMorning(v *visit) error {
	if err := p.tapsBag(v, 1); err != nil {
		return err
	}
	advice, err := p.asksAdvice(v)
	if err != nil {
		return err
	}
	if err := p.startsAd(v, "daily", 0); err != nil {
		return err
	}
	if err := p.startsAd(v, "prediction", advice); err != nil {
		return err
	}
	for range game.AdSpinsADay {
		if err := p.startsAd(v, "spin", 0); err != nil {
			return err
		}
	}
	return p.spinsAll(v)
}

// greedyNoon takes the morning's rewards.
func (p *person) greedyNoon(v *visit) error {
	if err := p.watched(v); err != nil {
		return err
	}
	if err := p.call(v, "POST", "/user/double-reward", "", nil); err != nil {
		return err
	}
	return p.call(v, "POST", "/circle-ads/claim", "", nil)
}

// greedyAgain spins the rest, and taps the added energy.
func (p *person) greedyAgain(v *visit) error {
	if err := p.spinsAll(v); err != nil {
		return err
	}
	p.energy += p.dayEnergy()
	return p.tapsBag(v, 1)
}

// greedyEvening takes the rest of the day. A doubled chest's spin is left for the next.
func (p *person) greedyEvening(v *visit) error {
	if err := p.watched(v); err != nil {
		return err
	}
	return p.claimsTasks(v)
}
