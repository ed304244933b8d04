// Package ton speaks to the TON network: lite servers, invoices, wallet proofs. It reports what
// the chain says and never touches a balance. It stands empty until coins are sold.
package ton
