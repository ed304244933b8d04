#!/usr/bin/env bash
# Builds the Dockerfile without Docker: each stage on a throw-away layer over this machine, whose Go and Node replace those of
# the images, with only the files of its COPY lines. The last stage is a bare root folder: there the program must serve, as the
# image's user, on a disk that is read-only except for the volume. Everything is removed when the script ends.
set -euo pipefail
cd "$(dirname "$0")/.."
for program in unshare ip curl node go; do command -v $program >/dev/null || { echo "missing: $program" >&2; exit 2; }; done
[ "$(id -u)" = 0 ] || { echo "image.sh mounts and changes the root folder: it needs root" >&2; exit 2; }
[ -n "${IMAGE_FOLDER:-}" ] || {
  IMAGE_FOLDER=$(mktemp -d)
  trap 'rmdir "$IMAGE_FOLDER"' EXIT
  IMAGE_FOLDER=$IMAGE_FOLDER timeout 20m unshare --mount --pid --fork --kill-child --mount-proc "$0"
  exit
}
all=$IMAGE_FOLDER # in memory, seen by this script alone
mount -t tmpfs -o mode=755 tmpfs "$all"

# Docker's build context: a clean clone with uncommitted changes, less .dockerignore.
mkdir "$all/context"
git ls-files -zco --exclude-standard | while IFS= read -rd '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
  xargs -0 cp --parents -t "$all/context"
while read -r ignored; do rm -rf "$all/context/${ignored:?}"; done < .dockerignore

fail() { echo "image.sh: $*" >&2; exit 1; }

stage() { # FROM image [AS name]
  name=${3:-last}
  root=$all/$name/root folder=/ settings=()
  mkdir -p "$root"
  [ "$1" != scratch ] || return 0
  mkdir "$all/$name/"{layer,work}
  mount -t overlay overlay -o "lowerdir=/,upperdir=$all/$name/layer,workdir=$all/$name/work" "$root"
  mount --bind /proc "$root/proc"
  mount --bind /dev "$root/dev"
}

copy() { # COPY [--from=stage] [--chown=user] source... target
  local from=$all/context owner=0:0 target
  while [[ $1 == --* ]]; do
    case $1 in
      --from=*) from=$all/${1#*=}/root ;;
      --chown=*) owner=${1#*=} ;;
      *) fail "COPY $1 is new to this script" ;;
    esac
    shift
  done
  target=${*: -1}
  [[ $target == /* ]] || target=$folder/$target
  target=$root/$target
  [[ $target != */ && $# -le 2 && ! -d $from/$1 ]] || mkdir -p "$target"
  mkdir -p "$(dirname "$target")"
  for source in "${@:1:$#-1}"; do
    [ -e "$from/$source" ] || fail "COPY $source: there is no such file"
    if [ -d "$from/$source" ]; then cp -a "$from/$source/." "$target"; else cp -a "$from/$source" "$target"; fi
  done
  [ "$owner" = 0:0 ] || chown -R "$owner" "$target"
}

user=0:0 port='' volume='' checked=() entry=()
words() { node -p 'JSON.parse(process.argv[1]).join("\n")' "$1"; } # of a command in JSON
while read -r step rest; do
  [[ -n $step && $step != \#* ]] || continue
  echo "--- $step $rest"
  read -ra args <<<"$rest"
  case $step in
    FROM) stage "${args[@]}" ;;
    WORKDIR) folder=$rest && mkdir -p "$root$folder" ;;
    COPY) copy "${args[@]}" ;;
    ARG) [[ $rest == VERSION=* ]] && settings+=(VERSION=tried) || settings+=("$rest") ;;
    RUN) chroot "$root" env "${settings[@]}" sh -euc "cd '$folder'; $rest" ;;
    USER) user=$rest ;;
    EXPOSE) port=$rest ;;
    VOLUME) volume=$rest ;;
    HEALTHCHECK) mapfile -t checked < <(words "${rest#*CMD }") ;;
    ENTRYPOINT) mapfile -t entry < <(words "$rest") ;;
    *) fail "$step is new to this script" ;;
  esac
done < Dockerfile

echo "--- in the image"
(cd "$root" && find . ! -type d -printf '%p %s\n')
for owed in 'The Go Authors' gorm.io/gorm 'SIL OPEN FONT LICENSE'; do
  grep -q "$owed" "$root/licences.txt" || fail "licences.txt does not hand on $owed"
done
[ -n "$user" ] && [ "$user" != 0:0 ] || fail "it would run as root"
mount -o bind,ro "$root" "$root"
for written in "$volume" /tmp; do
  mkdir -p "$all/disk$written"
  chown --reference="$root$written" "$all/disk$written"
  mount --bind "$all/disk$written" "$root$written"
done

# A network of its own, where every port is free.
export -f fail
root=$root user=$user port=$port volume=$volume entry="${entry[*]}" checked="${checked[*]}" unshare --net bash -euo pipefail -c '
  ip link set lo up
  inside() { chroot --userspec="$user" "$root" "$@"; }
  export BOT_TOKEN=1:tried WEBAPP_URL=http://localhost:$port TELEGRAM_API_URL=http://127.0.0.1:1
  inside $entry version
  inside $entry version | grep -qx "mcbk tried" || fail "it does not know its version"
  ! inside $checked 2>/dev/null || fail "it is healthy before it runs"
  chroot --userspec="$user" "$root" $entry & program=$!
  for _ in {1..60}; do inside $checked 2>/dev/null && break; kill -0 $program || fail "it ended"; sleep 0.5; done
  inside $checked || fail "it is not healthy after 30 s"
  curl -fsS "localhost:$port/" | grep -q "<title>" || fail "it has no web app"
  inside $entry verify || fail "its books do not agree"
  [ -s "$root$volume/mcbk.db" ] || fail "its database is not in $volume"
  kill -TERM $program
  wait $program || fail "it did not end in peace"
'
echo "the image serves"
