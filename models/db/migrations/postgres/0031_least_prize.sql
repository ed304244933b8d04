-- +goose Up
-- The ore that a prize needs, as it was when the tournament closed; null then is the usual, as a program leaves it that knows no other.
ALTER TABLE tournaments ADD COLUMN least_prize_ore BIGINT CHECK (least_prize_ore IS NULL OR (least_prize_ore > 0 AND state IN ('closed', 'final', 'awarded'))); -- micro-MCBK
