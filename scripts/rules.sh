#!/usr/bin/env bash
# Breaks the rules of .golangci.yml and of webapp/.stylelintrc.json, in a copy, and checks that the linters report it. A pattern
# that matches no file, or no name, would be silent for ever; this finds it.
set -euo pipefail
cd "$(dirname "$0")/.."
lint=$PWD/bin/golangci-lint web=$PWD/webapp
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -z '*.go' '*.sql' '*.txt' '*.ttf' '*.png' '*.svg' '*.yaml' .golangci.yml go.mod go.sum ':!sandbox' ':!webapp' |
  xargs -0 cp --parents -t "$copy" 2>/dev/null || true
mkdir -p "$copy/webapp/dist" && touch "$copy/webapp/dist/.gitkeep"
cd "$copy"

# folder | import | what breaks the rule | a part of the linter's message
breaks='
game|net/http|http.MethodGet|rules do no I/O
game|math/rand/v2|rand.Int()|not allowed
game|time|time.Now()|the one clock
config|mcbk/game|game.MCBK|not allowed
models|net/http|http.MethodGet|no HTTP in models
models|mcbk/config|config.Config{}|main hands settings over
models|time|time.Now()|the one clock
models|time|time.Since(time.Time{})|the one clock
models|crypto/rand|rand.Reader|randomness comes from main
models|math/rand/v2|rand.Int()|randomness comes from main
models|os|os.Getenv("X")|only config reads
models|gorm.io/gorm|(*gorm.DB).AutoMigrate|name the columns
models|gorm.io/gorm|(*gorm.DB).Save|name the columns
models/modelstest|mcbk/config|config.Config{}|main hands settings over
bot|mcbk/config|config.Config{}|main hands settings over
bot|gorm.io/gorm|gorm.ErrRecordNotFound|SQL lives in models
bot|database/sql|sql.ErrNoRows|SQL lives in models
bot|os|os.Environ()|only config reads
api|database/sql|sql.ErrNoRows|SQL lives in models
api|gorm.io/gorm|gorm.ErrRecordNotFound|SQL lives in models
jobs|mcbk/bot|bot.Settings{}|do not know each other
jobs|gorm.io/gorm|gorm.ErrRecordNotFound|SQL lives in models
jobs|database/sql|sql.ErrNoRows|SQL lives in models
jobs|fmt|fmt.Println|log with
ops|mcbk/game|game.MCBK|ops only shows
'
n=0 silent=0
# minds LIST PACKAGES breaks the rules of a list, and prints those that the linter does not report.
minds() {
  local first=$n said_all
  while IFS='|' read -r folder import broken said; do
    [ -n "$folder" ] || continue
    n=$((n + 1))
    printf 'package %s\n\nimport "%s"\n\n// Broken%d breaks a rule.\nvar Broken%d = %s\n' "${folder##*/}" "$import" $n $n "$broken" > "$folder/broken$n.go"
  done <<< "$1"
  said_all=$("$lint" run --allow-parallel-runners --max-same-issues 0 --max-issues-per-linter 0 "$2" 2>&1 || true)
  n=$first
  while IFS='|' read -r folder import broken said; do
    [ -n "$folder" ] || continue
    n=$((n + 1))
    if ! grep -F "broken$n.go:" <<< "$said_all" | grep -qF "$said"; then
      echo "the linter does not mind $broken ($import) in $folder: mend .golangci.yml" >&2
      silent=1
    fi
    rm "$folder/broken$n.go"
  done <<< "$1"
  [ $silent = 0 ] || { grep -F typecheck <<< "$said_all" >&2 || true; exit 1; }
}
minds "$breaks" ./...
minds 'ton|mcbk/models|models.English|ton never touches a balance' ./ton # by itself: config imports ton, and models just broke into config

# declaration | the rule it breaks
styles='
color: #fff|color-no-hex
color: white|color-named
color: rgb(255 255 255)|function-disallowed-list
background: linear-gradient(oklch(50% 0.1 20deg), transparent)|function-disallowed-list
border-radius: 12px|declaration-property-value-disallowed-list
border-top-left-radius: 0 16px|declaration-property-value-disallowed-list
'
cd "$web"
while IFS='|' read -r declaration rule; do
  [ -n "$declaration" ] || continue
  n=$((n + 1))
  said=$(printf '.broken {\n  %s;\n}\n' "$declaration" | npx stylelint --stdin --stdin-filename src/ui/Broken.module.css 2>&1 || true)
  if ! grep -qF "$rule" <<< "$said"; then
    echo "the linter does not mind $declaration: mend webapp/.stylelintrc.json" >&2
    silent=1
  fi
done <<< "$styles"
[ $silent = 0 ] || exit 1
echo "the linters mind all $n broken rules"
