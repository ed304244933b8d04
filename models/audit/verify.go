package audit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ledger"
)

// invariants are reported in this order. A feature adds a line; the check stands in its verify_*.go or, where it is
// a single query, with the rows that it checks.
var invariants = []invariant{
	{name: "every posting is a player's and moves what both its accounts hold", posting: hasValidAccounts},
	{name: "every entry has a reference of its own and lines from 0 without a gap", players: findIncompleteEntries},
	{name: "every posting is as it was written", posting: matchesChecksum},
	{name: "every entry's receipt tells what was posted", posting: receiptMatches},
	{name: "every balance equals the sum of its postings", end: balancesAreSums},
	{name: "no account of a player is or ever was below zero", posting: isCovered, end: noNegativeBalance},
	{name: "no day's taps cost more than the energy of the player's level", posting: tapsWithinEnergy},
	{name: "the taps and energy counted today are those of today's postings", end: countersAreSums},
	{name: "a player's days, streak and doubled reward follow from what was paid", end: visitsMatchPostings},
	{name: "every check-in was paid once, and doubled only where it says so", players: findInvalidCheckIns},
	{name: "every advice was paid as its state and points say", players: findInvalidAdvice},
	{name: "every day's row tells the streak and the reward that were paid", players: findInvalidStreaks},
	{name: "a player's last advice is the newest that was paid", players: findInvalidAdvisedDays},
	{name: "every ad that paid has its entry, and every such entry its ad", players: findInvalidAdRewards},
	{name: "no two ads paid the same thing", players: findInvalidTickets},
	{name: "every claimed task was paid once what it promised, and no other task was", players: findMispaidTasks},
	{name: "every completed task was earned", players: unearnedTasks, end: bagReached},
	{name: "whoever reached a task's taps, energy or spins today has it completed", players: findUnrecordedTasks},
	{name: "no task of a day that was closed is left open", database: findStaleTasks},
	{name: "a player's spins, streak and coins won follow from what was posted", end: wheelMatchesPostings},
	{name: "nobody ever held more spins than they may", posting: spinsWithinLimit},
	{name: "every spin was posted as its state says", players: findInvalidSpins},
	{name: "every spin stopped where its seeds say, and was paid for that", players: findInvalidOutcomes},
	{name: "every seed made the spins it counts", players: findInvalidSeeds},
	{name: "every loyalty bonus was earned by the ads of its day", players: findInvalidLoyalty},
	{name: "a player's loyalty bonus is that of the newest day whose ads earned it", players: findInvalidLoyaltyDays},
	{name: "every credited payment was posted once, and its inviter's part", players: findInvalidPayments},
	{name: "every payment brought the coins of its order, time and prices", players: findInvalidPaymentCoins},
	{name: "every order and payment has the prices of its moment", players: findInvalidPrices},
	{name: "every order was paid what its payments say", players: findInvalidOrders},
	{name: "every order in Stars asks and brings what its prices say, and so does every charge that was credited", players: findInvalidStars},
	{name: "what was paid and refunded in Stars is what Telegram lists, and sold what it says", database: brokenStars},
	{name: "every refund in Stars took back what its payment brought, as far as it was there", players: findInvalidRefunds},
	{name: "the treasury's history is unbroken, and nothing that came in is forgotten", database: brokenTreasury},
	{name: "no order stays open long after the chain is known beyond its time", database: overdueOrders},
	{name: "no order in Stars stays open ten minutes beyond its limit", database: overdueStarOrders},
	{name: "every invited player is a friend of their inviter, as far as their days say", players: findInvalidFriends},
	{name: "every friend whose days were rewarded was paid for once, and no other", players: unpaidFriends},
	{name: "no inviter was rewarded for more than twenty friends in a day", posting: friendsWithinDay},
	{name: "the mines of a player are open from the first on without a gap, each by an order that was paid", players: findInvalidMiners},
	{name: "every miner's row is what the last batch says", players: findInvalidDigs, end: daysAreDug},
	{name: "every miner's ore and prize were paid as the row says", players: findInvalidAwards},
	{name: "every miner of an ended tournament has the rank and the prize that the ore of all makes", database: findInvalidRanks},
	{name: "whatever holds money or identity is what an admin, the chain or the rules decided", database: findUndecided},
	{name: "every changed reward of a check-in or advice was set by an admin", players: unsetRewards},
	{name: "every proven wallet is one player's, whose nonce its key has signed", players: unproven},
	{name: "no nonce of a wallet stays open ten minutes beyond its limit", database: overdueNonces},
	{name: "every stored answer is finished", players: findUnfinishedAnswers},
	{name: "the database itself still guards its rows", database: missingGuards},
	{name: "every checkpoint of the ledger follows from its postings", checkpoint: func(ctx context.Context, s *Auditor, before, c models.Checkpoint) (bool, error) {
		return ledger.ChainMatches(ctx, s.ledger, before, c)
	}},
	{name: "every posting that has settled has its checkpoint", database: func(ctx context.Context, s *Auditor, now time.Time) ([]string, error) {
		return ledger.MissingCheckpoints(ctx, s.ledger, now)
	}},
	{name: "no question to an admin stays open ten minutes beyond its limit", database: overdueActions},
}

// Report is what Verify found, and how much it read.
type Report struct {
	Verdicts          []Verdict // one for each invariant
	Whole             bool      // the round is complete
	Players, Postings int64
	Checkpoint        string // the newest in one line, to be compared with a copy stored elsewhere
}

// Broken returns the verdicts that are not sound.
func (r Report) Broken() []Verdict {
	return slices.DeleteFunc(slices.Clone(r.Verdicts), Verdict.Sound)
}

// see checks the next size players and returns the last id; the last range has no end.
func (r *Report) see(tx *gorm.DB, season game.Season, after models.PlayerID, size int) (upTo models.PlayerID, err error) {
	var players []models.Player
	if err := tx.Raw("SELECT "+models.PlayerColumns("players")+" FROM players WHERE id > ? ORDER BY id LIMIT ?", after, size).Scan(&players).Error; err != nil {
		return 0, fmt.Errorf("read players: %w", err)
	}
	seen := idRange{after, math.MaxInt64, season}
	if len(players) == size {
		seen.UpTo = players[size-1].ID
	}
	for i, rule := range invariants {
		if rule.players == nil {
			continue
		}
		broken, err := rule.players(tx, seen)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", rule.name, err)
		}
		slices.Sort(broken)
		for _, id := range broken {
			r.Verdicts[i].name(id)
		}
	}
	r.Players += int64(len(players))
	return seen.UpTo, r.follow(tx, seen, players)
}

// follow replays the postings of the players of a range.
func (r *Report) follow(tx *gorm.DB, seen idRange, players []models.Player) error {
	var current *ledgerReplay
	turnTo := func(next *ledgerReplay) {
		r.close(current)
		current = next
	}
	const inOrder = "SELECT " + models.PostingColumns + " FROM postings WHERE player_id > ? AND player_id <= ? ORDER BY player_id, id"
	tasks, err := bagTasks(tx, seen)
	if err != nil {
		return err
	}
	miners, err := minersOf(tx, seen)
	if err != nil {
		return err
	}
	err = ledger.EachPosting(tx.Raw(inOrder, seen.After, seen.UpTo), func(_ int64, p models.Posting) {
		for len(players) > 0 && players[0].ID <= p.PlayerID {
			turnTo(newLedgerReplay(players[0]))
			current.tasks, current.miners = tasks[players[0].ID], miners[players[0].ID]
			players = players[1:]
		}
		if current == nil || current.player.ID != p.PlayerID {
			turnTo(newLedgerReplay(models.Player{ID: p.PlayerID})) // of nobody
		}
		r.Postings++
		current.post(p)
		for i, rule := range invariants {
			if rule.posting != nil && !rule.posting(current, p) {
				r.Verdicts[i].name(current.player.ID)
			}
		}
	})
	for _, p := range players { // players without postings
		turnTo(newLedgerReplay(p))
		current.tasks, current.miners = tasks[p.ID], miners[p.ID]
	}
	r.close(current)
	return err
}

// close checks a replay after its last posting.
func (r *Report) close(l *ledgerReplay) {
	if l == nil {
		return
	}
	for i, rule := range invariants {
		if rule.end != nil && !rule.end(l) {
			r.Verdicts[i].name(l.player.ID)
		}
	}
}

// receipts lists the checks of what an entry must have posted, by the part of its reference before the colon. An entry of an
// unknown kind has no reason to exist. A feature adds its kinds.
var receipts = map[string]func(l *ledgerReplay, p models.Posting) bool{
	"tap":      batchMatches,
	"mine":     mineMatches,
	"ore":      oreMatches,
	"prize":    tournamentPrizeMatches,
	"checkin":  checkInMatches,
	"checkin2": doubledMatches,
	"pred":     adviceMatches("pred"),
	"pred2":    adviceMatches("pred2"),
	"task":     taskReceiptMatches,
	"spins":    spinGrantMatches,
	"roll":     rollMatches,
	"spin":     prizeMatches,
	"spin2":    extraMatches,
	"adspin":   adSpinMatches,
	"loyal":    loyaltyMatches,
	"pay":      saleMatches("pay", models.AccountPurchased),
	"share":    saleMatches("share", models.AccountReferral), // an inviter's part
	"refund":   refundMatches,
	"friend":   friendMatches,
}

func receiptMatches(l *ledgerReplay, p models.Posting) bool {
	kind, _, _ := strings.Cut(p.Reference, ":")
	matches, known := receipts[kind]
	return known && matches(l, p)
}
