package api

import (
	"context"
	"time"

	"mcbk/game"
	"mcbk/models/db"
	"mcbk/models/mines"
)

// GetMinesStatus returns the player's mines and the tournament.
func (s *Server) GetMinesStatus(ctx context.Context, _ GetMinesStatusRequestObject) (GetMinesStatusResponseObject, error) {
	status, err := s.minesStatus(ctx)
	if err != nil {
		return nil, err
	}
	return GetMinesStatus200JSONResponse(status), nil
}

// CreateMinePayment orders the next mine, or returns the open order for it.
func (s *Server) CreateMinePayment(ctx context.Context, request CreateMinePaymentRequestObject) (CreateMinePaymentResponseObject, error) {
	p := player(ctx)
	order, err := s.store.Mines.OrderMine(ctx, p.ID, request.Body.Level, invoiceOf(ctx), s.options.Season, s.now())
	if err != nil {
		return nil, err
	}
	shown := s.order(order)
	return CreateMinePayment200JSONResponse{PaymentLink: shown.PaymentLink, Order: shown}, nil
}

// UnlockMine reports whether a mine is open. The hash is not trusted: it only wakes the chain reader.
func (s *Server) UnlockMine(ctx context.Context, request UnlockMineRequestObject) (UnlockMineResponseObject, error) {
	p := player(ctx)
	if err := p.CanRequest(); err != nil {
		return nil, err
	}
	order, unlocked, err := s.store.Mines.MineOrder(ctx, p.ID, request.Body.Level, s.now())
	if err != nil {
		return nil, err
	}
	if !unlocked {
		if s.options.WakeChainReader != nil {
			s.options.WakeChainReader()
		}
		var answer UnlockMine202JSONResponse
		if order != nil {
			answer.Order = new(s.order(*order))
		}
		return answer, nil
	}
	status, err := s.minesStatus(ctx)
	if err != nil {
		return nil, err
	}
	return UnlockMine200JSONResponse{Unlocked: true, Status: status}, nil
}

// GetMinesLeaderboard lists the best miners and the player's own row.
func (s *Server) GetMinesLeaderboard(ctx context.Context, _ GetMinesLeaderboardRequestObject) (GetMinesLeaderboardResponseObject, error) {
	best, me, err := s.store.Mines.Miners(ctx, player(ctx), s.now())
	if err != nil {
		return nil, err
	}
	return GetMinesLeaderboard200JSONResponse{Leaderboard: db.MapSlice(best, minerRow), Me: minerRow(me)}, nil
}

// Mine credits taps in the mine; a repeated batch gets its first answer, rebuilt from its posting.
func (s *Server) Mine(ctx context.Context, request MineRequestObject) (MineResponseObject, error) {
	batch := batchOf(ctx, request.Body.Taps, request.Body.BatchID)
	dug, err := s.store.Mines.Dig(ctx, batch, s.options.Season, s.now())
	if err != nil {
		return nil, err
	}
	return Mine200JSONResponse{AsOf: dug.Revision, Accepted: dug.Accepted, TotalMCBK: Coins(dug.Total), CurrentEnergy: dug.Energy, MaxEnergy: dug.MaxEnergy}, nil
}

func minerRow(row mines.MinerRow) MinesLeaderboardItem {
	return MinesLeaderboardItem{
		Rank: row.Rank, MCBK: Coins(row.Ore), Taps: row.Taps,
		User: Miner{ID: int64(row.PlayerID), FirstName: row.FirstName, Username: row.Username, PhotoURL: row.PhotoURL},
	}
}

func (s *Server) minesStatus(ctx context.Context) (MinesStatus, error) {
	now := s.now()
	mines, err := s.store.Mines.Mines(ctx, player(ctx).ID, now)
	if err != nil {
		return MinesStatus{}, err
	}
	digger := mines.Miner.Digger
	status := MinesStatus{
		AsOf: player(ctx).Revision, ID: mines.ID, CurrentMineLevel: digger.Level, TournamentMCBK: Coins(digger.Ore), Rules: mineRules(mines.PrizeNeeds(s.store.Settings.RuntimeSettings(ctx, now).LeastPrizeOre())),
		EnergyInfo: MineEnergy{Current: digger.Energy(), Max: digger.Mine().Energy, FullAt: game.WindowOf(now).End()},
		Tournament: Tournament{
			Status: TournamentStatus(mines.At(now)), StartsAt: mines.Start, EndsAt: mines.End, SalesEndAt: mines.SalesEnd(),
			DigsDaily: digger.DugEveryDay(game.DayOf(now)), DailyPossible: digger.InTime(mines.Tournament.Tournament), Result: mineResult(mines),
		},
	}
	for _, mine := range game.Mines {
		status.AvailableLevels = append(status.AvailableLevels, MineLevel{
			Level: mine.Level, Name: mine.Name, Cost: TON(mine.Cost), Energy: mine.Energy, MCBKPerTap: Coins(mine.PerTap), Unlocked: mine.Level <= digger.Level,
		})
	}
	if next := digger.Level + 1; next <= len(game.Mines) {
		status.CanUnlockNext = &next
	}
	if mines.Next != nil {
		status.Tournament.NextStartsAt = &mines.Next.Start
	}
	return status, nil
}

// mineResult returns a player's result in a tournament; nil before it is known.
func mineResult(mines mines.Mines) *MineResult {
	m := mines.Miner
	if mines.FinalAt == nil || m.Rank == nil {
		return nil
	}
	result := MineResult{
		Rank: *m.Rank, MCBK: Coins(m.Ore), PaidMCBK: Coins(m.OreCoins), Doubled: m.OreCoins > m.Ore,
		PrizeTON: TON(m.Prize.TON), PrizeMCBK: Coins(m.Prize.Coins), PrizeGiven: m.PrizedAt != nil,
	}
	if mines.Payout != "" {
		result.Payout = new(MineResultPayout(mines.Payout))
	}
	return &result
}

// mineRules returns the rules that are independent of the level.
func mineRules(least game.MicroMCBK) MineRules {
	const day = 24 * time.Hour
	rules := MineRules{
		EnergyPerTap: game.EnergyPerDig, WindowHours: int(game.MineWindow / time.Hour), TournamentDays: int(game.TournamentLength / day),
		LeastPrizeMCBK: Coins(least), DailyDays: game.DailyDigDays, DailyFactor: game.DailyDigFactor,
	}
	for _, row := range game.Prizes {
		rules.Prizes = append(rules.Prizes, PrizeRow{From: row.From, To: row.To, TON: TON(row.TON), MCBK: Coins(row.Coins)})
	}
	return rules
}
