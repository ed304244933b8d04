package trial

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"github.com/tonkeeper/tongo/boc"
	"github.com/tonkeeper/tongo/tlb"
	"github.com/tonkeeper/tongo/wallet"
)

// action is a one-time step, made from earlier responses. Without a write it is retried, or skipped if it says so.
type action struct {
	name string
	make func(p *person, url string) (w *write, leave bool)
}

// actions are all actions. Those of a row are in order; the order of rows varies. The last row is the mines', which need payments and
// sales.
var actions = [][]action{
	{
		{"check-in", func(p *person, _ string) (*write, bool) {
			return p.post("/api/user/checkin", "", write{reference: "checkin:"}), false
		}},
		{"ad for the check-in", startsAd("daily")},
		{"word of the ad network", networkSays("checkin2:")},
		{"check-in, doubled", func(p *person, _ string) (*write, bool) {
			return p.post("/api/user/double-reward", "", write{mayRefuse: true}), false
		}},
	}, {
		{"advice", (*person).claimAdvice},
		{"task", (*person).claimTask},
	}, {
		{"ad for a spin", startsAd("spin")},
		{"word of the ad network for a spin", networkSays("adspin:")},
		{"spin for an ad", func(p *person, _ string) (*write, bool) {
			return p.post("/api/roulette/ad", "", write{mayRefuse: true}), false
		}},
	}, {
		{"prize of a spin", func(p *person, _ string) (*write, bool) {
			if p.pending == 0 {
				return nil, p.spun > 5
			}
			return p.post("/api/roulette/claim-reward", fmt.Sprintf(`{"spin_id":%d}`, p.pending), write{mayRefuse: true}), false
		}},
	}, {
		{"client seed", func(p *person, _ string) (*write, bool) {
			return p.change("PUT", "/api/roulette/client-seed", fmt.Sprintf(`{"client_seed":"drill-%d"}`, p.id), write{}), false
		}},
	}, {
		{"payload of a proof", func(p *person, _ string) (*write, bool) {
			return p.post("/api/ton/proof-payload", "", write{heard: func(a Answer) { p.payload = a.Text("payload") }}), false
		}},
		{"wallet, proven", func(p *person, _ string) (*write, bool) {
			body, err := p.proof(time.Now().Add(p.ahead))
			if err != nil {
				p.seen.complain("sign for %d: %v", p.id, err)
			}
			return p.change("PUT", "/api/user/wallet", body, write{mayRefuse: true, connects: true}), false
		}},
	}, {
		{"order", func(p *person, _ string) (*write, bool) {
			return p.post("/api/token/purchase", `{"ton_amount":1}`, write{orders: true, heard: func(a Answer) { p.order = a.Order().ID }}), false
		}},
		{"order, cancelled", func(p *person, _ string) (*write, bool) {
			return p.change("DELETE", fmt.Sprintf("/api/orders/%d", p.order), "", write{}), false
		}},
		{"order of a mine", func(p *person, _ string) (*write, bool) {
			return p.post("/api/mines/create-payment", `{"level":1}`, write{orders: true, heard: func(a Answer) { p.seen.order(a.Order().Comment) }}), false
		}},
		{"dig", func(p *person, url string) (*write, bool) {
			var mines struct {
				Level int `json:"current_mine_level"`
			}
			if !p.read(url, "/api/mines/status", &mines) || mines.Level == 0 {
				return nil, false
			}
			id := p.name()
			return p.add(write{
				request: p.Request("POST", "/api/mines/mine", fmt.Sprintf(`{"taps":%d,"batch_id":%q}`, 1+p.chance.IntN(20), id), "Idempotency-Key", "dig-"+id),
				key:     "dig-" + id, reference: "tap:" + id,
			}), false
		}},
	},
}

// plans returns a person's order of actions.
func plans(chance *rand.Rand) (plan []action) {
	last := len(actions) - 1
	for _, row := range chance.Perm(last) {
		plan = append(plan, actions[row]...)
	}
	return plan
}

// goesOn does the next action, or repeats the unanswered one.
func (p *person) goesOn(url, other string) {
	if p.doing == nil {
		if len(p.plan) == 0 {
			p.browse(url)
			return
		}
		action := p.plan[0]
		w, leave := action.make(p, url)
		switch {
		case leave:
			p.plan = p.plan[1:]
			return
		case w == nil:
			p.browse(url)
			return
		}
		w.action, p.doing = action.name, w
	}
	if p.chance.IntN(4) == 0 {
		p.sendTwice(url, other, p.doing)
	} else {
		p.send(url, p.doing)
	}
	if p.doing.answer != nil || p.doing.refused {
		p.doing, p.plan = nil, p.plan[1:]
	}
}

func (p *person) post(path, body string, w write) *write { return p.change("POST", path, body, w) }

// change makes a write with an Idempotency-Key.
func (p *person) change(method, path, body string, w write) *write {
	w.key = p.name()
	w.request = p.Request(method, path, body, "Idempotency-Key", w.key)
	return p.add(w)
}

func (p *person) add(w write) *write {
	p.writes = append(p.writes, &w)
	return &w
}

// read fetches what the next action needs.
func (p *person) read(url, path string, into any) bool {
	began := time.Now()
	answer, err := p.client(url).Do(p.Request("GET", path, ""))
	p.seen.hear(answer, time.Since(began), err)
	if err != nil || !answer.expected() {
		if err == nil {
			p.seen.complain("GET %s is answered %d: %s", path, answer.Status, answer.Body)
		}
		return false
	}
	return answer.Status == http.StatusOK && json.Unmarshal(answer.Body, into) == nil
}

func (p *person) claimAdvice(url string) (*write, bool) {
	var advice struct{ ID int64 }
	if !p.read(url, "/api/prediction", &advice) {
		return nil, false
	}
	return p.post("/api/prediction/claim", fmt.Sprintf(`{"prediction_id":%d}`, advice.ID), write{reference: fmt.Sprint("pred:", advice.ID)}), false
}

// claimTask claims the task of requesting advice.
func (p *person) claimTask(url string) (*write, bool) {
	var all struct {
		Tasks []struct {
			ID     int64
			Status string
		}
	}
	if !p.read(url, "/api/tasks", &all) {
		return nil, false
	}
	for _, task := range all.Tasks {
		if task.Status == "completed" {
			return p.post("/api/tasks/claim", fmt.Sprintf(`{"user_task_id":%d}`, task.ID), write{reference: fmt.Sprint("task:", task.ID)}), false
		}
	}
	p.seen.complain("%d has asked for advice, and has no task completed", p.id)
	return nil, true
}

func startsAd(purpose string) func(p *person, _ string) (*write, bool) {
	return func(p *person, _ string) (*write, bool) {
		return p.post("/api/ads/start", fmt.Sprintf(`{"purpose":%q}`, purpose), write{heard: func(a Answer) {
			p.ticket, p.watchedAt = a.Text("ticket"), time.Now().Add(shortestAd)
		}}), false
	}
}

// shortestAd is a second more than an ad's minimum (decision 0026: the daily loop).
const shortestAd = 6 * time.Second

// networkSays is the ad network's callback, which adds a posting and stores no response.
func networkSays(reference string) func(p *person, _ string) (*write, bool) {
	return func(p *person, _ string) (*write, bool) {
		if time.Now().Before(p.watchedAt) {
			return nil, false
		}
		w := write{
			request: fmt.Sprintf("GET /api/ads/reward?key=%s&userid=%d&ticket=%s HTTP/1.1\r\nHost: mcbk\r\n\r\n", AdSecret, p.id, p.ticket), reference: reference,
		}
		if reference == "adspin:" {
			w.reference += p.ticket
		}
		return p.add(w), false
	}
}

// proof returns the body that connects the person's wallet with a signed payload.
func (p *person) proof(at time.Time) (body string, err error) {
	seed := sha256.Sum256(fmt.Append(nil, "wallet of ", p.id))
	key := ed25519.NewKeyFromSeed(seed[:])
	public := key.Public().(ed25519.PublicKey)
	state, err := wallet.GenerateStateInit(public, wallet.V4R2, nil, 0, nil)
	if err != nil {
		return "", err
	}
	address, err := wallet.GenerateWalletAddress(public, wallet.V4R2, nil, 0, nil)
	if err != nil {
		return "", err
	}
	cell := boc.NewCell()
	if err := tlb.Marshal(cell, state); err != nil {
		return "", err
	}
	init, err := cell.ToBocBase64()
	if err != nil {
		return "", err
	}
	const domain = "localhost:8080"
	message := append([]byte("ton-proof-item-v2/\x00\x00\x00\x00"), address.Address[:]...)
	message = binary.LittleEndian.AppendUint32(message, uint32(len(domain)))
	message = append(message, domain...)
	message = binary.LittleEndian.AppendUint64(message, uint64(at.Unix())) //nolint:gosec // after 1970
	message = append(message, p.payload...)
	inner := sha256.Sum256(message)
	digest := sha256.Sum256(append([]byte("\xff\xffton-connect"), inner[:]...))
	text, err := json.Marshal(map[string]any{"wallet_address": address.ToRaw(), "proof": map[string]any{
		"timestamp": at.Unix(), "domain": map[string]any{"lengthBytes": len(domain), "value": domain}, "payload": p.payload,
		"signature": base64.StdEncoding.EncodeToString(ed25519.Sign(key, digest[:])), "public_key": hex.EncodeToString(public), "state_init": init,
	}})
	return string(text), err
}

// Text returns the string with this name in a response.
func (a Answer) Text(name string) (value string) {
	fields := map[string]json.RawMessage{}
	_ = json.Unmarshal(a.Body, &fields)
	_ = json.Unmarshal(fields[name], &value)
	return value
}

// Order returns the order in a response.
func (a Answer) Order() (order struct {
	ID      int64
	Comment string
},
) {
	_ = json.Unmarshal(a.Body, &struct{ Order any }{&order})
	return order
}

// Sell adds orders of coins and mines to the actions.
func (c *Crowd) Sell() {
	for _, p := range c.people {
		p.plan = append(p.plan, actions[len(actions)-1]...)
	}
}

// Unsettled returns the comments of mine orders since the last call.
func (c *Crowd) Unsettled() (comments []string) {
	c.Seen.mu.Lock()
	defer c.Seen.mu.Unlock()
	comments, c.Seen.unsettled = c.Seen.unsettled, nil
	return comments
}

// Actions returns how often each action was acknowledged.
func (c *Crowd) Actions() map[string]int {
	c.Seen.mu.Lock()
	defer c.Seen.mu.Unlock()
	done := map[string]int{}
	for _, action := range slices.Concat(actions...) {
		done[action.name] = c.Seen.actions[action.name]
	}
	return done
}
