#!/usr/bin/env bash
# Mutation tests: breaks rules of money and play one at a time, in a copy of a file that only the compiler sees, and checks that
# a test fails. Mutants that survive are listed at the end; the exit code is 1 then. mutants.sh [word of a file's name]
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/services.env.sh
. scripts/memory.env.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# file ~ the original, which occurs once ~ its replacement ~ the tests that run first; the package's others follow
mutants='
game/taps.go ~ accepted * rules.Energy ~ accepted ~ .
game/taps.go ~ b.AllowanceMilli -= int64(accepted) ~ b.AllowanceMilli -= 0 * int64(accepted) ~ .
game/taps.go ~ day > b.Day ~ day != b.Day ~ .
game/daily.go ~ today <= v.Day ~ today < v.Day ~ .
game/daily.go ~ today == v.Day+1 ~ today > v.Day ~ .
game/wheel.go ~ today <= w.SpunDay+1 ~ today <= w.SpunDay+2 ~ .
game/rolls.go ~ uint64(word) < fairWords ~ uint64(word) < 1<<32 ~ .
game/odds.go ~ roll < 0 ~ roll <= 0 ~ .
game/sale.go ~ p.Open && !at.After ~ !at.After ~ .
game/sale.go ~ coins / 100 ~ coins / 99 ~ .
game/prizes.go ~ rank <= row.To ~ rank < row.To ~ .
game/mines.go ~ level != highest+1 || ~ level <= highest || ~ .
game/season.go ~ s.elapsed(now)+1 ~ s.elapsed(now) ~ .
models/ledger/ledger.go ~ *from < m.Amount ~ *from < -m.Amount ~ Ledger|Interleaving
models/ledger/ledger.go ~ posting.Mark = posting.Checksum() ~ posting.Mark = 0 ~ Checkpoint|Mark|Verify
models/taps/taps.go ~ receipt.Sent != sent ~ receipt.Sent > sent ~ Batch|Tap
models/commit/engine.go ~ r.key.Operation != w.Operation || !bytes.Equal(r.key.BodyHash, w.BodyHash) ~ w.restore != nil && r.key.Operation == "" || !bytes.Equal(r.key.BodyHash, w.BodyHash) ~ Batch|Tap|Once
models/commit/cache.go ~ WHERE p.xmin = CAST(v.version AS xid) AND ~ WHERE v.version <> ?? AND ~ Known|Cache
models/commit/once.go ~ !bytes.Equal(row.BodyHash, r.BodyHash) ~ !bytes.Equal(row.BodyHash, row.BodyHash) ~ Once
models/commit/once.go ~ err := s.lockPlayer(tx, r.Player) ~ err := error(nil) ~ OneKey
models/commit/once.go ~ answer.Status > 299 ~ answer.Status > 499 ~ Once
models/ads/ads.go ~ "ticket = ? AND state = ?", ticket.Ticket ~ "ticket = ? AND state <> ?||??", ticket.Ticket ~ Ad
models/treasury/payments.go ~ o.Paid += amount ~ o.Paid = amount ~ Pay|Order
models/treasury/payments.go ~ t.Amount-settled.Held ~ t.Amount ~ Pay|Order
models/mines/awards.go ~ "m.prized_at IS NULL AND " + won ~ won ~ Tournament|Prize|Award
models/wallet/nonces.go ~ "id = ? AND state = ?", n.ID ~ "id = ? AND state <> ?||??", n.ID ~ Nonce|Wallet
models/friends/friends.go ~ max(game.FriendsADay-today, 0) ~ max(game.FriendsADay-0*today, 0) ~ Friend
models/db/batch.go ~ a.consecutiveUnavailable == maxConsecutiveUnavailable ~ a.consecutiveUnavailable > 99*maxConsecutiveUnavailable ~ Round
models/privacy/erase.go ~ photo_url = ??, is_premium ~ is_premium ~ Eras
models/db/skew.go ~ ahead.Abs() > MaxSkew ~ ahead > MaxSkew ~ Skew|Clock
api/initdata.go ~ age > oldest ~ age > 2*oldest ~ Launch|InitData
api/initdata.go ~ []byte(fields["hash"])) != 1 ~ []byte(want)) != 1 ~ Launch|InitData
api/plain_batch.go ~ [1-9][0-9]{0,3} ~ [0-9]{1,5} ~ Plain|Batch
api/middleware.go ~ p.CanPlay() ~ nil ~ Ban|Guard
ton/quorum.go ~ now.Add(mayLead) ~ now.Add(60*mayLead) ~ .
ton/proof.go ~ p.Domain != domain || ~ false || ~ .
'
# broken FILE OLD NEW writes the mutant; OLD must occur once in the file.
broken() {
  OLD=$2 NEW=$3 perl -0pe 'BEGIN { $q = chr 39; ($old, $new) = map { s/\?\?/$q$q/gr } @ENV{qw(OLD NEW)} }
    $n = () = /\Q$old\E/g; s/\Q$old\E/$new/; END { exit($n == 1 ? 0 : 1) }' "$1" > "$work/broken.go" ||
    { echo "$2 does not stand once in $1: mend scripts/mutants.sh" >&2; exit 2; }
  printf '{"Replace": {"%s": "%s"}}' "$PWD/$1" "$work/broken.go" > "$work/overlay.json"
}
# red FOLDER TESTS succeeds if one of the tests fails. Only packages with properties know rapid's flag.
red() {
  local package plain=() properties=() failed=
  for package in $(go list "./$1"); do
    package=.${package#mcbk}
    if grep -qs pgregory.net/rapid "$package"/*_test.go; then properties+=("$package"); else plain+=("$package"); fi
  done
  : > "$work/told"
  [ ${#plain[@]} = 0 ] || check "$2" "${plain[@]}" || failed=1
  [ ${#properties[@]} = 0 ] || check "$2" "${properties[@]}" -rapid.nofailfile || failed=1
  [ "$failed" ] || return 1
  grep -qE -- '--- FAIL: |^panic: ' "$work/told" || { cat "$work/told" >&2; echo "no test of $1 failed, go test did" >&2; exit 2; }
}
# check TESTS PACKAGE... runs them with the mutant
check() { go test -overlay "$work/overlay.json" -vet=off -timeout 10m -run "$@" >> "$work/told" 2>&1; }

killed=0 all=0 alive=
while IFS='~' read -r file old new first; do
  file=${file% } old=${old# } old=${old% } new=${new# } new=${new% } first=${first# }
  [[ -n $file && $file == *"${1:-}"* ]] || continue
  all=$((all + 1))
  broken "$file" "$old" "$new"
  go build -overlay "$work/overlay.json" "./${file%/*}" || { echo "$file does not compile with $new: mend scripts/mutants.sh" >&2; exit 2; }
  folder=${file%/*}
  tests=$folder
  [[ $folder != models/* ]] || tests=models/... # another feature may be what notices
  if red "$folder" "$first" || red "$tests" "$first" || red "$folder" . || red "$tests" .; then
    killed=$((killed + 1))
    printf 'red    %s: %s → %s (%s)\n' "$file" "$old" "$new" "$(grep -om1 -- '--- FAIL: [A-Za-z]*' "$work/told" | cut -c11- || echo 'no test')"
  else
    alive+="$file: $old → $new"$'\n'
    printf 'GREEN  %s: %s → %s\n' "$file" "$old" "$new"
  fi
done <<< "$mutants"
echo "$killed of $all broken rules make a test fail"
[ -z "$alive" ] || { printf 'nobody minds:\n%s' "$alive" >&2; exit 1; }
