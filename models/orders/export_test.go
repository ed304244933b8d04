package orders

// CancelLocked cancels an order as it was read.
var CancelLocked = cancelOrder
