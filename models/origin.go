package models

// Origin is the hashed network address that a player signed up from. It is deleted after some days.
type Origin struct {
	PlayerID PlayerID `gorm:"primaryKey;autoIncrement:false"`
	Hash     string   `gorm:"column:mark"`
}
