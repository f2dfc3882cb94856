/** README.md names files, functions, constraints and tests: each of them exists. */
import { strict as assert } from 'node:assert';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { ENGINE_HOOKS } from '../engine-hooks.ts';

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

test('README.md says of every hook when it is asked, and what happens without it', () => {
  const table = README.slice(README.indexOf('| hook |'), README.indexOf('## Requests'));
  const named = [...table.matchAll(/`([a-z]\w+(?:\.\w+)?)`/gi)].map(([, name]) => name);
  const members = Object.entries(ENGINE_HOOKS).flatMap(([name, hook]) =>
    typeof hook === 'function' ? [name] : Object.keys(hook).map((member) => `${name}.${member}`),
  );
  assert.deepEqual(named.toSorted(), members.toSorted());
});

// The question whether this can pay twice must be answered by so few lines that a person reads all of them.
test('what the engine runs is at most 75 files and 9,000 lines, and no other room of withdrawals', () => {
  const files = new Map<string, string>();
  const readFrom = (path: string) => {
    if (files.has(path)) return;
    const text = readFileSync(path, 'utf8');
    files.set(path, text);
    for (const [, names, from] of text.matchAll(/^(?:import|export) ([^;]*?) from '(\.[^']+)';$/gm))
      if (!isOfTypesOnly(names as string)) readFrom(join(dirname(path), from as string));
  };
  for (const file of globSync('*.ts', { cwd: HERE }))
    if (!file.endsWith('.test.ts')) readFrom(join(HERE, file));
  const lines = [...files.values()].reduce((sum, text) => sum + text.split('\n').length - 1, 0);
  const rooms = new Set([...files.keys()].map((path) => relative(ROOT, dirname(path))));
  assert.deepEqual(
    [...rooms].filter((room) => /withdrawals|deposits|webhooks|audit|http/.test(room)),
    ['src/withdrawals/engine'],
  );
  assert(files.size > 50 && files.size <= 75, `${files.size} files`);
  assert(lines <= 9_000, `${lines} lines`);
});

function isOfTypesOnly(names: string): boolean {
  const braces = names.match(/^\{([^}]*)\}$/s)?.[1];
  if (braces === undefined) return names.startsWith('type ');
  return braces.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type '));
}

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
