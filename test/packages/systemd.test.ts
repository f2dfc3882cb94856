/** The unit file: what systemd says of its hardening, and the lines that protect the keys. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

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

test('commands outside of the unit get its secrets, and reach the socket of its embedded database', () => {
  const command = readFileSync(join(dirname(UNIT), 'teller'), 'utf8');
  const secrets = [...unit.matchAll(/^(LoadCredential=\S+)$/gm)].map(([, line]) => line ?? '');
  assert.equal(secrets.length, 2);
  for (const line of [
    ...secrets,
    'EnvironmentFile=/etc/stellar-teller/environment',
    'LimitCORE=0',
    'UMask=0077',
  ]) {
    assert.ok(unit.split('\n').includes(line), line);
    assert.ok(command.includes(`--property=${line}`), line);
  }
  // PrivateTmp hides a socket in /tmp from them.
  for (const line of [
    'RuntimeDirectory=stellar-teller',
    'Environment=TMPDIR=%t/stellar-teller',
    'PrivateTmp=yes',
  ])
    assert.ok(unit.split('\n').includes(line), line);
  assert.ok(command.includes('TMPDIR=/run/stellar-teller'));
});
