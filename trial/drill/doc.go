// Package drill injects faults while people play: into the process, the
// database, the network between them, the disk. After each drill the ledger is sound, what was
// acknowledged is in the database, and every call that is repeated gets its one answer.
//
// `go test` runs a short form, `make drill` the long one. What is chosen by chance follows from
// a seed, which is printed and can be set. Everything happens on this machine's loopback.
package drill
