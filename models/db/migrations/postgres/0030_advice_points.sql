-- +goose Up
-- Admins may change what advice pays: 0 is the usual, as a program writes that knows no other.
ALTER TABLE predictions ADD COLUMN points BIGINT NOT NULL DEFAULT 0 CHECK (points >= 0);
