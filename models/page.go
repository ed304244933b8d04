package models

// Page is a part of a list.
type Page struct{ Limit, Offset int }

// CutTo returns the rows of a page, of which one more than its limit were asked for, and whether there are others after them.
func CutTo[Row any](rows []Row, page Page) (shown []Row, more bool) {
	if len(rows) > page.Limit {
		return rows[:page.Limit], true
	}
	return rows, false
}
