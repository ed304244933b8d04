package api

import "mcbk/models"

const (
	// rowsAPage is how many rows a list shows unless the request says.
	rowsAPage = 20
	// deepest is the largest offset of a page, as the contract says.
	deepest = 10_000
)

// pageOf returns the part of a list that a request asks for.
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

// goesOn reports whether the next page may be asked for, if there is more.
func goesOn(more bool, page models.Page) bool { return more && page.Offset+page.Limit <= deepest }
