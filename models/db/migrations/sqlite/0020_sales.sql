-- +goose Up
-- What one TON was said to cost.
CREATE TABLE ton_prices (
    read_at DATETIME PRIMARY KEY,
    price BIGINT NOT NULL CHECK (price > 0), -- micro-USD, the lowest of the sources
    doubtful BOOLEAN NOT NULL -- the sources differed too much
);

ALTER TABLE players ADD COLUMN wallet TEXT; -- the connected wallet's raw address

CREATE TABLE orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    player_id BIGINT NOT NULL REFERENCES players (id),
    kind TEXT NOT NULL CHECK (kind IN ('purchase', 'mine')),
    comment TEXT NOT NULL UNIQUE, -- by which a payment is matched
    amount BIGINT NOT NULL CHECK (amount > 0), -- nanoton asked
    coins BIGINT NOT NULL CHECK (coins >= 0), -- micro-MCBK that it brings when paid in time
    ton_price BIGINT NOT NULL CHECK (ton_price > 0), -- micro-USD, locked
    mcbk_price BIGINT NOT NULL CHECK (mcbk_price > 0), -- micro-USD, locked
    state TEXT NOT NULL CHECK (state IN ('pending', 'paid', 'expired', 'cancelled', 'held')),
    created_at DATETIME NOT NULL,
    expires_at DATETIME NOT NULL CHECK (expires_at > created_at),
    paid BIGINT NOT NULL DEFAULT 0 CHECK (paid >= 0), -- nanoton that were credited
    paid_at DATETIME, -- chain time of the first payment
    tx_hash TEXT CHECK ((tx_hash IS NULL) = (paid_at IS NULL))
);

CREATE INDEX orders_by_player ON orders (player_id, id);
CREATE INDEX orders_open ON orders (expires_at) WHERE state = 'pending';

-- The one account that payments go to, and up to where its history is recorded.
CREATE TABLE treasury (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    network TEXT NOT NULL,
    address TEXT NOT NULL, -- raw
    lt BIGINT NOT NULL CHECK (lt >= 0), -- the cursor: the last transaction recorded, 0 before the first
    hash TEXT NOT NULL,
    since_lt BIGINT NOT NULL CHECK (since_lt >= 0), -- the cursor it began with
    since_hash TEXT NOT NULL,
    known_until DATETIME, -- block time up to which all is recorded; null before the first reading
    sold BIGINT NOT NULL DEFAULT 0 CHECK (sold >= 0) -- micro-MCBK, ever
);

CREATE TABLE treasury_transactions (
    lt BIGINT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    prev_lt BIGINT NOT NULL,
    prev_hash TEXT NOT NULL,
    happened_at DATETIME NOT NULL, -- chain time
    kind TEXT NOT NULL,
    source TEXT NOT NULL, -- raw address of the sender; empty when it was none
    amount BIGINT NOT NULL CHECK (amount >= 0), -- nanoton that came
    comment TEXT NOT NULL,
    comment_kind TEXT NOT NULL,
    boc BLOB NOT NULL, -- the transaction itself, whose hash is hash
    seen_at DATETIME NOT NULL
);

-- What became of money that came in. Most transactions have one row, some a credited and a held one.
CREATE TABLE payments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    lt BIGINT NOT NULL REFERENCES treasury_transactions (lt),
    state TEXT NOT NULL CHECK (state IN ('credited', 'held', 'refundable')),
    amount BIGINT NOT NULL CHECK (amount > 0), -- nanoton
    reason TEXT NOT NULL, -- why it was held; empty when it was credited at once
    order_id BIGINT REFERENCES orders (id),
    player_id BIGINT REFERENCES players (id),
    locked BIGINT NOT NULL DEFAULT 0 CHECK (locked >= 0 AND locked <= amount), -- nanoton sold at the order's prices
    ton_price BIGINT NOT NULL DEFAULT 0, -- micro-USD when it was paid; 0 when unknown
    mcbk_price BIGINT NOT NULL DEFAULT 0,
    coins BIGINT NOT NULL DEFAULT 0 CHECK (coins >= 0), -- micro-MCBK credited
    settled_at DATETIME CHECK ((state = 'held') = (settled_at IS NULL)),
    CHECK (state <> 'credited' OR player_id IS NOT NULL)
);

CREATE INDEX payments_by_transaction ON payments (lt);
CREATE INDEX payments_held ON payments (id) WHERE state = 'held';
CREATE INDEX payments_by_order ON payments (order_id);
