-- +goose Up
-- A hash of the posting's other columns, so that one changed by hand is found before it is
-- sealed. 0 stands for those written before there were marks.
ALTER TABLE postings ADD COLUMN mark BIGINT NOT NULL DEFAULT 0;
