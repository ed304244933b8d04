package orders

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
)

// SavePrice stores a reading of the price of TON.
func (s *Store) SavePrice(ctx context.Context, r game.PriceReading) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error {
		err := tx.Scopes(db.OrIgnore).Create(&models.TONPrice{ReadAt: db.Time(r.At), Price: r.Price, Doubtful: r.Doubtful}).Error
		return db.Wrap(err, "store a price of TON")
	})
}

// Rate returns what is known about the price of TON now.
func (s *Store) Rate(ctx context.Context, now time.Time) (game.Rate, error) {
	rate, err := RateAt(s.db.Read(ctx), now)
	return rate, db.WrapUnavailable(err)
}

// RateAt returns the price of a TON at a time, as it was stored.
func RateAt(tx *gorm.DB, now time.Time) (game.Rate, error) {
	readings, err := readingsUntil(tx, now, allReadings)
	return game.RateNow(readings, now), err
}

const (
	allReadings        = "TRUE"
	undisputedReadings = "NOT doubtful"
)

// readingsUntil returns the readings, oldest first, that meet the condition such: those of the last two hours before at, and of
// longer ago if these are few.
func readingsUntil(tx *gorm.DB, at time.Time, such string) ([]game.PriceReading, error) {
	const enough = int(2 * game.PriceMemory / game.PriceInterval)
	var newest []models.TONPrice
	if err := tx.Where("read_at <= ?", at).Where(such).Order("read_at DESC").Limit(enough).Find(&newest).Error; err != nil {
		return nil, fmt.Errorf("read the price of TON: %w", err)
	}
	readings := make([]game.PriceReading, 0, len(newest))
	for _, r := range slices.Backward(newest) {
		readings = append(readings, game.PriceReading{At: r.ReadAt.UTC(), Price: r.Price, Doubtful: r.Doubtful})
	}
	return readings, nil
}

// QuoteAt returns what a TON and an MCBK cost at a moment in the past.
func QuoteAt(tx *gorm.DB, season game.Season, at time.Time) (game.Quote, error) {
	price, err := TonPriceAt(tx, at)
	return game.Quote{TON: price, MCBK: game.Price(season.Day(at))}, err
}

// TonPriceAt returns the price of TON by the last reading before a moment that can be believed, however old: otherwise an old order
// would be worth its own price whenever the services are silent. Without any reading it is 0.
func TonPriceAt(tx *gorm.DB, at time.Time) (game.MicroUSD, error) {
	readings, err := readingsUntil(tx, at, undisputedReadings)
	if err == nil && len(readings) == 0 {
		readings, err = readingsUntil(tx, at, allReadings)
	}
	return game.LastBelieved(readings), err
}
