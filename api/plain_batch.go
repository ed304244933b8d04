package api

import (
	"bytes"
	"net/http"
	"regexp"

	"github.com/gin-gonic/gin"
)

// plainBatch is a batch of taps as the app writes it.
var plainBatch = regexp.MustCompile(`^\{"total_taps":[1-9][0-9]{0,3},"batch_id":"([A-Za-z0-9_-]{8,64})"\}$`)

// isPlainBatch tells that a call is a batch of taps to the letter as the app sends it. The contract allows
// it, and to look into each by its schema would be a tenth of what a tap costs; whatever is written
// otherwise is held to the contract.
func isPlainBatch(request *http.Request, operation string, body []byte) bool {
	if operation != "performBatchTap" || request.URL.RawQuery != "" ||
		request.Header.Get("Content-Type") != gin.MIMEJSON || request.Header.Get("Content-Encoding") != "" {
		return false
	}
	found := plainBatch.FindSubmatch(body)
	if found == nil {
		return false
	}
	keys := request.Header["Idempotency-Key"]
	return len(keys) == 0 || (len(keys) == 1 && bytes.Equal([]byte(keys[0]), found[1]))
}
