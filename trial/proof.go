package trial

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"mcbk/game"
)

// Proof is the result of comparing a crowd's responses with a program.
type Proof struct {
	Writes       int // number of write requests
	Acknowledged int // of these, answered 200
	Unknown      int // of these, unanswered, but in the database
	Lost         int // of these, unanswered and not in the database; they took effect when repeated
}

func (p Proof) String() string {
	return fmt.Sprintf("%d writes, %d acknowledged; of the others %d had taken effect and %d had not", p.Writes, p.Acknowledged, p.Unknown, p.Lost)
}

// endTime limits a program's shutdown.
const endTime = 20 * time.Second

// Prove checks an ended program against every response: the ledger is valid, all acknowledged writes are in the database, and a
// restarted program gives every write the same response, however often it is repeated. Afterwards all writes are acknowledged.
func (c *Crowd) Prove(ctx context.Context, binary string, settings []string, db Database) (proof Proof, err error) {
	if err := c.Seen.Err(); err != nil {
		return proof, err
	}
	if err := Verify(ctx, binary, settings); err != nil {
		return proof, err
	}
	left, err := db.read(ctx)
	if err != nil {
		return proof, fmt.Errorf("read the database: %w", err)
	}
	if proof, err = c.compare(left); err != nil {
		return proof, fmt.Errorf("the database after the drill: %w", err)
	}
	program, err := Start(ctx, binary, settings)
	if err != nil {
		return proof, err
	}
	defer program.Kill()
	var before books
	for again := range 2 { // in the first round, unanswered writes may take effect
		if err := errors.Join(c.all(func(p *person) error { return p.repeatAll(program.URL) }), c.Seen.Err()); err != nil {
			return proof, fmt.Errorf("repeat every write: %w", err)
		}
		now, err := db.read(ctx)
		if err != nil {
			return proof, fmt.Errorf("read the database: %w", err)
		}
		if _, err := c.compare(now); err != nil {
			return proof, fmt.Errorf("the database after every write was repeated: %w", err)
		}
		if err := c.settled(now); err != nil {
			return proof, err
		}
		if again > 0 && (len(now.posted) != len(before.posted) || len(now.stored) != len(before.stored)) {
			return proof, fmt.Errorf("repeating everything twice changed the database from %d postings and %d answers to %d and %d",
				len(before.posted), len(before.stored), len(now.posted), len(now.stored))
		}
		before = now
	}
	c.Leave()
	if err := program.Term(endTime); err != nil {
		return proof, err
	}
	return proof, Verify(ctx, binary, settings)
}

// repeats limits the repetitions of a write while the program is busy.
const repeats = 10

// repeatAll sends all writes again, in order.
func (p *person) repeatAll(url string) error {
	for _, w := range p.writes {
		for try := 0; try == 0 || (p.unsettled == w && try < repeats); try++ {
			time.Sleep(time.Duration(try) * 100 * time.Millisecond) // backoff after try_again
			p.send(url, w)
		}
		if p.unsettled == w {
			return fmt.Errorf("%s of %d is not answered by a program that nothing ails", w, p.id)
		}
	}
	return nil
}

// compare checks that each acknowledged write is in the database, and nothing else is.
func (c *Crowd) compare(b books) (proof Proof, err error) {
	var wrong []error
	postings, answers := 0, 0
	for _, p := range c.people {
		spins, orders := 0, 0
		for _, w := range p.writes {
			proof.Writes++
			there, err := p.find(w, b)
			if err != nil {
				wrong = append(wrong, fmt.Errorf("%s of %d: %w", w, p.id, err))
			}
			if there && w.reference != "" && !strings.HasPrefix(w.reference, "task:") {
				postings++
			}
			if there && w.key != "" {
				answers++
			}
			if there && w.spins {
				spins++
			}
			if there && w.orders {
				orders++
			}
			if there && w.connects && !b.people[p.id].proven {
				wrong = append(wrong, fmt.Errorf("%d is told of a proven wallet and has none", p.id))
			}
			switch {
			case w.answer != nil:
				proof.Acknowledged++
			case there:
				proof.Unknown++
			default:
				proof.Lost++
			}
		}
		if rolled := b.people[p.id].rolled; rolled != spins {
			wrong = append(wrong, fmt.Errorf("the wheel turned %d times for %d, who is told of %d", rolled, p.id, spins))
		}
		if placed := b.people[p.id].orders; placed != orders {
			wrong = append(wrong, fmt.Errorf("%d has placed %d orders, and is told of %d", p.id, placed, orders))
		}
	}
	others := 0 // tasks, which the end of their day pays as well
	for id := range b.posted {
		if strings.HasPrefix(id.name, "task:") {
			others++
		}
	}
	if postings != len(b.posted)-others || answers != len(b.stored) {
		wrong = append(wrong, fmt.Errorf("it holds %d entries and %d answers, the crowd can name %d and %d",
			len(b.posted)-others, len(b.stored), postings, answers))
	}
	return proof, errors.Join(wrong[:min(len(wrong), complaints)]...)
}

// find returns whether a write's effects are in the database; a part of them is an error.
func (p *person) find(w *write, b books) (there bool, err error) {
	entry, entered := b.posted[entryID{p.id, w.reference}]
	answer, stored := b.stored[entryID{p.id, w.key}]
	wanted := w.answer != nil
	if entered != (w.reference != "") || stored != (w.key != "") { // a part only
		switch {
		case entered || stored:
			return true, errors.New("half of it is there")
		case wanted:
			return false, fmt.Errorf("it was acknowledged with %q, and is not there", w.answer.Body)
		}
		return false, nil
	}
	if entered && w.taps && entry.lines != 1 {
		return true, fmt.Errorf("it was posted in %d lines", entry.lines)
	}
	if wanted && w.taps {
		accepted, err := w.accepted()
		if err != nil || entry.amount != accepted*int64(game.CoinsPerTap) {
			return true, fmt.Errorf("it posted %d micro-MCBK and told %s", entry.amount, w.answer.Body)
		}
	}
	rebuilt := strings.HasPrefix(string(answer.Body), "[") // from a result, which the crowd compares by repeating its calls
	if stored && (answer.Status != http.StatusOK || (wanted && !rebuilt && !w.same(answer, *w.answer))) {
		return true, fmt.Errorf("it kept %d %s and told something else", answer.Status, answer.Body)
	}
	return true, nil
}

// settled compares each balance and language with the responses, after all writes are answered.
func (c *Crowd) settled(b books) error {
	var wrong []error
	for _, p := range c.people {
		var (
			coins    int64
			language = b.people[p.id].language
		)
		for _, w := range p.writes {
			if w.language != "" {
				language = w.language
				continue
			}
			if !w.taps {
				continue
			}
			accepted, err := w.accepted()
			if err != nil {
				wrong = append(wrong, err)
			}
			coins += accepted * int64(game.CoinsPerTap)
		}
		coins += b.people[p.id].won // verify recomputes every spin and action
		if has := b.people[p.id]; has.game != coins || has.language != language {
			wrong = append(wrong, fmt.Errorf("%d has %d micro-MCBK and reads %s, and was told %d and %s", p.id, has.game, has.language, coins, language))
		}
	}
	return errors.Join(wrong[:min(len(wrong), complaints)]...)
}

func (w *write) accepted() (int64, error) {
	number, err := w.answer.Number("accepted")
	if err != nil {
		return 0, err
	}
	return number.Int64()
}
