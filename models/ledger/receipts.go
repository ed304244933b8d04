package ledger

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcbk/game"
	"mcbk/models"
)

// A receipt is what verify, or a repeated request, needs to know of an entry. Its posting's memo stores the fields of the struct in
// their order, with spaces between them. A later version only adds fields at the end, and leaves them out where they have their
// default: so the number of fields is the version, and an earlier program reads what it knows.

// BatchReference returns the reference of a batch's entry, at the bag or in a mine: a key serves one of the two.
func BatchReference(key string) string { return "tap:" + key }

// SpinsPrefix begins a SpinsReference.
const SpinsPrefix = "spins:"

// SpinsReference returns the reference of the entry of a day's spins.
func SpinsReference(day game.Day) string { return fmt.Sprint(SpinsPrefix, day) }

// TapReceipt is the answer to a batch of taps: every number that the player's later life may change.
type TapReceipt struct {
	Sent, Accepted     int
	Spins, EnergySpent int             // of the bag, after the batch
	Balances           models.Balances // after the batch
	Rate               game.TapRate    // of version 2
	Revision           int64           // of the player's row, after the batch; 0 in receipts of an earlier version
}

// DefaultTapRate is the rate of a receipt of version 1.
var DefaultTapRate = game.TapRate{Energy: game.EnergyPerTap, Coins: game.CoinsPerTap}

// Encode returns the memo.
func (r TapReceipt) Encode() string {
	b := r.Balances
	numbers := []int64{
		int64(r.Sent), int64(r.Accepted), int64(r.Spins), int64(r.EnergySpent), int64(b.Game), int64(b.Referral), int64(b.Purchased),
		b.GamePoints, b.ReferralPoints, int64(b.Mine), b.Spins, b.AdSpins,
	}
	if r.Rate != DefaultTapRate {
		numbers = append(numbers, int64(r.Rate.Energy), int64(r.Rate.Coins))
	}
	return withRevision(encode(numbers...), r.Revision)
}

// DecodeTapReceipt reads a memo.
func DecodeTapReceipt(memo string) (TapReceipt, error) {
	memo, revision, err := cutRevision(memo)
	if err != nil {
		return TapReceipt{}, err
	}
	n, err := decode(memo, 12, 14)
	if err != nil {
		return TapReceipt{}, err
	}
	r := TapReceipt{
		Sent: int(n[0]), Accepted: int(n[1]), Spins: int(n[2]), EnergySpent: int(n[3]), Rate: DefaultTapRate, Revision: revision,
		Balances: models.Balances{
			Game: game.MicroMCBK(n[4]), Referral: game.MicroMCBK(n[5]), Purchased: game.MicroMCBK(n[6]), GamePoints: n[7], ReferralPoints: n[8],
			Mine: game.MicroMCBK(n[9]), Spins: n[10], AdSpins: n[11],
		},
	}
	if len(n) == 14 {
		r.Rate = game.TapRate{Energy: int(n[12]), Coins: game.MicroMCBK(n[13])}
	}
	return r, nil
}

// revisionMark begins the revision in the receipt of a batch.
const revisionMark = " r"

func withRevision(memo string, revision int64) string {
	if revision == 0 {
		return memo
	}
	return memo + revisionMark + strconv.FormatInt(revision, 10)
}

func cutRevision(memo string) (rest string, revision int64, err error) {
	rest, marked, found := strings.Cut(memo, revisionMark)
	if !found {
		return memo, 0, nil
	}
	digits, _, _ := strings.Cut(marked, " ") // fields of a later version are skipped
	if revision, err = strconv.ParseInt(digits, 10, 64); err != nil {
		return "", 0, fmt.Errorf("decode receipt %q: %w", memo, err)
	}
	return rest, revision, nil
}

// digMark begins the memo of a DigReceipt.
const digMark = "dig "

// DigReceipt is the answer to a batch in a mine.
type DigReceipt struct {
	Tournament     int64
	Sent, Accepted int
	After          game.Digger // its level, energy spent, ore and taps
	Revision       int64       // of the player's row, after the batch; 0 in receipts of an earlier version
}

// Encode returns the memo.
func (r DigReceipt) Encode() string {
	memo := digMark + encode(r.Tournament, int64(r.Sent), int64(r.Accepted), int64(r.After.Level), int64(r.After.EnergySpent), int64(r.After.Ore), r.After.Taps)
	return withRevision(memo, r.Revision)
}

// DecodeDigReceipt reads a memo.
func DecodeDigReceipt(memo string) (DigReceipt, error) {
	if !IsDigReceipt(memo) {
		return DigReceipt{}, fmt.Errorf("decode receipt %q: not of a mine", memo)
	}
	numbers, revision, err := cutRevision(memo[len(digMark):])
	if err != nil {
		return DigReceipt{}, err
	}
	n, err := decode(numbers, 7)
	if err != nil {
		return DigReceipt{}, err
	}
	after := game.Digger{Level: int(n[3]), EnergySpent: int(n[4]), Ore: game.MicroMCBK(n[5]), Taps: n[6]}
	return DigReceipt{Tournament: n[0], Sent: int(n[1]), Accepted: int(n[2]), After: after, Revision: revision}, nil
}

// IsDigReceipt reports whether a batch's memo is of a mine.
func IsDigReceipt(memo string) bool { return strings.HasPrefix(memo, digMark) }

// SpinReceipt is the outcome of a spin of the wheel, from which verify computes what it pays.
type SpinReceipt struct {
	OddsVersion, Segment, Chest int
	Golden                      bool
}

// Encode returns the memo.
func (r SpinReceipt) Encode() string {
	return encode(int64(r.OddsVersion), int64(r.Segment), int64(r.Chest)) + " " + strconv.FormatBool(r.Golden)
}

// DecodeSpinReceipt reads a memo.
func DecodeSpinReceipt(memo string) (r SpinReceipt, err error) {
	if _, err = fmt.Sscan(memo, &r.OddsVersion, &r.Segment, &r.Chest, &r.Golden); err != nil {
		return r, fmt.Errorf("decode receipt %q: %w", memo, err)
	}
	return r, nil
}

// CheckInReceipt is the streak of a check-in and, of version 2, what it paid if that is not the default.
type CheckInReceipt struct {
	Streak int
	Reward game.Reward // zero for the default
}

// Encode returns the memo.
func (r CheckInReceipt) Encode() string {
	if r.Reward == (game.Reward{}) {
		return encode(int64(r.Streak))
	}
	return encode(int64(r.Streak), int64(r.Reward.Coins), r.Reward.Points)
}

// DecodeCheckInReceipt reads a memo.
func DecodeCheckInReceipt(memo string) (r CheckInReceipt, err error) {
	n, err := decode(memo, 1, 3)
	if err != nil {
		return r, err
	}
	r.Streak = int(n[0])
	if len(n) == 3 {
		r.Reward = game.Reward{Coins: game.MicroMCBK(n[1]), Points: n[2]}
	}
	return r, nil
}

// TaskReceipt is what a task paid.
type TaskReceipt struct{ Reward game.Reward }

// Encode returns the memo.
func (r TaskReceipt) Encode() string { return encode(int64(r.Reward.Coins), r.Reward.Points) }

// DecodeTaskReceipt reads a memo.
func DecodeTaskReceipt(memo string) (TaskReceipt, error) {
	n, err := decode(memo, 2)
	if err != nil {
		return TaskReceipt{}, err
	}
	return TaskReceipt{game.Reward{Coins: game.MicroMCBK(n[0]), Points: n[1]}}, nil
}

// MineReceipt is the mine that a payment opened.
type MineReceipt struct {
	Tournament int64
	Level      int
}

// Encode returns the memo.
func (r MineReceipt) Encode() string { return encode(r.Tournament, int64(r.Level)) }

// DecodeMineReceipt reads a memo.
func DecodeMineReceipt(memo string) (MineReceipt, error) {
	n, err := decode(memo, 2)
	if err != nil {
		return MineReceipt{}, err
	}
	return MineReceipt{Tournament: n[0], Level: int(n[1])}, nil
}

// OreReceipt is the ore that was turned into coins at the end of a tournament.
type OreReceipt struct {
	Ore     game.MicroMCBK
	LastDay game.Day // of the tournament, UTC
}

// Encode returns the memo.
func (r OreReceipt) Encode() string { return encode(int64(r.Ore), int64(r.LastDay)) }

// DecodeOreReceipt reads a memo.
func DecodeOreReceipt(memo string) (OreReceipt, error) {
	n, err := decode(memo, 2)
	if err != nil {
		return OreReceipt{}, err
	}
	return OreReceipt{Ore: game.MicroMCBK(n[0]), LastDay: game.Day(n[1])}, nil
}

// EncodeUnlessDefault returns the memo of a number: empty if it is the default.
func EncodeUnlessDefault(number, standard int64) string {
	if number == standard {
		return ""
	}
	return encode(number)
}

// DecodeOrDefault reads a memo of EncodeUnlessDefault.
func DecodeOrDefault(memo string, standard int64) (number int64, ok bool) {
	if memo == "" {
		return standard, true
	}
	n, err := decode(memo, 1)
	if err != nil {
		return 0, false
	}
	return n[0], memo == EncodeUnlessDefault(n[0], standard)
}

func encode(numbers ...int64) string {
	memo := make([]byte, 0, 64) // enough for most
	for i, number := range numbers {
		if i > 0 {
			memo = append(memo, ' ')
		}
		memo = strconv.AppendInt(memo, number, 10)
	}
	return string(memo)
}

// decode reads the numbers of a memo, as many as the newest known version has that fits; versions are the numbers of fields, ascending.
// Fields of a later version are skipped.
func decode(memo string, versions ...int) ([]int64, error) {
	words := strings.Split(memo, " ")
	known, exact := slices.BinarySearch(versions, len(words))
	if !exact {
		known--
	}
	if known < 0 {
		return nil, fmt.Errorf("decode receipt %q: %d fields", memo, len(words))
	}
	numbers := make([]int64, versions[known])
	for i := range numbers {
		var err error
		if numbers[i], err = strconv.ParseInt(words[i], 10, 64); err != nil {
			return nil, fmt.Errorf("decode receipt %q: %w", memo, err)
		}
	}
	return numbers, nil
}
