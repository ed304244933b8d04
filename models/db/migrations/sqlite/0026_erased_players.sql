-- +goose Up
-- Whoever asks to be forgotten: name, picture and wallet are gone and the account is closed. What it owns and paid stays in the books.
ALTER TABLE players ADD COLUMN erased_at DATETIME CHECK (
    erased_at IS NULL OR (username = '' AND photo_url = '' AND wallet IS NULL AND NOT notifications AND banned_at IS NOT NULL));
