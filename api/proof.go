package api

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"mcbk/game"
	"mcbk/models/db"
	"mcbk/models/wallet"
	"mcbk/ton"
)

func proofOf(address ton.Address, p WalletProof) ton.Proof {
	var state string
	if p.StateInit != nil {
		state = *p.StateInit
	}
	return ton.Proof{
		Address: address, Timestamp: p.Timestamp, Domain: p.Domain.Value, DomainLength: p.Domain.LengthBytes,
		Payload: p.Payload, Signature: p.Signature, PublicKey: p.PublicKey, StateInit: state,
	}
}

// proofDomain returns the domain that wallets sign: the web app's host, with a port unless it is the scheme's default.
func proofDomain(webApp string) (string, error) {
	at, err := url.Parse(webApp)
	if err != nil {
		return "", fmt.Errorf("parse web app address: %w", err)
	}
	standard := map[string]string{"http": ":80", "https": ":443"}[at.Scheme]
	return strings.TrimSuffix(strings.ToLower(at.Host), standard), nil
}

// checkProof refuses an invalid proof with wallet_proof_invalid. A key missing from the proof comes from fetchWalletKey.
func (s *Server) checkProof(ctx context.Context, proof ton.Proof, now time.Time) error {
	key, err := proof.Key()
	if errors.Is(err, ton.ErrNoWallet) {
		account, asked := ctx.Value(accountKey).(ton.Account)
		if !asked || account.SingleSource { // a key that one server made up would prove a stranger's wallet
			return db.ErrUnavailable
		}
		key, err = account.Key, nil // zero without a wallet: no proof matches it
	}
	if err == nil {
		err = proof.Check(key, s.domain, now)
	}
	if errors.Is(err, ton.ErrProof) {
		s.log.InfoContext(ctx, "wallet proof refused", "player", player(ctx).ID, "error", err)
		return game.Refuse(wallet.WalletProofInvalid)
	}
	return err
}
