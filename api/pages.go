package api

import "mcbk/models"

const (
	// rowsAPage is the default page size.
	rowsAPage = 20
	// deepest is the largest offset, see the contract.
	deepest = 10_000
)

// pageOf returns a request's page.
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

// goesOn reports whether a next page exists and may be requested.
func goesOn(more bool, page models.Page) bool { return more && page.Offset+page.Limit <= deepest }
