package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"

	"mcbk/models"
	"mcbk/models/leaderboard"
	"mcbk/models/store"
)

var rankBy = map[LeaderboardType]leaderboard.RankBy{
	LeaderboardTypeCoins: leaderboard.ByCoins, LeaderboardTypePoints: leaderboard.ByPoints, LeaderboardTypePurchasedCoins: leaderboard.ByPurchased,
}

// leadersAPage is the default page size.
const leadersAPage = 100

// GetLeaderboard lists a page of the best players and the player's own row. While the ranks are built after a start, the page is empty
// and the player's rank null.
func (s *Server) GetLeaderboard(ctx context.Context, request GetLeaderboardRequestObject) (GetLeaderboardResponseObject, error) {
	by := leaderboard.ByCoins
	if request.Params.Type != nil {
		by = rankBy[*request.Params.Type]
	}
	page := pageOf(request.Params.Limit, request.Params.Offset)
	if request.Params.Limit == nil {
		page.Limit = leadersAPage
	}
	shown, err := s.leaders.show(ctx, boardPage{by, page}, s.now())
	if err != nil {
		return nil, err
	}
	me := player(ctx)
	own, err := json.Marshal(leaderRow(leaderboard.LeaderOf(me), s.place(by, me)))
	if err != nil {
		return nil, err
	}
	answer := leaderboardAnswer{page: shown, tail: append(own, "}\n"...)}
	if c, ok := ctx.Value(gin.ContextKey).(*gin.Context); ok && len(shown.head) >= minCompressed {
		answer.gzip = takesGzip(c.Request.Header.Values("Accept-Encoding"))
	}
	return answer, nil
}

// place returns a player's rank; nil while the ranks are built.
func (s *Server) place(by leaderboard.RankBy, p models.Player) *int {
	if place, known := s.store.Leaderboard.Place(by, p); known {
		return &place
	}
	return nil
}

func leaderRow(l leaderboard.Leader, place *int) LeaderboardItem {
	return LeaderboardItem{
		Rank: place, TelegramID: l.TelegramID, FirstName: l.FirstName, Username: l.Username, PhotoURL: l.PhotoURL,
		GameMCBK: Coins(l.Game), GamePoints: l.GamePoints, PurchasedMCBK: Coins(l.Purchased), TotalDaysInGame: l.Days,
	}
}

type boardPage struct {
	by   leaderboard.RankBy
	page models.Page
}

// shownPage is a rendered page.
type shownPage struct {
	head   []byte        // the answer up to the player's own row
	zipped func() []byte // head as the beginning of a gzip stream, compressed at the first request
	at     time.Time
}

const (
	// pageFresh is the cache's lifetime; a change of another process takes as long to appear.
	pageFresh = 500 * time.Millisecond
	// maxPages is the cache's size; a hundred rows take some 25 kB.
	maxPages = 256
)

// leaderPages caches rendered pages of the boards for all players.
type leaderPages struct {
	list func(ctx context.Context, by leaderboard.RankBy, page models.Page) ([]leaderboard.Leader, bool, error)
	made *lru.Cache[boardPage, shownPage]
	once singleflight.Group
}

func newLeaderPages(store *store.Store) *leaderPages {
	return &leaderPages{list: store.Leaderboard.Leaders, made: newCache[boardPage, shownPage](maxPages)}
}

func (l *leaderPages) show(ctx context.Context, part boardPage, now time.Time) (shownPage, error) {
	if page, ok := l.made.Get(part); ok && now.Sub(page.at).Abs() < pageFresh {
		return page, nil
	}
	page, err, _ := l.once.Do(fmt.Sprint(part), func() (any, error) { return l.make(ctx, part, now) })
	if err != nil {
		return shownPage{}, err
	}
	return page.(shownPage), nil //nolint:errcheck,forcetypeassert // what make returns
}

// make renders a page for all waiting requests, so it ignores their cancellation.
func (l *leaderPages) make(ctx context.Context, part boardPage, now time.Time) (shownPage, error) {
	ctx, end := context.WithTimeout(context.WithoutCancel(ctx), handlerTimeout)
	defer end()
	leaders, more, err := l.list(ctx, part.by, part.page)
	if err != nil {
		return shownPage{}, err
	}
	rows := make([]LeaderboardItem, len(leaders))
	for i, leader := range leaders {
		place := part.page.Offset + i + 1
		rows[i] = leaderRow(leader, &place)
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return shownPage{}, err
	}
	head := append(fmt.Appendf(nil, `{"hasMore":%t,"leaderboard":%s`, goesOn(more, part.page), text), `,"me":`...)
	page := shownPage{head: head, zipped: sync.OnceValue(func() []byte { return beginGzip(head) }), at: now}
	if len(rows) > 0 { // otherwise the ranks are being built
		l.made.Add(part, page)
	}
	return page, nil
}

// leaderboardAnswer is a Leaderboard of encoded JSON.
type leaderboardAnswer struct {
	page shownPage
	tail []byte // the player's own row and what closes the answer
	gzip bool
}

// VisitGetLeaderboardResponse writes the response at once: a system call for each part would cost more than the copy.
func (a leaderboardAnswer) VisitGetLeaderboardResponse(w http.ResponseWriter) error {
	var body []byte
	if a.gzip {
		body = endGzip(a.page.zipped(), a.page.head, a.tail)
		w.Header().Set("Content-Encoding", "gzip")
	} else {
		body = slices.Concat(a.page.head, a.tail)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(body)
	return err
}
