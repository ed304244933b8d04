-- +goose Up
-- The transaction by which a transfer came back: what returned once can neither return again nor have paid anything.
ALTER TABLE treasury_transfers ADD COLUMN returned_lt BIGINT REFERENCES treasury_transactions (lt);
