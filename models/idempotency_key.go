package models

import "time"

// IdempotencyKey is the answer stored for a request that a client may repeat. Status is 0 while the request is being worked on.
type IdempotencyKey struct {
	PlayerID  PlayerID `gorm:"primaryKey;autoIncrement:false"`
	Key       string   `gorm:"primaryKey"`
	Operation string   // of the API
	BodyHash  []byte
	Status    int // of HTTP
	Answer    []byte
	CreatedAt time.Time
}

// TableName implements schema.Tabler.
func (IdempotencyKey) TableName() string { return "idempotency_keys" }
