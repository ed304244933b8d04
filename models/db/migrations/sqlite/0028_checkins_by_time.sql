-- +goose Up
-- Whoever checked in yesterday at this hour is reminded of today.
CREATE INDEX checkins_by_time ON checkins (checked_in_at);
