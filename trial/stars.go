package trial

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Admin is the sandbox's player who is an admin.
const Admin = 7000000104

// Telegram are the settings of a program whose Telegram is the sandbox.
func (c *Chain) Telegram() (settings []string) {
	for _, name := range []string{"BOT_TOKEN", "TELEGRAM_API_URL", "ADMIN_IDS"} {
		settings = append(settings, name+"="+c.Exported[name])
	}
	return settings
}

// NewPlayer makes a player of the sandbox with launch data of its bot.
func (c *Chain) NewPlayer(ctx context.Context) (id int64, p Player, err error) {
	var person struct {
		ID int64 `json:"id"`
	}
	if err := c.call(ctx, http.MethodPost, "people", []byte("{}"), &person); err != nil {
		return 0, Player{}, err
	}
	var launch struct {
		InitData string `json:"init_data"`
	}
	err = c.call(ctx, http.MethodGet, "launch?player="+strconv.FormatInt(person.ID, 10), nil, &launch)
	return person.ID, Player{launch.InitData}, err
}

// StarPayment is what happened on a payment sheet.
type StarPayment struct {
	Status  string `json:"status"`
	Error   string `json:"error"`
	Message string `json:"message"`
	Charge  string `json:"telegram_payment_charge_id"`
	Took    int64  `json:"answer_ms"` // until the bot answered the pre-checkout query
}

// PayStars pays an invoice link as in sandbox/README.md, and returns when the sheet would close.
func (c *Chain) PayStars(ctx context.Context, player int64, link, how string, delay time.Duration) (result StarPayment, err error) {
	body, err := json.Marshal(map[string]any{"player": player, "link": link, "how": how, "delay_ms": delay.Milliseconds()})
	if err != nil {
		return result, err
	}
	err = c.call(ctx, http.MethodPost, "stars/pay", body, &result)
	return result, err
}

// RefundStars has Telegram refund a charge by itself.
func (c *Chain) RefundStars(ctx context.Context, charge string) error {
	return c.control(ctx, "stars/refund", map[string]any{"charge": charge})
}

// FailCalls makes the next calls of a method of the Bot API fail: see the faults in sandbox/README.md.
func (c *Chain) FailCalls(ctx context.Context, fault map[string]any) error {
	return c.control(ctx, "faults", fault)
}

// Say sends the bot a message of a player and returns its number.
func (c *Chain) Say(ctx context.Context, player int64, text string) (message int64, err error) {
	body, err := json.Marshal(map[string]any{"text": text})
	if err != nil {
		return 0, err
	}
	var sent struct {
		ID int64 `json:"message_id"`
	}
	err = c.call(ctx, http.MethodPost, fmt.Sprintf("chat/%d/send", player), body, &sent)
	return sent.ID, err
}

// Press presses the first button of the newest message with buttons after a given one; false if there is none.
func (c *Chain) Press(ctx context.Context, player, after int64) (pressed bool, err error) {
	var chat struct {
		Messages []struct {
			ID      int64     `json:"message_id"`
			Buttons *struct{} `json:"reply_markup"`
		} `json:"messages"`
	}
	if err := c.call(ctx, http.MethodGet, fmt.Sprintf("chat/%d", player), nil, &chat); err != nil {
		return false, err
	}
	var newest int64
	for _, m := range chat.Messages {
		if m.Buttons != nil && m.ID > after {
			newest = max(newest, m.ID)
		}
	}
	if newest == 0 {
		return false, nil
	}
	return true, c.control(ctx, fmt.Sprintf("chat/%d/press", player), map[string]any{"message_id": newest, "button": 0})
}

// Now returns the time of the sandbox, its Telegram and its programs.
func (c *Chain) Now(ctx context.Context) (time.Time, error) {
	var clock struct {
		Now time.Time `json:"now"`
	}
	err := c.call(ctx, http.MethodGet, "clock", nil, &clock)
	return clock.Now, err
}

// StarTransaction is a line of Telegram's list; the id of a refund is that of its charge.
type StarTransaction struct {
	ID     string `json:"id"`
	Amount int64  `json:"amount"`
	Source *struct {
		Payload string `json:"invoice_payload"`
	} `json:"source"` // nil for a refund
}

// StarTransactions returns Telegram's whole list, oldest first.
func (c *Chain) StarTransactions(ctx context.Context) (all []StarTransaction, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	const page = 100
	for {
		query := url.Values{"offset": {strconv.Itoa(len(all))}, "limit": {strconv.Itoa(page)}}
		address := c.Exported["TELEGRAM_API_URL"] + "/bot" + c.Exported["BOT_TOKEN"] + "/getStarTransactions?" + query.Encode()
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return nil, err
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return nil, err
		}
		var answer struct {
			Result struct {
				Transactions []StarTransaction `json:"transactions"`
			} `json:"result"`
		}
		err = json.NewDecoder(response.Body).Decode(&answer)
		_ = response.Body.Close()
		if err != nil {
			return nil, err
		}
		all = append(all, answer.Result.Transactions...)
		if len(answer.Result.Transactions) < page {
			return all, nil
		}
	}
}
