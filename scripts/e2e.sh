#!/usr/bin/env bash
# Plays the built program in Chromium. e2e.sh sqlite|postgres [playwright arguments]
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/services.env.sh
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
echo "end to end on $database"
cd webapp
E2E_DATABASE_URL=$E2E_DATABASE_URL E2E_DATA=$folder npx playwright test "$@"
