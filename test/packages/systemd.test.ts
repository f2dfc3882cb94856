/** The unit file: what systemd says of its hardening, and the lines that protect the keys. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { isLong } from '../support/form.ts';
import { temporaryDirectory } from '../support/service.ts';

const UNIT = join(import.meta.dirname, '..', '..', 'packaging', 'systemd', 'stellar-teller.service');
const unit = readFileSync(UNIT, 'utf8');
const analyze = (file: string) =>
  spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=30', '--json=short', file], {
    encoding: 'utf8',
  });
const absent = spawnSync('systemd-analyze', ['--version']).error ? 'systemd-analyze is not installed' : false;

test('systemd finds an exposure of at most 3.0', { skip: absent }, () => {
  const { status, stdout, stderr } = analyze(UNIT);
  assert.equal(status, 0, stdout + stderr);
});

test('the keys cannot leave by a core dump, by swap, or by a file that others can read', () => {
  for (const line of ['LimitCORE=0', 'MemorySwapMax=0', 'StateDirectoryMode=0700', 'UMask=0077'])
    assert.ok(unit.split('\n').includes(line), line);
  assert.match(unit, /^LoadCredential=master-key:/m);
  assert.match(unit, /^Environment=MASTER_KEY_FILE=%d\/master-key$/m);
  assert.doesNotMatch(unit, /^Environment=(MASTER_KEY|DATABASE_URL|ADMIN_PASSWORD)=/m);
});

const SECRETS = [
  'LoadCredential=master-key:/etc/stellar-teller/master-key',
  'LoadCredential=database-url:/etc/stellar-teller/database-url',
];

/** What the script for commands passes to systemd-run, under a systemctl that prints this unit. */
function argumentsOf(text: string, ...args: string[]): string[] {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'unit'), text);
  const programs = {
    systemctl: `[ "$*" = "cat stellar-teller.service" ] && cat "${folder}/unit"`,
    'systemd-run': `printf '%s\\0' "$@"`,
  };
  for (const [name, line] of Object.entries(programs))
    writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const ran = spawnSync(join(dirname(UNIT), 'teller'), args, { env, encoding: 'utf8' });
  assert.equal(ran.status, 0, ran.stderr);
  return ran.stdout.split('\0').slice(0, -1);
}

test('commands outside of the unit get its secrets, and reach the socket of its embedded database', () => {
  const given = argumentsOf(unit, 'wallet', 'list');
  for (const line of [
    ...SECRETS,
    'EnvironmentFile=/etc/stellar-teller/environment',
    'LimitCORE=0',
    'UMask=0077',
  ]) {
    assert.ok(unit.split('\n').includes(line), line);
    assert.ok(given.includes(`--property=${line}`), line);
  }
  const [shell, inside, environment = '', ...command] = given.slice(given.indexOf('/bin/sh'));
  assert.deepEqual([shell, inside], ['/bin/sh', '/opt/stellar-teller/packaging/systemd/inside']);
  assert.deepEqual(command, ['wallet', 'list']);
  // PrivateTmp hides a socket in /tmp from them.
  for (const line of ['RuntimeDirectory=stellar-teller', 'PrivateTmp=yes'])
    assert.ok(unit.split('\n').includes(line), line);
  assert.deepEqual(environment.split('\n'), [
    'MASTER_KEY_FILE=%d/master-key',
    'DATABASE_URL_FILE=%d/database-url',
    'DATA_DIR=/var/lib/stellar-teller',
    'TMPDIR=%t/stellar-teller',
  ]);
});

test('commands get what a drop-in adds to the unit, like the key before of a rotation; $ in their words stays', () => {
  const drop_in = readFileSync(join(dirname(UNIT), 'rotation.conf'), 'utf8');
  const given = argumentsOf(`${unit}\n${drop_in}`, 'keys', 'dismiss', '--reason', 'costs $5, $HOME');
  assert.ok(given.includes('--property=LoadCredential=previous-key:/etc/stellar-teller/previous-key'));
  const [environment = '', ...command] = given.slice(given.indexOf('/bin/sh') + 2);
  assert.ok(environment.split('\n').includes('MASTER_KEY_PREVIOUS_FILE=%d/previous-key'));
  assert.deepEqual(command, ['keys', 'dismiss', '--reason', 'costs $$5, $$HOME']); // systemd makes $ of $$
});

/** Why try-unit.sh cannot boot systemd here; false when it can. */
function whyNotBooted(): string | false {
  if (!isLong) return 'long form only';
  if (process.geteuid?.() !== 0 || absent) return 'needs root and systemd';
  const missing = ['/usr/bin/dbus-daemon', '/usr/bin/curl', '/usr/sbin/useradd', '/usr/bin/openssl'].filter(
    (path) => !existsSync(path),
  );
  if (missing.length > 0) return `needs ${missing}`;
  const spaces = ['--mount', '--pid', '--fork', '--cgroup', '--ipc', '--uts', '--net'];
  const works = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
  if (!works('unshare', ...spaces, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt')) return 'may make no name spaces';
  const group =
    'group=$(findmnt -rn -t cgroup2 -o TARGET | head -1)/teller-try-$$ && mkdir "$group" && rmdir "$group"';
  return works('sh', '-c', group) ? false : 'may make no control group';
}

test('under the unit a key journal works in a named folder alone, and the master key is rotated', {
  skip: whyNotBooted(),
}, () => {
  const { status, stdout, stderr } = spawnSync(join(dirname(UNIT), 'try-unit.sh'), { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
  assert.match(
    stdout,
    /^Key (\w{8}) seals from now on\..*^Verified 1 wallets, .* Opened with key \1; key \1 seals\.$/ms,
  );
  assert.match(stdout, /The unit works\.\n$/);
});
