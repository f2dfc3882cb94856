import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeFolder, whyRefused } from './folders.ts';

const root = mkdtempSync(join(tmpdir(), 'teller-folders-'));
after(() => rmSync(root, { recursive: true, force: true }));

test('makes a folder and those above it, and leaves one that exists alone', () => {
  const path = join(root, 'a', 'b', 'c');
  makeFolder(path);
  makeFolder(path);
  assert.ok(statSync(path).isDirectory());
  const link = join(root, 'link');
  symlinkSync(path, link);
  makeFolder(link);
  makeFolder('/');
});

test('fails, and does not hang, where no folder can be made', () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  assert.throws(() => makeFolder(file), { code: 'EEXIST' });
  assert.throws(() => makeFolder(join(file, 'a', 'b')), { code: 'ENOTDIR' });
  assert.throws(() => makeFolder('/proc/stellar-teller/a/b'), {
    code: 'ENOENT',
    path: '/proc/stellar-teller',
  });
  const dangling = join(root, 'dangling');
  symlinkSync(join(root, 'nowhere'), dangling);
  assert.throws(() => makeFolder(dangling), { code: 'EEXIST' });
});

test('a refusal of the system has its reason, also behind the codes of SQLite', () => {
  const reason = (fields: object) => whyRefused(Object.assign(new Error('refused'), fields));
  assert.equal(reason({ code: 'EROFS', syscall: 'mkdir' }), 'it is on a read-only file system');
  assert.equal(reason({ code: 'ENOSPC', syscall: 'write' }), 'the disk is full');
  assert.equal(reason({ code: 'ERR_SQLITE_ERROR', errcode: 13 }), 'the disk is full');
  assert.equal(reason({ code: 'ERR_SQLITE_ERROR', errcode: 5 }), null);
  assert.equal(reason({ code: 'EACCES', syscall: 'listen' }), null, 'a port is no file');
  assert.equal(reason({}), null);
});
