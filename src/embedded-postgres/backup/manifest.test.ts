import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { checkManifest, type FoundFile } from './manifest.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const file = (text: string): FoundFile => ({ bytes: text.length, sha256: sha256(text) });

/** As PostgreSQL writes it. The identifier is larger than JavaScript's exact numbers. */
function manifestOf(files: object[]): Buffer {
  const lines = files.map((each) => JSON.stringify(each)).join(',\n');
  const covered =
    '{ "PostgreSQL-Backup-Manifest-Version": 2,\n"System-Identifier": 7710997649031231910,\n' +
    `"Files": [\n${lines}\n],\n"WAL-Ranges": [\n],\n`;
  return Buffer.from(`${covered}"Manifest-Checksum": "${sha256(covered)}"}\n`);
}

const listed = (Path: string, text: string) => ({ Path, Size: text.length, Checksum: sha256(text) });
const manifest = manifestOf([
  listed('PG_VERSION', '18\n'),
  listed('base/1/2', 'rows'),
  { 'Encoded-Path': Buffer.from('name').toString('hex'), Size: 1, Checksum: sha256('x') },
]);
const whole = () =>
  new Map([
    ['PG_VERSION', file('18\n')],
    ['base/1/2', file('rows')],
    ['name', file('x')],
    ['pg_wal/000000010000000000000001', file('log')],
  ]);

test('files that are as the manifest says pass, and the log, which it does not list', () => {
  checkManifest(manifest, whole());
});

test('a file that is missing, changed or too much is named', () => {
  const missing = whole();
  missing.delete('base/1/2');
  assert.throws(() => checkManifest(manifest, missing), /The backup is damaged: base\/1\/2 is missing/);
  for (const other of ['rowz', 'rows and more'])
    assert.throws(
      () => checkManifest(manifest, whole().set('base/1/2', file(other))),
      /base\/1\/2 was changed/,
    );
  assert.throws(
    () => checkManifest(manifest, whole().set('base/9', file(''))),
    /base\/9 does not belong to it/,
  );
});

test('a backup without its log is refused: it could not become consistent', () => {
  const without = whole();
  without.delete('pg_wal/000000010000000000000001');
  assert.throws(() => checkManifest(manifest, without), /it has no log/);
});

test('a manifest that somebody has changed, or that is cut short, is refused', () => {
  const text = manifest.toString();
  for (const other of [text.replace('base/1/2', 'base/1/3'), text.slice(0, -20), ''])
    assert.throws(() => checkManifest(Buffer.from(other), whole()), /its manifest was changed/);
});
