package api

import (
	"context"
	"errors"
	"time"

	"github.com/gin-gonic/gin"

	"mcbk/game"
)

// subscription is a player's membership of a channel.
type subscription struct {
	channel    string
	subscribed bool
}

// Limits of requests to Telegram, and the client's retry delay (decision 0028: tasks).
const (
	telegramTimeout = 5 * time.Second
	telegramCalls   = 32 // concurrent calls per process
	lookupRetry     = 5 * time.Second
)

// fetchSubscription loads the membership for checkTelegram before once begins a transaction: no transaction waits for the network. A
// repeated request skips it.
func (g *gateway) fetchSubscription(next StrictHandlerFunc, operation string) StrictHandlerFunc {
	if operation != "CheckTelegram" {
		return next
	}
	return g.unlessAnswered(next, func(c *gin.Context, request any) error {
		check, ok := request.(CheckTelegramRequestObject)
		if !ok {
			return errors.New("unexpected request type")
		}
		ctx := c.Request.Context()
		p := player(c)
		channel, err := g.store.Tasks.ChannelOf(ctx, p.ID, check.Body.TaskID, check.Body.ChannelURL, g.options.Season, g.now())
		if err == nil {
			err = g.limits.take(ctx, checksOfPlayer, who(p))
		}
		if err != nil {
			return err
		}
		subscribed, err := g.isSubscribed(ctx, channel, p.TelegramID)
		if err != nil {
			g.log.WarnContext(ctx, "load channel membership", "channel", channel, "error", err)
			return &game.Refusal{Code: telegramUnavailable, RetryAfter: lookupRetry}
		}
		c.Set(subscriptionKey, subscription{channel, subscribed})
		return nil
	})
}

// isSubscribed loads a player's membership of a public channel; too many concurrent calls are an error.
func (g *gateway) isSubscribed(ctx context.Context, channel string, telegramID int64) (bool, error) {
	select {
	case g.lookups <- struct{}{}:
		defer func() { <-g.lookups }()
	default:
		return false, errors.New("too many concurrent calls to Telegram")
	}
	ctx, cancel := context.WithTimeout(ctx, telegramTimeout)
	defer cancel()
	return g.options.Subscribed(ctx, channel, telegramID)
}
