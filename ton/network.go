package ton

// Network is the TON network that addresses and lite servers belong to.
type Network string

// The networks.
const (
	Mainnet Network = "mainnet"
	Testnet Network = "testnet"
)

// globalID returns the number that each block of the network carries.
func (n Network) globalID() int32 {
	if n == Testnet {
		return -3
	}
	return -239
}
