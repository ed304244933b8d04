// Package ton speaks to the TON network: addresses, payment links, lite servers. It reports what
// the chain says and never touches a balance.
//
// A lite server is a stranger. What it says is believed as far as other servers say the same and
// as far as hashes prove it (decision 0031); it may not crash, block or flood the program.
package ton
