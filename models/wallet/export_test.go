package wallet

// SettledPrizes is a statement whose plan a test reads.
const SettledPrizes = settledPrizes
