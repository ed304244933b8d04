-- +goose Up
-- Settings the program keeps for itself, seen by every process.
CREATE TABLE settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    updated_at DATETIME NOT NULL
);
