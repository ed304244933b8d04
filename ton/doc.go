// Package ton is a client of the TON network: addresses, payment links, lite servers. It never changes a balance.
//
// Lite servers are untrusted: their data count as far as a majority agrees and hashes prove them (decision 0031); they must not crash,
// block or flood the program.
package ton
