-- +goose Up
-- Tournaments in the mines. They do not overlap.
CREATE TABLE tournaments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    starts_at DATETIME NOT NULL UNIQUE,
    ends_at DATETIME NOT NULL CHECK (ends_at > starts_at),
    state TEXT NOT NULL CHECK (state IN ('scheduled', 'running', 'closed', 'final', 'awarded')),
    final_at DATETIME CHECK ((final_at IS NOT NULL) = (state IN ('final', 'awarded'))),
    awarded_at DATETIME CHECK ((awarded_at IS NOT NULL) = (state = 'awarded'))
);

-- How a player stands in a tournament, from the entry on.
CREATE TABLE miners (
    tournament_id BIGINT NOT NULL REFERENCES tournaments (id),
    player_id BIGINT NOT NULL REFERENCES players (id),
    level INTEGER NOT NULL CHECK (level BETWEEN 1 AND 10),
    energy_window INTEGER NOT NULL, -- twelve hours each, since 1970
    energy_spent INTEGER NOT NULL CHECK (energy_spent BETWEEN 0 AND level * 1000),
    allowance_milli BIGINT NOT NULL CHECK (allowance_milli >= 0),
    allowance_at DATETIME NOT NULL,
    ore BIGINT NOT NULL CHECK (ore >= 0), -- micro-MCBK, as dug
    taps BIGINT NOT NULL CHECK (taps >= 0),
    first_day INTEGER NOT NULL, -- UTC days since 1970
    last_day INTEGER NOT NULL, -- of a tap; 0 before the first
    days INTEGER NOT NULL CHECK (days >= 0), -- with a tap
    place INTEGER CHECK (place > 0), -- null until the tournament is final
    prize_ton BIGINT NOT NULL DEFAULT 0 CHECK (prize_ton >= 0), -- nanoton
    prize_coins BIGINT NOT NULL DEFAULT 0 CHECK (prize_coins >= 0), -- micro-MCBK
    ore_coins BIGINT NOT NULL DEFAULT 0 CHECK (ore_coins >= 0), -- micro-MCBK that the ore became
    paid_at DATETIME CHECK ((paid_at IS NULL) = (place IS NULL)), -- when the ore was paid
    prized_at DATETIME CHECK (prized_at IS NULL OR prize_ton + prize_coins > 0), -- when the prize was
    PRIMARY KEY (tournament_id, player_id)
);

CREATE INDEX miners_by_player ON miners (player_id);
CREATE INDEX miners_by_ore ON miners (tournament_id, ore DESC, player_id) WHERE ore > 0;
CREATE INDEX miners_unpaid ON miners (tournament_id, player_id) WHERE paid_at IS NULL;
CREATE INDEX miners_to_prize ON miners (tournament_id, place, player_id) WHERE prized_at IS NULL AND prize_ton + prize_coins > 0;

-- An order for a mine has no prices of coins: both are 1, the least that the table takes.
ALTER TABLE orders ADD COLUMN tournament_id BIGINT REFERENCES tournaments (id) CHECK ((kind = 'mine') = (tournament_id IS NOT NULL));
ALTER TABLE orders ADD COLUMN mine_level INTEGER CHECK ((kind = 'mine') = (mine_level IS NOT NULL) AND (mine_level IS NULL OR mine_level BETWEEN 1 AND 10));

CREATE TABLE mine_levels (
    tournament_id BIGINT NOT NULL REFERENCES tournaments (id),
    player_id BIGINT NOT NULL REFERENCES players (id),
    level INTEGER NOT NULL CHECK (level BETWEEN 1 AND 10),
    order_id BIGINT NOT NULL UNIQUE REFERENCES orders (id),
    payment_id BIGINT NOT NULL UNIQUE REFERENCES payments (id),
    unlocked_at DATETIME NOT NULL,
    PRIMARY KEY (tournament_id, player_id, level)
);

CREATE INDEX mine_levels_by_player ON mine_levels (player_id);

-- What the treasury sent, each message of a transaction.
CREATE TABLE treasury_transfers (
    lt BIGINT NOT NULL REFERENCES treasury_transactions (lt),
    line INTEGER NOT NULL CHECK (line >= 0),
    destination TEXT NOT NULL, -- raw address
    amount BIGINT NOT NULL CHECK (amount >= 0), -- nanoton
    comment TEXT NOT NULL,
    PRIMARY KEY (lt, line)
);

-- TON that is owed to somebody, and is paid by people: the program holds no key.
CREATE TABLE payables (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    player_id BIGINT REFERENCES players (id), -- null for money of nobody's order
    tournament_id BIGINT REFERENCES tournaments (id), -- of a prize
    payment_id BIGINT UNIQUE REFERENCES payments (id), -- that is sent back
    amount BIGINT NOT NULL CHECK (amount > 0), -- nanoton
    state TEXT NOT NULL CHECK (state IN ('due', 'approved', 'sent', 'settled', 'cancelled')),
    address TEXT CHECK (address IS NOT NULL OR state IN ('due', 'cancelled')), -- raw, frozen with the approval
    reported_hash TEXT UNIQUE CHECK (reported_hash IS NOT NULL OR state <> 'sent'), -- hex, what an admin says paid it
    due_at DATETIME NOT NULL,
    approved_at DATETIME,
    sent_at DATETIME,
    settled_at DATETIME CHECK ((settled_at IS NOT NULL) = (state = 'settled')),
    settled_lt BIGINT,
    settled_line INTEGER,
    returned_lt BIGINT REFERENCES treasury_transactions (lt), -- of what came back last
    reason TEXT NOT NULL DEFAULT '', -- why it was cancelled
    FOREIGN KEY (settled_lt, settled_line) REFERENCES treasury_transfers (lt, line),
    UNIQUE (settled_lt, settled_line),
    UNIQUE (tournament_id, player_id),
    CHECK ((tournament_id IS NULL) <> (payment_id IS NULL)),
    CHECK (tournament_id IS NULL OR player_id IS NOT NULL),
    CHECK ((settled_lt IS NOT NULL) = (state = 'settled'))
);

CREATE INDEX payables_open ON payables (id) WHERE state IN ('due', 'approved', 'sent');
CREATE INDEX payables_by_player ON payables (player_id) WHERE player_id IS NOT NULL;

INSERT INTO payables (player_id, payment_id, amount, state, due_at)
SELECT player_id, id, amount, 'due', settled_at FROM payments WHERE state = 'refundable' ORDER BY id;
