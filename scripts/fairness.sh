#!/bin/sh
# Recomputes a spin of the wheel with openssl, without any code of the game; docs/fairness.md explains how.
# fairness.sh SERVER_SEED CLIENT_SEED NONCE
# WHEEL and CHEST may hold other odds than those published today, in the order of their tables: "what weight what weight …".
set -eu
[ $# -eq 3 ] || { echo "usage: fairness.sh SERVER_SEED CLIENT_SEED NONCE" >&2; exit 2; }
seed=$1 message=$2:$3
wheel=${WHEEL:-chest 6 points_100 10 coins_2 11 points_200 4 coins_3 7 points_10 16 bonus_spin 8 points_50 13 coins_1 15 points_20 10}
chest=${CHEST:-coin_2_points_75 40 coins_5 25 points_150 20 spins_2 10 coin_3_spin_1 5}

case $seed in *[!0-9a-f]*) echo "the server seed is 64 hex digits, 0-9 and a-f" >&2; exit 2 ;; esac
[ ${#seed} -eq 64 ] || { echo "the server seed is 64 hex digits, not ${#seed}" >&2; exit 2; }

# The bytes that hex digits stand for; a shell knows octal only.
bytes() {
  for pair in $(echo "$1" | sed 's/../& /g'); do printf %b "\\0$(printf %03o "0x$pair")"; done
}

# The eight words of a message's HMAC, one a line, in decimal.
words() {
  for word in $(printf %s "$1" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$seed" | sed 's/.*= *//; s/......../& /g'); do
    echo $((0x$word))
  done
}

# Two rolls from 0 to 99. A word in the last, incomplete hundred is skipped, so that each roll is equally likely.
rolls() {
  more=0 from=$message
  while :; do
    words "$from"
    more=$((more + 1)) from=$message:$more
  done | awk '$1 < 4294967200 { print $1 % 100; if (++n == 2) exit }'
}

# Where a roll falls in a table: the first row whose cumulative weight is larger.
place() {
  roll=$1
  shift
  echo "$@" | awk -v roll="$roll" '{
    for (i = 2; i <= NF; i += 2) { sum += $i; if (roll < sum) { print i / 2 - 1, $(i - 1); exit } }
    exit 1
  }'
}

echo "hash      $(bytes "$seed" | openssl dgst -sha256 | sed 's/.*= *//')"
echo "digest    $(printf %s "$message" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$seed" | sed 's/.*= *//')"
# shellcheck disable=SC2046,SC2086 # both are lists of words
set -- $(rolls)
# shellcheck disable=SC2086
segment=$(place "$1" $wheel)
echo "rolls     $1 $2"
echo "segment   $segment"
# shellcheck disable=SC2086
case $segment in *" chest") echo "chest     $(place "$2" $chest)" ;; esac
