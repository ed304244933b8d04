-- +goose Up
-- Telegram Stars: orders in another currency, Telegram's charges beside the chain's transactions, and what refunds take back.
-- A payment in Stars is of no transaction of the chain. SQLite has no statement that lets a column be NULL, and documents this one.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'lt BIGINT NOT NULL REFERENCES', 'lt BIGINT REFERENCES') WHERE type = 'table' AND name = 'payments';
PRAGMA writable_schema = RESET;

ALTER TABLE orders ADD COLUMN currency TEXT NOT NULL DEFAULT 'TON' CHECK (currency IN ('TON', 'XTR')); -- of amount and paid: nanoton, or Stars
ALTER TABLE orders ADD COLUMN star_price BIGINT NOT NULL DEFAULT 0 CHECK ((currency = 'XTR') = (star_price > 0)); -- micro-USD of a Star, locked
ALTER TABLE orders ADD COLUMN invoice_link TEXT CHECK ((currency = 'XTR') = (invoice_link IS NOT NULL));
ALTER TABLE orders ADD COLUMN reserved_until DATETIME; -- Telegram was told that it can be paid

CREATE INDEX orders_open_stars ON orders (expires_at) WHERE state = 'pending' AND currency = 'XTR';

-- What a player paid in Stars: one row a charge, whoever told of it first.
CREATE TABLE star_charges (
    charge_id TEXT PRIMARY KEY, -- Telegram's; a refund has the same
    payer BIGINT NOT NULL, -- Telegram's id of the person
    stars BIGINT NOT NULL CHECK (stars > 0),
    payload TEXT NOT NULL, -- of the invoice: its order's comment
    paid_at DATETIME NOT NULL, -- Telegram's time
    seen_at DATETIME NOT NULL,
    listed BOOLEAN NOT NULL DEFAULT FALSE, -- Telegram's list of transactions has shown it
    refund_requested_at DATETIME, -- by an admin
    refunded_at DATETIME, -- Telegram has said so
    refund_listed BOOLEAN NOT NULL DEFAULT FALSE CHECK (NOT refund_listed OR refunded_at IS NOT NULL)
);

CREATE INDEX star_charges_by_payload ON star_charges (payload);
CREATE INDEX star_charges_by_payer ON star_charges (payer);
CREATE INDEX star_charges_requested ON star_charges (charge_id) WHERE refund_requested_at IS NOT NULL AND refunded_at IS NULL;

-- How far Telegram's list of transactions was read, and what was sold for Stars.
CREATE TABLE star_books (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    transactions BIGINT NOT NULL DEFAULT 0 CHECK (transactions >= 0),
    stars BIGINT NOT NULL DEFAULT 0, -- that the charges and refunds among them come to
    sold BIGINT NOT NULL DEFAULT 0 CHECK (sold >= 0) -- micro-MCBK, ever
);
INSERT INTO star_books (id) VALUES (1);

-- Coins that a refund takes back: at once as far as the account holds them, the rest from what later purchases bring.
CREATE TABLE star_claims (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    charge_id TEXT NOT NULL REFERENCES star_charges (charge_id),
    player_id BIGINT NOT NULL REFERENCES players (id),
    account TEXT NOT NULL CHECK (account IN ('purchased', 'referral')),
    coins BIGINT NOT NULL CHECK (coins > 0), -- micro-MCBK
    taken BIGINT NOT NULL DEFAULT 0 CHECK (taken BETWEEN 0 AND coins),
    made_at DATETIME NOT NULL,
    UNIQUE (charge_id, account)
);

CREATE INDEX star_claims_open ON star_claims (player_id) WHERE taken < coins;
CREATE INDEX star_claims_by_player ON star_claims (player_id);

ALTER TABLE payments ADD COLUMN charge_id TEXT REFERENCES star_charges (charge_id) CHECK ((charge_id IS NULL) <> (lt IS NULL));
ALTER TABLE payments ADD COLUMN star_price BIGINT NOT NULL DEFAULT 0 CHECK ((charge_id IS NULL) = (star_price = 0)); -- micro-USD of a Star when it was paid

CREATE UNIQUE INDEX payments_by_charge ON payments (charge_id) WHERE charge_id IS NOT NULL;

DROP TRIGGER orders_fixed;

-- +goose StatementBegin
CREATE TRIGGER orders_fixed BEFORE UPDATE ON orders
WHEN NEW.id IS NOT OLD.id OR NEW.player_id IS NOT OLD.player_id OR NEW.kind IS NOT OLD.kind OR NEW.comment IS NOT OLD.comment OR NEW.amount IS NOT OLD.amount OR NEW.coins IS NOT OLD.coins OR NEW.ton_price IS NOT OLD.ton_price OR NEW.mcbk_price IS NOT OLD.mcbk_price OR NEW.created_at IS NOT OLD.created_at OR NEW.expires_at IS NOT OLD.expires_at OR NEW.tournament_id IS NOT OLD.tournament_id OR NEW.mine_level IS NOT OLD.mine_level OR NEW.currency IS NOT OLD.currency OR NEW.star_price IS NOT OLD.star_price OR NEW.invoice_link IS NOT OLD.invoice_link
    OR (OLD.paid_at IS NOT NULL) AND (NEW.paid_at IS NOT OLD.paid_at OR NEW.tx_hash IS NOT OLD.tx_hash)
    OR (OLD.reserved_until IS NOT NULL) AND (NEW.reserved_until IS NOT OLD.reserved_until)
BEGIN
    SELECT RAISE(ABORT, 'orders: what was decided does not change');
END;
-- +goose StatementEnd

DROP TRIGGER payments_fixed;

-- +goose StatementBegin
CREATE TRIGGER payments_fixed BEFORE UPDATE ON payments
WHEN NEW.id IS NOT OLD.id OR NEW.lt IS NOT OLD.lt OR NEW.reason IS NOT OLD.reason OR NEW.ton_price IS NOT OLD.ton_price OR NEW.mcbk_price IS NOT OLD.mcbk_price OR NEW.charge_id IS NOT OLD.charge_id OR NEW.star_price IS NOT OLD.star_price
    OR (OLD.state <> 'held') AND (NEW.amount IS NOT OLD.amount OR NEW.order_id IS NOT OLD.order_id OR NEW.player_id IS NOT OLD.player_id OR NEW.locked IS NOT OLD.locked OR NEW.coins IS NOT OLD.coins OR NEW.settled_at IS NOT OLD.settled_at)
BEGIN
    SELECT RAISE(ABORT, 'payments: what was decided does not change');
END;
-- +goose StatementEnd

DROP TRIGGER payments_no_replace;

-- +goose StatementBegin
CREATE TRIGGER payments_no_replace BEFORE INSERT ON payments
WHEN EXISTS (SELECT 1 FROM payments WHERE id = NEW.id OR charge_id = NEW.charge_id)
BEGIN
    SELECT RAISE(ABORT, 'payments: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER star_books_fixed BEFORE UPDATE ON star_books
WHEN NEW.id IS NOT OLD.id
BEGIN
    SELECT RAISE(ABORT, 'star_books: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER star_books_kept BEFORE DELETE ON star_books
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'star_books: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER star_charges_fixed BEFORE UPDATE ON star_charges
WHEN NEW.charge_id IS NOT OLD.charge_id OR NEW.payer IS NOT OLD.payer OR NEW.stars IS NOT OLD.stars OR NEW.payload IS NOT OLD.payload OR NEW.paid_at IS NOT OLD.paid_at OR NEW.seen_at IS NOT OLD.seen_at
    OR (OLD.refund_requested_at IS NOT NULL) AND (NEW.refund_requested_at IS NOT OLD.refund_requested_at)
    OR (OLD.refunded_at IS NOT NULL) AND (NEW.refunded_at IS NOT OLD.refunded_at)
BEGIN
    SELECT RAISE(ABORT, 'star_charges: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER star_charges_kept BEFORE DELETE ON star_charges
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'star_charges: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER star_charges_no_replace BEFORE INSERT ON star_charges
WHEN EXISTS (SELECT 1 FROM star_charges WHERE charge_id = NEW.charge_id)
BEGIN
    SELECT RAISE(ABORT, 'star_charges: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER star_claims_fixed BEFORE UPDATE ON star_claims
WHEN NEW.id IS NOT OLD.id OR NEW.charge_id IS NOT OLD.charge_id OR NEW.player_id IS NOT OLD.player_id OR NEW.account IS NOT OLD.account OR NEW.coins IS NOT OLD.coins OR NEW.made_at IS NOT OLD.made_at
BEGIN
    SELECT RAISE(ABORT, 'star_claims: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER star_claims_kept BEFORE DELETE ON star_claims
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'star_claims: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER star_claims_no_replace BEFORE INSERT ON star_claims
WHEN EXISTS (SELECT 1 FROM star_claims WHERE id = NEW.id OR charge_id = NEW.charge_id AND account = NEW.account)
BEGIN
    SELECT RAISE(ABORT, 'star_claims: rows stay');
END;
-- +goose StatementEnd
