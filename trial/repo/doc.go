// Package repo tests the repository itself: its documents, licences, secrets, addresses and mutants.
package repo
