package audit

import (
	"gorm.io/gorm"

	"mcbk/models/db"
)

// StaleTasks is a statement whose plan a test reads.
const StaleTasks = staleTasks

// Guards lists what guards a database, one in a line.
func Guards(tx *gorm.DB, d db.Dialect) (lines []string, err error) {
	found, err := guardsOf(tx, d)
	for _, g := range found {
		lines = append(lines, g.String())
	}
	return lines, err
}
