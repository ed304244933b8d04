#!/usr/bin/env bash
# Plays the built program in Chromium. e2e.sh sqlite|postgres [playwright arguments]
# Most tests run in parallel, then the others one by one; E2E_TURN=together|alone|pictures|films chooses. E2E_FORM=short
# leaves out what is tagged long.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/services.env.sh
. scripts/memory.env.sh
database=$1
shift

folder=$(mktemp -d)
schema="e2e_$$"
finish() {
  rm -rf "$folder"
  [ "$database" = sqlite ] || psql "$MCBK_TEST_POSTGRES" -qc "SET client_min_messages TO warning; DROP SCHEMA IF EXISTS $schema CASCADE"
}
trap finish EXIT

case $database in
  sqlite) E2E_DATABASE_URL="sqlite:$folder/mcbk.db" ;;
  postgres)
    psql "$MCBK_TEST_POSTGRES" -qc "CREATE SCHEMA $schema"
    separator='?'
    [[ $MCBK_TEST_POSTGRES == *\?* ]] && separator='&'
    E2E_DATABASE_URL="$MCBK_TEST_POSTGRES${separator}search_path=$schema"
    ;;
  *) echo "usage: e2e.sh sqlite|postgres" >&2; exit 2 ;;
esac
cd webapp
failed=0
for turn in ${E2E_TURN:-together alone}; do
  # Tests that run alone may move the game's clock. In the last hour of a UTC day they begin on tomorrow's, so that the day
  # ends only where a test ends it; E2E_AHEAD is how far ahead they begin.
  export E2E_AHEAD=0s
  if [ "$turn" = alone ] && [ $((86400 - $(date +%s) % 86400)) -le 3600 ]; then E2E_AHEAD=65m; fi
  echo "$E2E_AHEAD" > "$folder/clock-offset"
  if [ "$turn" = pictures ]; then rm -rf ../pictures && mkdir ../pictures; fi # here, because a failing test starts its file again
  echo "end to end on $database, $turn"
  E2E_TURN=$turn E2E_DATABASE_URL=$E2E_DATABASE_URL E2E_DATA=$folder npx playwright test --pass-with-no-tests "$@" || failed=1
done
exit $failed
