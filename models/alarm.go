package models

import "time"

// AlarmName names an alarm; Alarms lists them all.
type AlarmName string

// The alarms, each with what its level counts. (decision 0023: leader)
const (
	AlarmOutboxDead   AlarmName = "outbox_dead"   // messages given up within the last hour
	AlarmJobMissed    AlarmName = "job_missed"    // minutes that the job named by the subject is late
	AlarmClockSkew    AlarmName = "clock_skew"    // seconds a process's clock is off the database's
	AlarmDiskLow      AlarmName = "disk_low"      // MiB free where the database's file lies
	AlarmVerifyFailed AlarmName = "verify_failed" // invariants that do not hold; see VerifyEachNight
	AlarmChainBehind  AlarmName = "chain_behind"  // seconds since the time up to which the treasury is known
	AlarmPaymentsHeld AlarmName = "payments_held" // payments that wait for an admin
	AlarmPriceStale   AlarmName = "price_stale"   // seconds since the price of TON was read

	AlarmPayoutReturned  AlarmName = "payout_returned" // payouts that came back and are due again
	AlarmPayoutUnmatched AlarmName = "payout_stray"    // 1: a transfer seen within the last day names the subject, a payout's comment, and did not settle it
)

// Alarms lists every alarm.
var Alarms = []AlarmName{AlarmOutboxDead, AlarmJobMissed, AlarmClockSkew, AlarmDiskLow, AlarmVerifyFailed, AlarmChainBehind, AlarmPaymentsHeld, AlarmPriceStale, AlarmPayoutReturned, AlarmPayoutUnmatched}

// Alarm is an alarm that was raised.
type Alarm struct {
	ID        int64
	Name      AlarmName
	Subject   string // which one, where there are several
	Detail    string
	RaisedAt  time.Time
	SeenAt    time.Time  // last
	ClearedAt *time.Time // UTC; nil while it is raised
}
