package models

import "slices"

// Steps are the states that may follow each state of a row. The triggers …_steps of the database refuse any other step; a test
// compares them with these, and prints those of a changed table.
type Steps[State ~string] map[State][]State

// list returns the steps in the form from>to, sorted.
func (s Steps[State]) list() (all []string) {
	for from, next := range s {
		for _, to := range next {
			all = append(all, string(from+">"+to))
		}
	}
	slices.Sort(all)
	return all
}

// AllSteps returns the steps of each table that has states, like pending>paid.
func AllSteps() map[string][]string {
	return map[string][]string{
		AdTicket{}.TableName():    AdTicketSteps.list(),
		AdminAction{}.TableName(): AdminActionSteps.list(),
		Advice{}.TableName():      AdviceSteps.list(),
		BotUpdate{}.TableName():   BotUpdateSteps.list(),
		Broadcast{}.TableName():   BroadcastSteps.list(),
		Friend{}.TableName():      FriendSteps.list(),
		Message{}.TableName():     MessageSteps.list(),
		Order{}.TableName():       OrderSteps.list(),
		Payment{}.TableName():     PaymentSteps.list(),
		Payout{}.TableName():      PayoutSteps.list(),
		PlayerTask{}.TableName():  PlayerTaskSteps.list(),
		ServerSeed{}.TableName():  ServerSeedSteps.list(),
		Spin{}.TableName():        SpinSteps.list(),
		Tournament{}.TableName():  TournamentSteps.list(),
		WalletNonce{}.TableName(): WalletNonceSteps.list(),
	}
}
