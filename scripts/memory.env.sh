# Where the tests write; to be read with `.`. A database that goes with its test need not wait for a disk: it lies in
# memory where there are 3 GB for it and programs may start there. What was written before kill -9 is in either afterwards.
# `make drill`, `make test-long` and `make bench` stay on the disk. A value from outside wins.
if [ -z "${TMPDIR:-}" ] && [ "$(df --output=avail /dev/shm 2>/dev/null | tail -1)" -ge 3000000 ] 2>/dev/null &&
  ! grep -q ' /dev/shm .*noexec' /proc/mounts; then
  export TMPDIR=/dev/shm GOTMPDIR="${GOTMPDIR:-/tmp}" # programs are linked on the disk
fi
