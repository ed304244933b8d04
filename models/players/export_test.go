package players

// NewestPostings is a statement whose plan a test reads.
var NewestPostings = newestPostings
