package api

import (
	"context"
	"errors"

	"mcbk/game"
	"mcbk/models"
	"mcbk/ton"
)

const walletAddressInvalid = game.Code(ErrorCodeWalletAddressInvalid)

// SetWallet connects a wallet, or disconnects it.
func (s *Server) SetWallet(ctx context.Context, request SetWalletRequestObject) (SetWalletResponseObject, error) {
	if request.Body.Proof != nil {
		return nil, game.Refuse(notImplemented)
	}
	var raw *string
	if text, err := request.Body.WalletAddress.Get(); err == nil {
		address, err := ton.ParseAddress(text, s.options.Sales.Network)
		if err != nil {
			return nil, wrongAddress(text, err)
		}
		raw = new(address.Raw())
	}
	p, err := s.store.SetWallet(ctx, player(ctx).ID, raw)
	if err != nil {
		return nil, err
	}
	return SetWallet200JSONResponse(s.user(p, s.now())), nil
}

// wrongAddress refuses with what is wrong with an address, in the words of the wallet widget.
func wrongAddress(text string, err error) error {
	var fault ton.AddressFault
	if !errors.As(err, &fault) {
		return err
	}
	return &game.Refusal{Code: walletAddressInvalid, Params: map[string]any{"address": text, "problem": fault.Error()}}
}

// wallet is a player's wallet as people see it; nil without one.
func (s *Server) wallet(p models.Player) *string {
	if p.Wallet == nil {
		return nil
	}
	address, err := ton.ParseAddress(*p.Wallet, s.options.Sales.Network)
	if err != nil {
		return p.Wallet
	}
	return new(address.Friendly(s.options.Sales.Network))
}
