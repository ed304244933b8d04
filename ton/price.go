package ton

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"sync"
	"time"

	"mcbk/game"
)

const (
	priceTime   = 5 * time.Second
	longestRate = 64 << 10 // bytes
)

// ErrNoPrice means that no service returned a price of TON.
var ErrNoPrice = errors.New("no service returned a price of TON")

// ReadPrice requests the price of TON from all services concurrently and returns the lowest; doubtful if they differ by more than a
// fifth. If all fail, the error is ErrNoPrice.
func ReadPrice(ctx context.Context, services []string, now time.Time) (game.PriceReading, error) {
	prices, failures := make([]game.MicroUSD, len(services)), make([]error, len(services))
	var all sync.WaitGroup
	for i, service := range services {
		all.Go(func() { prices[i], failures[i] = askPrice(ctx, service) })
	}
	all.Wait()
	reading := game.PriceReading{At: now}
	var highest game.MicroUSD
	for i, price := range prices {
		if failures[i] != nil {
			continue
		}
		if reading.Price == 0 || price < reading.Price {
			reading.Price = price
		}
		highest = max(highest, price)
	}
	if reading.Price == 0 {
		return reading, errors.Join(append([]error{ErrNoPrice}, failures...)...)
	}
	reading.Doubtful = !game.Near(highest, reading.Price)
	return reading, nil
}

func askPrice(ctx context.Context, service string) (game.MicroUSD, error) {
	ctx, cancel := context.WithTimeout(ctx, priceTime)
	defer cancel()
	body, host, err := fetch(ctx, service, longestRate)
	if err != nil {
		return 0, err
	}
	price, err := priceIn(body)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", host, err)
	}
	return price, nil
}

// priceIn parses the price in a response of a known form.
func priceIn(body []byte) (game.MicroUSD, error) {
	type dollars struct {
		USD json.Number `json:"usd"`
	}
	var answer struct {
		dollars
		Named dollars `json:"the-open-network"`
		Rates struct {
			TON struct {
				Prices struct {
					USD json.Number `json:"USD"`
				} `json:"prices"`
			} `json:"TON"`
		} `json:"rates"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return 0, fmt.Errorf("read a price: %w", err)
	}
	for _, number := range []json.Number{answer.USD, answer.Named.USD, answer.Rates.TON.Prices.USD} {
		if number != "" {
			return microUSD(number.String())
		}
	}
	return 0, errors.New("the response has no price")
}

// highestPrice is the highest accepted price of a TON, in whole dollars.
const highestPrice = 1_000_000

// microUSD parses dollars exactly, rounded down.
func microUSD(number string) (game.MicroUSD, error) {
	const longest = 40 // digits; an exponent could demand very many
	if len(number) > longest || strings.ContainsAny(number, "eE") {
		return 0, fmt.Errorf("a price of %.40q", number)
	}
	exact, ok := new(big.Rat).SetString(number)
	if !ok {
		return 0, fmt.Errorf("a price of %q", number)
	}
	exact.Mul(exact, new(big.Rat).SetInt64(int64(game.USD)))
	whole := new(big.Int).Quo(exact.Num(), exact.Denom())
	if whole.Sign() <= 0 || whole.Cmp(big.NewInt(highestPrice*int64(game.USD))) > 0 {
		return 0, fmt.Errorf("a price of %s", number)
	}
	return game.MicroUSD(whole.Int64()), nil
}
