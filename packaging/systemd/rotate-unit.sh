#!/usr/bin/env bash
# Runs under the systemd of boot-unit.sh: docs/install.md, then docs/key-rotation.md, word by word.
set -euo pipefail
fail() {
  echo "$1"
  journalctl -u stellar-teller --no-pager -n 30 || true
  systemctl status stellar-teller --no-pager || true
  exit 1
}
trap 'fail "Line $LINENO failed."' ERR
teller() { /opt/stellar-teller/packaging/systemd/teller "$@" </dev/null; }
start_again() {
  systemctl daemon-reload
  systemctl restart stellar-teller
  for _ in $(seq 240); do
    curl -fs http://127.0.0.1:9464/healthz >/dev/null && return 0
    systemctl is-active --quiet stellar-teller || [ "$(systemctl show -p SubState --value stellar-teller)" = auto-restart ] || break
    sleep 0.5
  done
  fail 'The service does not start.'
}

# Install
useradd --system --home-dir /var/lib/stellar-teller --shell /usr/sbin/nologin stellar-teller
cd /opt/stellar-teller
ln -sfn node_modules/node-linux-*/bin/node node
mkdir /etc/stellar-teller
(umask 077 && openssl rand -base64 32 >/etc/stellar-teller/master-key)
install -d -o stellar-teller -m 700 /journal/teller
cat >/etc/stellar-teller/environment <<'END'
STELLAR_NETWORK=sandbox
KEY_JOURNAL=/journal/teller/keys
END
grep -v database-url packaging/systemd/stellar-teller.service >/etc/systemd/system/stellar-teller.service
systemctl daemon-reload
systemctl start stellar-teller
for _ in $(seq 240); do
  refused=$(journalctl -u stellar-teller --no-pager -o cat | grep -m 1 'KEY_JOURNAL /journal/teller/keys cannot be written to') && break
  sleep 0.5
done
[ -n "$refused" ]
systemctl stop stellar-teller
mkdir /etc/systemd/system/stellar-teller.service.d
printf '[Service]\nReadWritePaths=/journal/teller\n' >/etc/systemd/system/stellar-teller.service.d/folders.conf
start_again
echo 'The service runs.'

# A wallet, whose seed the first key has sealed
node=/opt/stellar-teller/node
token=$(curl -fs http://127.0.0.1:3000/v1/auth/login -H 'content-type: application/json' \
  -d "@/var/lib/stellar-teller/demo-login" | $node -pe 'JSON.parse(fs.readFileSync(0)).data.token')
curl -fs http://127.0.0.1:3000/v1/wallets -H "authorization: Bearer $token" -H 'content-type: application/json' \
  -d '{"name":"Unit"}' | $node -pe 'JSON.parse(fs.readFileSync(0)).data.id'
teller wallet list
[ "$(stat -c %U:%a /journal/teller/keys)" = stellar-teller:600 ]
grep -c sealed_seed /journal/teller/keys

# Rotate
(umask 077 && openssl rand -base64 32 >/root/next-key)
mv /etc/stellar-teller/master-key /etc/stellar-teller/previous-key
mv /root/next-key /etc/stellar-teller/master-key
cp packaging/systemd/rotation.conf /etc/systemd/system/stellar-teller.service.d/
start_again
teller keys status
teller keys rotate
teller keys rewrap
start_again # each process records its journal again at its start
rm /etc/systemd/system/stellar-teller.service.d/rotation.conf
start_again
mv /etc/stellar-teller/previous-key /root/old-key
teller keys verify
teller keys status

systemctl stop stellar-teller
teller wallet list # while the service is stopped
echo 'The unit works.'
