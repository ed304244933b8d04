package api

import "mcbk/models"

// rowsAPage is how many rows a list shows when the player does not say.
const rowsAPage = 20

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
