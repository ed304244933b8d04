# Where the tests write; to be sourced with `.`. A database that goes with its test need not wait for a disk: it is in memory
# where there are 3 GB for it and programs may start there. What was written before kill -9 is in either afterwards. `make
# drill`, `make bench` and the long forms that `make test-long` adds stay on the disk, but for the browser's tests and fuzzing. A
# value from outside takes precedence.
if [ -z "${TMPDIR:-}" ] && [ "$(df --output=avail /dev/shm 2>/dev/null | tail -1)" -ge 3000000 ] 2>/dev/null &&
  ! grep -q ' /dev/shm .*noexec' /proc/mounts; then
  export TMPDIR=/dev/shm GOTMPDIR="${GOTMPDIR:-/tmp}" # programs are linked on the disk
fi
