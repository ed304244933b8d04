-- +goose Up
-- One row is everything the hot path touches: identity, balances, the money bag.
CREATE TABLE players (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    telegram_id BIGINT NOT NULL UNIQUE CHECK (telegram_id > 0),
    first_name TEXT NOT NULL,
    username TEXT NOT NULL,
    photo_url TEXT NOT NULL,
    is_premium BOOLEAN NOT NULL,
    language TEXT NOT NULL CHECK (language IN ('en', 'ru')),
    notifications BOOLEAN NOT NULL,
    referral_code TEXT NOT NULL UNIQUE,
    referrer_id BIGINT REFERENCES players (id) CHECK (referrer_id <> id),
    consented_at DATETIME,
    consent_version SMALLINT NOT NULL,
    created_at DATETIME NOT NULL,

    balance_game BIGINT NOT NULL CHECK (balance_game >= 0),
    balance_referral BIGINT NOT NULL CHECK (balance_referral >= 0),
    balance_purchased BIGINT NOT NULL CHECK (balance_purchased >= 0),
    balance_game_points BIGINT NOT NULL CHECK (balance_game_points >= 0),
    balance_referral_points BIGINT NOT NULL CHECK (balance_referral_points >= 0),
    balance_mine BIGINT NOT NULL CHECK (balance_mine >= 0),
    balance_spins BIGINT NOT NULL CHECK (balance_spins >= 0),
    balance_ad_spins BIGINT NOT NULL CHECK (balance_ad_spins >= 0),

    bag_spins INTEGER NOT NULL CHECK (bag_spins >= 0),
    bag_day INTEGER NOT NULL,
    bag_taps_today INTEGER NOT NULL CHECK (bag_taps_today >= 0),
    bag_energy_spent INTEGER NOT NULL CHECK (bag_energy_spent >= 0),
    bag_allowance_milli BIGINT NOT NULL CHECK (bag_allowance_milli >= 0),
    bag_allowance_at DATETIME NOT NULL
);

CREATE INDEX players_by_referrer ON players (referrer_id) WHERE referrer_id IS NOT NULL;
