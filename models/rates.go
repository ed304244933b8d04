package models

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

// KeepPrice stores a reading of the price of TON.
func (s *Store) KeepPrice(ctx context.Context, r game.PriceReading) error {
	return s.DB.inTx(ctx, func(tx *gorm.DB) error {
		err := tx.Exec("INSERT INTO ton_prices (read_at, price, doubtful) VALUES (?, ?, ?) ON CONFLICT (read_at) DO NOTHING",
			stored(r.At), int64(r.Price), r.Doubtful).Error
		if err != nil {
			return fmt.Errorf("keep a price of TON: %w", err)
		}
		return nil
	})
}

// Rate returns what is known about the price of TON now.
func (s *Store) Rate(ctx context.Context, now time.Time) (game.Rate, error) {
	rate, err := rateAt(s.DB.reading(ctx), now)
	return rate, explained(err)
}

func rateAt(tx *gorm.DB, now time.Time) (game.Rate, error) {
	readings, err := readingsUntil(tx, now, allReadings)
	if err != nil {
		return game.Rate{}, err
	}
	return game.RateNow(readings, now), nil
}

const (
	allReadings        = "TRUE"
	undisputedReadings = "NOT doubtful"
)

// readingsUntil returns the readings, oldest first, that meet the condition such: those of the last two hours before at, and of
// longer ago if these are few.
func readingsUntil(tx *gorm.DB, at time.Time, such string) ([]game.PriceReading, error) {
	const enough = int(2 * game.PriceMemory / game.PriceInterval)
	var newest []struct {
		ReadAt   time.Time
		Price    game.MicroUSD
		Doubtful bool
	}
	err := tx.Raw("SELECT read_at, price, doubtful FROM ton_prices WHERE read_at <= ? AND "+such+" ORDER BY read_at DESC LIMIT ?", at, enough).Scan(&newest).Error
	if err != nil {
		return nil, fmt.Errorf("read the price of TON: %w", err)
	}
	readings := make([]game.PriceReading, 0, len(newest))
	for _, r := range slices.Backward(newest) {
		readings = append(readings, game.PriceReading{At: r.ReadAt.UTC(), Price: r.Price, Doubtful: r.Doubtful})
	}
	return readings, nil
}

// quoteAt returns what a TON and an MCBK cost at a moment in the past.
func quoteAt(tx *gorm.DB, season game.Season, at time.Time) (game.Quote, error) {
	price, err := tonPriceAt(tx, at)
	return game.Quote{TON: price, MCBK: game.Price(season.Day(at))}, err
}

// tonPriceAt returns the price of TON by the last reading before a moment that can be believed, however old: otherwise an old order
// would be worth its own price whenever the services are silent. Without any reading it is 0.
func tonPriceAt(tx *gorm.DB, at time.Time) (game.MicroUSD, error) {
	readings, err := readingsUntil(tx, at, undisputedReadings)
	if err == nil && len(readings) == 0 {
		readings, err = readingsUntil(tx, at, allReadings)
	}
	return game.LastBelieved(readings), err
}
