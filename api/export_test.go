package api

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"mcbk/models"
	"mcbk/models/leaderboard"
	"mcbk/models/players"
	"mcbk/models/store"
	"mcbk/models/taps"
	"mcbk/models/wallet"
)

// Engine returns what routes the calls.
func Engine(handler http.Handler) *gin.Engine {
	return handler.(*compressor).engine //nolint:errcheck,forcetypeassert // what New returns
}

// RefusalStatuses maps each code to its status.
func RefusalStatuses() map[string]int {
	all := map[string]int{}
	for code, answer := range refusals {
		all[string(code)] = answer.status
	}
	return all
}

// Features are the switches by the contract's tag.
func Features() map[string]string {
	all := map[string]string{}
	for tag, f := range features {
		all[tag] = f.name
	}
	return all
}

// TreatedByName are the operation IDs with their own limit or exemption.
func TreatedByName() []string {
	all := slices.Concat(slices.Collect(maps.Keys(bodyLimits)), slices.Collect(maps.Keys(finishing)))
	for method := range writeLimits { // of the generated handlers
		all = append(all, strings.ToLower(method[:1])+method[1:])
	}
	return all
}

var (
	MaxBodyOf   = maxBodyOf
	ProofDomain = proofDomain
	GoesOn      = goesOn
)

// TakesBody reports whether a body is accepted as JSON.
func TakesBody(body []byte) bool { return checkJSON(body) == nil }

// CachedLaunches is the size of the launch data cache after these arrived.
func CachedLaunches(texts map[string]int64) int {
	l := newLaunchVerifier("", false)
	for raw, who := range texts {
		l.add(launchData{raw: raw, user: players.LaunchUser{TelegramID: who}})
	}
	return l.good.Len()
}

// CheckLaunchData verifies launch data as the middleware does.
func CheckLaunchData(botToken, raw string, now time.Time) (players.LaunchUser, error) {
	launch, err := newLaunchVerifier(botToken, false).verify(raw, 24*time.Hour, now)
	return launch.user, err
}

// PlainBatch reports whether a body takes the fast path, its batch, and the contract's verdict.
func PlainBatch(body string, header http.Header) (batch taps.Batch, plain bool, refusal error) {
	contract, err := readContract()
	if err != nil {
		return taps.Batch{}, false, err
	}
	const path = basePath + "/tap/perform-batch-tap"
	engine := gin.New()
	engine.POST(path, func(c *gin.Context) {
		batch, plain = parsePlainBatch(c.Request, "performBatchTap", []byte(body))
		refusal = contract.validateSchema(c, contract.route(c), []byte(body))
	})
	request := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	request.Header = header
	engine.ServeHTTP(httptest.NewRecorder(), request)
	return batch, plain, refusal
}

// RenderBoard renders a page of a board from list.
func RenderBoard(ctx context.Context, list func(ctx context.Context) error) error {
	pages := newLeaderPages(new(store.Store))
	pages.list = func(ctx context.Context, _ leaderboard.RankBy, _ models.Page) ([]leaderboard.Leader, bool, error) {
		return nil, false, list(ctx)
	}
	_, err := pages.show(ctx, boardPage{}, time.Now())
	return err
}

func TransactionOf(row wallet.CoinRow) Transaction {
	return new(Server).transaction(row, models.English)
}
