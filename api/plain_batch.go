package api

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"mcbk/models/taps"
)

// plainBatch matches a batch of taps in the app's exact form.
var plainBatch = regexp.MustCompile(`^\{"total_taps":([1-9][0-9]{0,3}),"batch_id":"([A-Za-z0-9_-]{8,64})"\}$`)

// parsePlainBatch is a fast path for a batch in the app's exact form, which the contract allows. Schema validation and decoding by
// reflection would be a fifth of the cost of a tap.
func parsePlainBatch(request *http.Request, operation string, body []byte) (batch taps.Batch, plain bool) {
	if operation != "performBatchTap" || request.URL.RawQuery != "" ||
		request.Header.Get("Content-Type") != gin.MIMEJSON || request.Header.Get("Content-Encoding") != "" {
		return taps.Batch{}, false
	}
	found := plainBatch.FindSubmatch(body)
	if found == nil {
		return taps.Batch{}, false
	}
	id, keys := string(found[2]), request.Header["Idempotency-Key"]
	if len(keys) > 0 && !slices.Equal(keys, []string{id}) {
		return taps.Batch{}, false
	}
	tapCount, err := strconv.Atoi(string(found[1]))
	return taps.Batch{Sent: tapCount, Key: id}, err == nil
}

// tapFastPath answers a plain batch; other calls go on to the generated handlers.
func (g *gateway) tapFastPath(c *gin.Context) {
	batch, plain := c.Value(batchKey).(taps.Batch)
	if !plain {
		return
	}
	launch, _ := launchOf(c)
	batch.TelegramID = launch.user.TelegramID
	answer, err := g.tap(c.Request.Context(), batch)
	if err == nil {
		err = answer.VisitPerformBatchTapResponse(c.Writer)
	}
	if err != nil {
		g.fail(c, err)
		return
	}
	c.Abort() // the response is written
}
