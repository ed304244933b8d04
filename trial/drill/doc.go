// Package drill injects faults into process, database, network and disk while people play. After each drill the ledger is valid, all
// acknowledged writes are in the database, and every repeated call gets its one response.
//
// `go test` runs a short form, `make drill` the long one. Random choices follow from a printed, settable seed. Everything runs on
// loopback.
package drill
