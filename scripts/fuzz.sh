#!/usr/bin/env bash
# Fuzzes every target for as long as is said, such as 20s: fuzz.sh TIME
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/services.env.sh
. scripts/memory.env.sh
log=$(mktemp)
trap 'rm -f "$log"' EXIT
targets=$(grep -rHo --include='*_test.go' --exclude-dir=node_modules '^func Fuzz[A-Za-z]*' . | sed 's|/[^/]*:func | |')
while read -r folder target; do
	echo "$target in $folder"
	if ! go test "$folder" -run '^$' -fuzz "^$target\$" -fuzztime "$1" -fuzzminimizetime 5s 2>&1 | tee "$log"; then
		# Go may tell the end of the time as a failure. (golang/go#75804)
		if grep -q 'Failing input' "$log" || ! grep -qx ' *context deadline exceeded' "$log"; then
			exit 1
		fi
	fi
done <<<"$targets"
