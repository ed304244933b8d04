package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"mcbk/game"
	"mcbk/models"
	"mcbk/ton"
)

// SetWallet connects a wallet, with or without a proof, or disconnects it.
func (s *Server) SetWallet(ctx context.Context, request SetWalletRequestObject) (SetWalletResponseObject, error) {
	address, err := s.options.Sales.walletAddress(request.Body)
	if err != nil {
		return nil, err
	}
	now := s.now()
	var p models.Player
	switch {
	case request.Body.Proof == nil && address == nil:
		p, err = s.store.Wallet.SetWallet(ctx, player(ctx).ID, nil)
	case request.Body.Proof == nil:
		p, err = s.store.Wallet.SetWallet(ctx, player(ctx).ID, new(address.Raw()))
	case address == nil:
		return nil, invalid("proof", "comes with a wallet_address")
	default:
		proof := proofOf(*address, *request.Body.Proof)
		p, err = s.store.Wallet.ProveWallet(ctx, player(ctx).ID, address.Raw(), proof.Stored(), func() error { return s.checkProof(ctx, proof, now) }, now)
	}
	if err != nil {
		return nil, err
	}
	return SetWallet200JSONResponse(s.user(p, now)), nil
}

// GetWallet returns the wallet and its balance on the chain, if available.
func (s *Server) GetWallet(ctx context.Context, _ GetWalletRequestObject) (GetWalletResponseObject, error) {
	p := player(ctx)
	shown := GetWallet200JSONResponse{WalletAddress: s.wallet(p), WalletProven: p.WalletProven}
	if p.Wallet == nil {
		return shown, nil
	}
	address, err := ton.ParseAddress(*p.Wallet, s.options.Sales.Network)
	if err != nil {
		return nil, fmt.Errorf("read the wallet of player %d: %w", p.ID, err)
	}
	account, err := s.accounts.lookup(ctx, address, who(p), s.now())
	if err != nil {
		s.log.DebugContext(ctx, "look up wallet balance", "player", p.ID, "error", err)
		return shown, nil
	}
	shown.TONBalance, shown.BalanceAt = new(TON(account.Balance)), new(account.Block.Time.UTC())
	return shown, nil
}

// CreateProofPayload creates a payload for a wallet to sign.
func (s *Server) CreateProofPayload(ctx context.Context, _ CreateProofPayloadRequestObject) (CreateProofPayloadResponseObject, error) {
	payload, nonce, err := s.store.Wallet.NewWalletNonce(ctx, player(ctx).ID, s.now())
	if err != nil {
		return nil, err
	}
	return CreateProofPayload200JSONResponse{Payload: payload, ExpiresAt: nonce.ExpiresAt.UTC()}, nil
}

// walletAddress returns the new address; nil to disconnect.
func (s Sales) walletAddress(change *WalletChange) (*ton.Address, error) {
	text, err := change.WalletAddress.Get()
	if err != nil { // null
		return nil, nil //nolint:nilerr // null disconnects
	}
	address, err := ton.ParseAddress(text, s.Network)
	if err != nil {
		return nil, wrongAddress(text, err)
	}
	return &address, nil
}

// wrongAddress refuses a malformed address, with the problem in the wallet widget's words.
func wrongAddress(text string, err error) error {
	fault, ok := errors.AsType[ton.AddressFault](err)
	if !ok {
		return err
	}
	return &game.Refusal{Code: walletAddressInvalid, Params: map[string]any{"address": text, "problem": fault.Error()}}
}

// wallet returns a player's wallet in user-friendly form; nil without one.
func (s *Server) wallet(p models.Player) *string {
	if p.Wallet == nil {
		return nil
	}
	return new(ton.Friendly(*p.Wallet, s.options.Sales.Network))
}

// tonConnectManifest describes the app to wallets, which fetch it from their own origins.
func (o Options) tonConnectManifest(c *gin.Context) {
	c.Header("Access-Control-Allow-Origin", "*")
	c.JSON(http.StatusOK, gin.H{
		"url":              o.WebAppURL,
		"name":             o.Config.Product,
		"iconUrl":          o.WebAppURL + "/icon-180.png",
		"privacyPolicyUrl": o.WebAppURL + "/privacy",
	})
}
