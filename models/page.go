package models

// Page is a part of a list.
type Page struct{ Limit, Offset int }
