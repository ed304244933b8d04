-- +goose Up
-- The transaction by which a transfer came back: what returned once can neither return again nor have paid anything.
ALTER TABLE treasury_transfers ADD COLUMN returned_lt BIGINT REFERENCES treasury_transactions (lt);

-- Which came back before is told by what the payables know: they name what was sent for them, and when the last of it returned.
UPDATE treasury_transfers SET returned_lt = (SELECT y.returned_lt FROM payables y
        WHERE UPPER(TRIM(treasury_transfers.comment)) = 'MCBK-' || y.id AND y.returned_lt > treasury_transfers.lt)
    WHERE EXISTS (SELECT 1 FROM payables y WHERE UPPER(TRIM(treasury_transfers.comment)) = 'MCBK-' || y.id AND y.returned_lt > treasury_transfers.lt);
