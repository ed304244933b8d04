package chain

import (
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// bounceBody includes the beginning of the body in a bounced message.
const bounceBody = 4

// prices are the public network's basechain prices.
func prices() (*tvm.PreparedBlockchainConfig, error) {
	gas := tlb.ConfigGasLimitsPrices{
		HasFlatPricing: true, FlatGasLimit: 100, FlatGasPrice: 40_000, HasSeparateSpecialLimit: true,
		GasPrice: 400 << 16, GasLimit: 1_000_000, SpecialGasLimit: 1_000_000, GasCredit: 10_000, BlockGasLimit: 10_000_000,
		FreezeDueLimit: 100_000_000, DeleteDueLimit: 1_000_000_000,
	}
	forward := tlb.ConfigMsgForwardPrices{
		LumpPrice: 400_000, BitPrice: 26_214_400, CellPrice: 2_621_440_000, IHRFactor: 98_304, FirstFrac: 21_845, NextFrac: 21_845,
	}
	storage := cell.NewDict(32)
	price, err := tlb.ToCell(tlb.ConfigStoragePrices{BitPrice: 1, CellPrice: 500, MCBitPrice: 1_000, MCCellPrice: 500_000})
	if err != nil {
		return nil, err
	}
	if err := storage.SetIntKey(new(big.Int), price); err != nil {
		return nil, err
	}
	root := cell.NewDict(32)
	for id, v := range map[uint32]any{
		tlb.ConfigParamGlobalVersion:               tlb.GlobalVersion{Version: 13, Capabilities: bounceBody},
		tlb.ConfigParamStoragePrices:               storage,
		tlb.ConfigParamGasPricesMasterchain:        gas,
		tlb.ConfigParamGasPricesBasechain:          gas,
		tlb.ConfigParamMsgForwardPricesMasterchain: forward,
		tlb.ConfigParamMsgForwardPricesBasechain:   forward,
	} {
		param := storage.AsCell()
		if id != tlb.ConfigParamStoragePrices {
			if param, err = tlb.ToCell(v); err != nil {
				return nil, fmt.Errorf("parameter %d: %w", id, err)
			}
		}
		value := cell.BeginCell().MustStoreRef(param).EndCell()
		if err := root.SetIntKey(new(big.Int).SetUint64(uint64(id)), value); err != nil {
			return nil, err
		}
	}
	return tvm.PrepareBlockchainConfig(root.AsCell())
}
