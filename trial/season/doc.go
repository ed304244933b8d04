// Package season plays a whole season through the built program's API, on a stepped clock: honest players, greedy ones and owners of fake
// friends. It reports the emission of coins by source and checks it against the rules.
//
// `go test` plays a short season, `make season` the 90 days of docs/emission.md. Players' choices follow from a printed, settable seed; the
// wheel's results don't.
package season
