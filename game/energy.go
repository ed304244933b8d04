package game

// EnergyLevel is a level that players reach by spinning the wheel.
type EnergyLevel struct {
	Level  int
	Energy int // energy a day
	Spins  int // roulette spins that reach the level
}

// EnergyLevels from the first to the highest (spec §3, Energy levels).
var EnergyLevels = [...]EnergyLevel{
	{1, 1000, 0},
	{2, 2000, 320},
	{3, 3000, 640},
	{4, 4000, 960},
	{5, 5000, 1600},
}

// LevelAt returns the level that a total of roulette spins has reached.
func LevelAt(spins int) EnergyLevel {
	level := EnergyLevels[0]
	for _, next := range EnergyLevels[1:] {
		if spins < next.Spins {
			break
		}
		level = next
	}
	return level
}

// Next returns the level after this one; ok is false at the highest.
func (l EnergyLevel) Next() (next EnergyLevel, ok bool) {
	if l.Level >= len(EnergyLevels) {
		return EnergyLevel{}, false
	}
	return EnergyLevels[l.Level], true
}

// Progress returns the progress from 0 to 1 to the next level; 1 at the highest.
func (l EnergyLevel) Progress(spins int) float64 {
	next, ok := l.Next()
	if !ok {
		return 1
	}
	return float64(spins-l.Spins) / float64(next.Spins-l.Spins)
}

// SpinsToNext returns the remaining spins to the next level; 0 at the highest.
func (l EnergyLevel) SpinsToNext(spins int) int {
	next, ok := l.Next()
	if !ok {
		return 0
	}
	return next.Spins - spins
}
