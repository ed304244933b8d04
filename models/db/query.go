package db

import (
	"errors"
	"fmt"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"mcbk/models"
)

// One returns the first row that a query finds; ErrNotFound if there is none.
func One[Row any](query *gorm.DB) (row Row, err error) {
	switch err = query.Take(&row).Error; {
	case errors.Is(err, gorm.ErrRecordNotFound):
		return row, ErrNotFound
	case err != nil:
		return row, fmt.Errorf("read %T: %w", row, err)
	}
	return row, nil
}

// Each calls scan for each row of a query, without keeping any.
func Each(query *gorm.DB, scan func(row Row) error) error {
	rows, err := query.Rows()
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // read to the end, or failed already
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Count returns how many rows a query finds.
func Count(query *gorm.DB) (rows int64, err error) {
	err = query.Count(&rows).Error
	return rows, err
}

// OnPage limits a query to a page, and one row more that shows whether there are others; see models.CutTo.
func OnPage(page models.Page) func(*gorm.DB) *gorm.DB {
	return func(query *gorm.DB) *gorm.DB { return query.Limit(page.Limit + 1).Offset(page.Offset) }
}

// ForUpdate locks the rows that a query reads. SQLite has one writer and needs no lock.
func ForUpdate(query *gorm.DB) *gorm.DB {
	return query.Clauses(clause.Locking{Strength: "NO KEY UPDATE"})
}

// ForShare keeps the rows that a query reads from being changed until the transaction ends.
func ForShare(query *gorm.DB) *gorm.DB {
	return query.Clauses(clause.Locking{Strength: "SHARE"})
}

// ForUpdateSkipLocked is ForUpdate that skips rows locked by another transaction.
func ForUpdateSkipLocked(query *gorm.DB) *gorm.DB {
	return query.Clauses(clause.Locking{Strength: "NO KEY UPDATE", Options: clause.LockingOptionsSkipLocked})
}

// OrIgnore makes an INSERT skip rows that are there already.
func OrIgnore(query *gorm.DB) *gorm.DB {
	return query.Clauses(clause.OnConflict{DoNothing: true})
}

// UpdateOne checks the result of a statement that has to change one row; it fails if that one is not there, or not in the state that
// the statement asks for.
func UpdateOne(result *gorm.DB) error {
	if result.Error == nil && result.RowsAffected != 1 {
		return fmt.Errorf("%d rows were changed, not one", result.RowsAffected)
	}
	return result.Error
}
