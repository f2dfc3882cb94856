/** README.md names files, functions, constraints and tests: each of them exists. */
import { strict as assert } from 'node:assert';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '..', '..', '..');
const README = readFileSync(join(HERE, 'README.md'), 'utf8');

const namedFile = (name: string) => [join(HERE, name), join(ROOT, name)].find((path) => existsSync(path));
const textOf = (cwd: string, pattern: string) =>
  globSync(pattern, { cwd })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => readFileSync(join(cwd, path), 'utf8'))
    .join('\n');

test('README.md has at most 96 lines', () => {
  assert(README.trimEnd().split('\n').length <= 96);
});

test('every file that README.md names exists', () => {
  const files = [...README.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name]) => name as string);
  assert(files.length > 30);
  for (const file of files) assert(namedFile(file), file);
});

test('every function, constraint and column that README.md names exists', () => {
  const src = textOf(join(ROOT, 'src'), '**/*.ts');
  const migrations = textOf(ROOT, 'migrations/*.sql');
  const names = [...README.matchAll(/`([a-z]+[A-Z]\w*)`/g)].map(([, name]) => name as string);
  assert(names.length > 20);
  for (const name of names)
    assert.match(src, new RegExp(`(?:function|const) ${name}\\b|^ {2}(?:async )?${name}\\(`, 'm'), name);
  const columns = [...README.matchAll(/`(?:\w+\.)?([a-z]+_[a-z_]+)`/g)].map(([, name]) => name as string);
  for (const name of columns) assert(migrations.includes(name) || src.includes(name), name);
  for (const [, unique] of README.matchAll(/`(unique \([^`]*\))`/g))
    assert(migrations.includes(unique as string), unique);
});

test('every test that README.md names is in the file that it names', () => {
  const shown = [...README.matchAll(/`([\w./-]+\.test\.ts)` "([^"]+)"/g)];
  const rows = README.split('\n').filter((line) => line.includes('.test.ts` "'));
  assert.equal(shown.length, rows.length);
  assert(rows.length >= 30);
  for (const [, file, name] of shown)
    assert(
      readFileSync(namedFile(file as string) ?? assert.fail(file), 'utf8').includes(name as string),
      name,
    );
});

test('every row of the tables of dangers names what prevents it and a test', () => {
  const dangers = README.slice(README.indexOf('## Requests'))
    .split('\n')
    .filter((line) => /^\| (?!two payments|an order|---)/.test(line));
  for (const row of dangers) assert.match(row, /^\| [^|]+ \| [^|]+ \| `[^|]+\.test\.ts` "[^|]+" \|$/, row);
});
