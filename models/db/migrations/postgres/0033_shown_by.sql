-- +goose Up
-- What one lite server alone shows is believed up to an amount a day. 0: by the only one listed, or before it was kept.
ALTER TABLE treasury_transactions ADD COLUMN shown_by INTEGER NOT NULL DEFAULT 0;
