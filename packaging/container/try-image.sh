#!/usr/bin/env bash
# Builds the image without a container engine, starts the service from it as its user on a read-only file system, receives
# a deposit and pays a withdrawal. For a Debian machine, as root:
#   apt-get install --no-install-recommends buildah debootstrap
# `try-image.sh FOLDER`: FOLDER keeps the base and the images (about 2 GB), so that a second run is faster.
set -euo pipefail
work=$(realpath -m "${1:?usage: try-image.sh FOLDER}")
cd "$(dirname "$0")/../.."
mkdir -p "$work"
# These come before the sub-command, the same in every call: otherwise buildah looks into another store.
b() { buildah --storage-driver vfs --root "$work/store" --runroot "$work/run" "$@"; }

if ! b inspect --type image localhost/base:12 >/dev/null 2>&1; then
  [ -e "$work/base/etc/debian_version" ] || debootstrap --variant=minbase bookworm "$work/base"
  c=$(b from scratch)
  b add -q "$c" "$work/base" /
  b commit -q "$c" localhost/base:12
  b rm "$c" >/dev/null
fi
# In place of the node image: the base with the Node and npm of this machine.
if ! b inspect --type image localhost/build:12 >/dev/null 2>&1; then
  c=$(b from localhost/base:12)
  b add -q "$c" node_modules/node-linux-*/bin/node /usr/local/bin/node
  b add -q "$c" "$(dirname "$(dirname "$(realpath "$(command -v npm)")")")" /usr/local/lib/npm
  b run --isolation chroot "$c" -- ln -s ../lib/npm/bin/npm-cli.js /usr/local/bin/npm
  # A certificate authority of this machine, like that of a proxy: for the build stage only.
  [ -z "${NODE_EXTRA_CA_CERTS:-}" ] || b config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$c"
  b commit -q "$c" localhost/build:12
  b rm "$c" >/dev/null
fi

mounts=()
[ ! -e ~/.npmrc ] || mounts+=(-v "$HOME/.npmrc:/root/.npmrc:ro")
[ ! -d /etc/ssl/certs ] || mounts+=(-v /etc/ssl/certs:/etc/ssl/certs:ro)
b bud --isolation chroot --format docker "${mounts[@]}" -f packaging/container/Dockerfile \
  --build-arg BUILD_BASE=localhost/build:12 --build-arg RUN_BASE=localhost/base:12 -t localhost/stellar-teller .
b images

c=$(b from localhost/stellar-teller)
mounted=$(b mount "$c")
trap 'b umount "$c" >/dev/null; b rm "$c" >/dev/null' EXIT
unshare --mount --pid --fork packaging/container/run-read-only.sh "$mounted"
