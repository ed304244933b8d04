package api

import (
	"context"
	"errors"
	"time"

	"github.com/gin-gonic/gin"

	"mcbk/game"
)

// subscription is Telegram's answer about a player.
type subscription struct {
	channel    string
	subscribed bool
}

// Limits of requests to Telegram, and after how long a client may repeat a call that got no answer. (decision 0028: tasks)
const (
	telegramTimeout = 5 * time.Second
	telegramCalls   = 32 // calls that wait for Telegram in one process
	lookupRetry     = 5 * time.Second
)

// fetchSubscription asks Telegram whether the player of checkTelegram joined the channel, before once begins a transaction: no transaction
// waits for the network. A repeated request asks nothing.
func (g *gateway) fetchSubscription(next StrictHandlerFunc, operation string) StrictHandlerFunc {
	if operation != "CheckTelegram" {
		return next
	}
	return func(c *gin.Context, request any) (any, error) {
		check, ok := request.(CheckTelegramRequestObject)
		if !ok {
			return nil, errors.New("a check of another type")
		}
		known, err := g.isAnswered(c)
		if err != nil {
			return nil, err
		}
		if known {
			return next(c, request)
		}
		ctx := c.Request.Context()
		p := player(c)
		channel, err := g.store.Tasks.ChannelOf(ctx, p.ID, check.Body.TaskID, check.Body.ChannelURL, g.options.Season, g.now())
		if err == nil {
			err = g.limits.take(ctx, checksOfPlayer, who(p))
		}
		if err != nil {
			return nil, err
		}
		subscribed, err := g.channels.subscribed(ctx, channel, p.TelegramID)
		if err != nil {
			g.log.WarnContext(ctx, "Telegram does not say who is subscribed", "channel", channel, "error", err)
			return nil, &game.Refusal{Code: telegramUnavailable, RetryAfter: lookupRetry}
		}
		c.Set(subscriptionKey, subscription{channel, subscribed})
		return next(c, request)
	}
}

// channels asks Telegram who is in a public channel.
type channels struct {
	isMember func(ctx context.Context, channel string, telegramID int64) (bool, error)
	slots    chan struct{} // one for each call that waits
}

func newChannels(isMember func(context.Context, string, int64) (bool, error)) *channels {
	return &channels{isMember, make(chan struct{}, telegramCalls)}
}

// subscribed waits for Telegram's answer, but not behind too many other calls.
func (a *channels) subscribed(ctx context.Context, channel string, telegramID int64) (bool, error) {
	select {
	case a.slots <- struct{}{}:
		defer func() { <-a.slots }()
	default:
		return false, errors.New("too many calls wait for Telegram")
	}
	ctx, cancel := context.WithTimeout(ctx, telegramTimeout)
	defer cancel()
	return a.isMember(ctx, channel, telegramID)
}
