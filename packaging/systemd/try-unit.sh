#!/usr/bin/env bash
# Boots systemd in name spaces of its own, on a file system in memory that has /usr and this checkout to read alone. Runs the unit
# with the embedded database and a key journal, rotates the master key as docs/key-rotation.md says, and uses the script
# for commands. As root, on a machine with systemd 250 or newer and cgroup2: packaging/systemd/try-unit.sh
set -euo pipefail
here=$(realpath "$(dirname "$0")")
root=$(mktemp -d)
output=$(mktemp)
group=$(findmnt -rn -t cgroup2 -o TARGET | head -1)/stellar-teller-try-$$
mkdir "$group"
trap 'echo 1 >"$group/cgroup.kill"; sleep 0.5; find "$group" -depth -type d -exec rmdir {} + ; rmdir "$root"; rm "$output"' EXIT
(
  echo "$BASHPID" >"$group/cgroup.procs"
  exec timeout --signal=KILL 900 unshare --fork --pid --mount --cgroup --ipc --uts --net --propagation private \
    "$here/boot-unit.sh" "$root" "$(realpath "$here/../..")" "$output" </dev/null
) || true # systemd ends with a code of its own
cat "$output"
[ "$(tail -n 1 "$output")" = 'The unit works.' ]
