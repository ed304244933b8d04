package ton

// Network is a TON network.
type Network string

// The networks.
const (
	Mainnet Network = "mainnet"
	Testnet Network = "testnet"
)

// globalID is in each block of the network.
func (n Network) globalID() int32 {
	if n == Testnet {
		return -3
	}
	return -239
}
