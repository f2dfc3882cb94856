#!/bin/sh
# Makes the secrets of ../compose.yaml in the folder `secrets` beside this script, once. Run it as root: each file belongs to
# the user that reads it in a container, and nobody else can read it. What exists already is never changed.
set -eu
umask 077
mkdir -p "$(dirname "$0")/secrets"
cd "$(dirname "$0")/secrets"
# 0711: the folder can be passed, and not listed.
chmod 0711 .

# keep NAME OWNER: writes standard input to the file, unless the file is there.
keep() {
  [ ! -e "$1" ] || return 0
  cat >"$1.new"
  chmod 0400 "$1.new"
  chown "$2" "$1.new"
  mv "$1.new" "$1"
  echo "Made $PWD/$1"
}
random() { od -An -N"$1" -tx1 /dev/urandom | tr -d ' \n'; }

# 10001 is the user of the service, 472 that of Grafana; PostgreSQL's container reads its password as root.
random 24 | keep database-password 0:0
printf 'postgres://teller:%s@database:5432/teller\n' "$(cat database-password)" | keep database-url 10001:10001
head -c 32 /dev/urandom | base64 | keep master-key 10001:10001
random 12 | keep grafana-password 472:0
echo "Copy $PWD/master-key to a safe place: without this key every wallet is lost."
