-- +goose Up
-- The connected wallet was proven by a signature of its key. Of the players who connect one wallet
-- at most one has proven it.
ALTER TABLE players ADD COLUMN wallet_proven BOOLEAN NOT NULL DEFAULT FALSE CHECK (wallet IS NOT NULL OR NOT wallet_proven);

CREATE UNIQUE INDEX players_by_proven_wallet ON players (wallet) WHERE wallet_proven;

-- What players were given for their wallets to sign, once each. The used ones stay, as what proved
-- a wallet.
CREATE TABLE wallet_nonces (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    player_id BIGINT NOT NULL REFERENCES players (id),
    nonce_hash TEXT NOT NULL UNIQUE CHECK (LENGTH(nonce_hash) = 64), -- SHA-256 in hex of what is signed
    state TEXT NOT NULL CHECK (state IN ('open', 'used', 'expired')),
    made_at DATETIME NOT NULL,
    expires_at DATETIME NOT NULL CHECK (expires_at > made_at),
    used_at DATETIME CHECK ((state = 'used') = (used_at IS NOT NULL)),
    wallet TEXT CHECK ((state = 'used') = (wallet IS NOT NULL)) -- raw address of what it proved
);

CREATE INDEX wallet_nonces_open ON wallet_nonces (expires_at) WHERE state = 'open';
CREATE INDEX wallet_nonces_expired ON wallet_nonces (expires_at) WHERE state = 'expired';
CREATE INDEX wallet_nonces_used ON wallet_nonces (player_id) WHERE state = 'used';
