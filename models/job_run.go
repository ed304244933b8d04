package models

import "time"

// JobRun notes that a job was done for an hour or a UTC day.
type JobRun struct {
	Job    string    `gorm:"primaryKey"`
	Period time.Time `gorm:"primaryKey"` // the start of that hour or day, UTC
	DoneAt time.Time
	Rows   int64 // how much there was to do
}
