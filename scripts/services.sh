#!/usr/bin/env bash
# Makes sure that PostgreSQL, Redis and Chromium are there for the tests. What is missing is installed from the system's packages
# where that is allowed, else the command is printed.
set -euo pipefail
cd "$(dirname "$0")/.."

need() { # need COMMAND-TEST PACKAGE...
  local found=$1
  shift
  if eval "$found" >/dev/null 2>&1; then return; fi
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing $*"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null
  elif ! command -v apt-get >/dev/null; then
    echo "missing: $found  (in Debian's packages: $*)" >&2
    exit 1
  else
    echo "missing: run  sudo apt-get update && sudo apt-get install -y $*  and try again" >&2
    exit 1
  fi
}

for program in go node npm; do
  command -v "$program" >/dev/null || { echo "missing: $program (README.md names the versions)" >&2; exit 1; }
done

need 'command -v cc || command -v gcc' gcc libc6-dev # links the race detector
need '[ -x "${CHROMIUM:-}" ] || command -v chromium-headless-shell chromium chromium-browser google-chrome' chromium-headless-shell fonts-noto-core

# A PostgreSQL that trusts us on this machine, or one of our own in .services.
. scripts/services.env.sh
answers() { PGCONNECT_TIMEOUT=5 psql -w "$MCBK_TEST_POSTGRES" -qtAc 'SELECT 1'; }
need 'command -v psql' postgresql
if ! answers >/dev/null 2>&1; then
  need 'ls /usr/lib/postgresql/*/bin/initdb' postgresql
  MCBK_TEST_POSTGRES=$OWN_POSTGRES
  if ! answers >/dev/null 2>&1; then
    bin=$(dirname "$(ls /usr/lib/postgresql/*/bin/initdb | sort -V | tail -1)")
    data=$PWD/.services/postgres
    as=()
    mkdir -p .services
    if [ "$(id -u)" = 0 ]; then # PostgreSQL refuses to run as root
      data=/var/tmp/mcbk-postgres
      as=(env -C / runuser -u postgres --) # who may not enter this folder, hence -C /
    fi
    [ -d "$data" ] || "${as[@]}" "$bin/initdb" -D "$data" -U postgres -A trust >/dev/null
    "${as[@]}" "$bin/pg_ctl" -D "$data" -w -o "-p $OWN_POSTGRES_PORT -k /tmp" -l "$data/log" start >/dev/null
    psql "${OWN_POSTGRES/\/test/\/postgres}" -qc 'CREATE DATABASE test' 2>/dev/null || true
  fi
  answers >/dev/null || { echo "PostgreSQL does not answer at $MCBK_TEST_POSTGRES" >&2; exit 1; }
  mkdir -p .services && echo ": \"\${MCBK_TEST_POSTGRES:=$MCBK_TEST_POSTGRES}\"" > .services/postgres.env
fi

# A Redis on this machine, or one of our own without persistence.
pings() { [ "$(timeout 5 redis-cli -u "$MCBK_TEST_REDIS" ping)" = PONG ]; }
need 'command -v redis-server && command -v redis-cli' redis-server # a drill starts one of its own
if ! pings >/dev/null 2>&1; then
  MCBK_TEST_REDIS=$OWN_REDIS
  if ! pings >/dev/null 2>&1; then
    redis-server --port "$OWN_REDIS_PORT" --bind 127.0.0.1 --save '' --appendonly no --daemonize yes >/dev/null
    for _ in $(seq 50); do pings >/dev/null 2>&1 && break; sleep 0.1; done
  fi
  pings || { echo "Redis does not answer at $MCBK_TEST_REDIS" >&2; exit 1; }
  mkdir -p .services && echo ": \"\${MCBK_TEST_REDIS:=$MCBK_TEST_REDIS}\"" > .services/redis.env
fi
