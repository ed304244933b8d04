// Package season has people play a whole season through the built program's own API, on a clock that is moved: honest players,
// greedy ones who take all that pays, and owners of fake friends. It reports how many coins came into the world, and from where,
// and checks that against the rules.
//
// `go test` plays a short season, `make season` the 90 days, whose figures are docs/emission.md. What people choose follows from a seed
// that is printed and can be set; where the wheel stops does not, for its dice are the program's own.
package season
