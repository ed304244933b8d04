package api_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"mcbk/api"
	"mcbk/models/taps"
)

// The fast path accepts the app's exact form only.
func TestOnlyExactBatchTakesFastPath(t *testing.T) {
	const batch = `{"total_taps":12,"batch_id":"batch-0001"}`
	asJSON := http.Header{"Content-Type": {"application/json"}}
	for name, c := range map[string]struct {
		body   string
		header http.Header
		plain  bool
	}{
		"the app's":              {batch, asJSON, true},
		"with its id as key":     {batch, http.Header{"Content-Type": {"application/json"}, "Idempotency-Key": {"batch-0001"}}, true},
		"with another key":       {batch, http.Header{"Content-Type": {"application/json"}, "Idempotency-Key": {"batch-0002"}}, false},
		"with two keys":          {batch, http.Header{"Content-Type": {"application/json"}, "Idempotency-Key": {"batch-0001", "!"}}, false},
		"of another kind":        {batch, http.Header{"Content-Type": {"text/plain"}}, false},
		"compressed":             {batch, http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"}}, false},
		"of no tap":              {`{"total_taps":0,"batch_id":"batch-0001"}`, asJSON, false},
		"of too many":            {`{"total_taps":10001,"batch_id":"batch-0001"}`, asJSON, false},
		"of less than none":      {`{"total_taps":-1,"batch_id":"batch-0001"}`, asJSON, false},
		"with a short id":        {`{"total_taps":1,"batch_id":"batch"}`, asJSON, false},
		"with something more":    {`{"total_taps":1,"batch_id":"batch-0001","coins":5}`, asJSON, false},
		"followed by a new line": {batch + "\n", asJSON, false},
		"twice":                  {batch + batch, asJSON, false},
	} {
		if _, plain, _ := api.PlainBatch(c.body, c.header); plain != c.plain {
			t.Errorf("a batch %s is plain: %t", name, plain)
		}
	}
}

// The fast path must agree with the contract and the generated decoder.
func FuzzPlainBatch(f *testing.F) {
	f.Add(`{"total_taps":1,"batch_id":"batch-0001"}`, "batch-0001")
	f.Add(`{"total_taps":9999,"batch_id":"________________________________________________________________"}`, "")
	f.Add(`{"total_taps":10000,"batch_id":"batch-0001"}`, "!")
	f.Fuzz(func(t *testing.T, body, key string) {
		header := http.Header{"Content-Type": {"application/json"}}
		if key != "" {
			header.Set("Idempotency-Key", key)
		}
		batch, plain, refusal := api.PlainBatch(body, header)
		if !plain {
			return
		}
		if refusal != nil {
			t.Errorf("%q with the key %q is believed unseen, and %v", body, key, refusal)
		}
		var generated api.TapBatch
		if err := json.Unmarshal([]byte(body), &generated); err != nil {
			t.Fatalf("%q is no JSON: %v", body, err)
		}
		if want := (taps.Batch{Sent: generated.TotalTaps, Key: *generated.BatchID}); batch != want {
			t.Errorf("%q with the key %q is read as %+v, not %+v", body, key, batch, want)
		}
	})
}
