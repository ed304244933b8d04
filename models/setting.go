package models

import "time"

// Setting is what an admin, or the program at its first start, has set.
type Setting struct {
	Key       string `gorm:"primaryKey"`
	Value     string
	UpdatedAt time.Time `gorm:"autoUpdateTime:false"`
}
