package api

import "mcbk/models"

const (
	// rowsAPage is how many rows a list shows when the player does not say.
	rowsAPage = 20
	// deepest is after how many rows a page may begin at most, as the contract says.
	deepest = 10_000
)

// pageOf is the part of a list that a request asks for.
func pageOf(limit, offset *int) models.Page {
	p := models.Page{Limit: rowsAPage}
	if limit != nil {
		p.Limit = *limit
	}
	if offset != nil {
		p.Offset = *offset
	}
	return p
}

// goesOn tells whether the page after one may be asked for, if there is more.
func goesOn(more bool, page models.Page) bool { return more && page.Offset+page.Limit <= deepest }
