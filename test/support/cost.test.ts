import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Line, readLines, report } from './cost.ts';

const COUNTING = pathToFileURL(join(import.meta.dirname, 'count-cost.ts')).href;
/** Goes on until it has used this much CPU, however long that takes. */
const BURN = 'const burn = (ms) => { while (process.cpuUsage().user < ms * 1000); };';
const linux = existsSync('/proc/self/stat');

test('a process of the runner tells its own CPU and that of what it started, and what it started tells nothing', () => {
  const dir = mkdtempSync(join(tmpdir(), 'cost-'));
  const [file, to] = [join(dir, 'burns.test.mjs'), join(dir, 'costs')];
  const child = `${BURN} burn(300);`;
  writeFileSync(
    file,
    `import { spawnSync } from 'node:child_process';
     import { test } from 'node:test';
     ${BURN}
     test('burns', () => {
       burn(200);
       spawnSync(process.execPath, [...process.execArgv, '--eval', ${JSON.stringify(child)}]);
     });`,
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status } = spawnSync(process.execPath, [`--import=${COUNTING}`, '--test', file], {
    env: { ...env, TEST_COSTS: to },
  });
  assert.equal(status, 0);
  const [line, ...more] = readLines(to);
  assert.ok(line);
  assert.deepEqual(more, []);
  assert.equal(line.entry, file);
  assert.ok(line.wall > 0.5);
  if (linux) assert.ok(line.cpu && line.cpu.own >= 0.2 && line.cpu.started >= 0.3, JSON.stringify(line));
  else assert.equal(line.cpu, null);
});

const LINES: Line[] = [
  { entry: '/plan/000.mjs', wall: 30, cpu: { own: 20, started: 5 } },
  { entry: '/plan/001.mjs', file: 'src/quick.test.ts', wall: 1, cpu: { own: 1, started: 0 } },
  { entry: '/plan/001.mjs', file: 'src/slow.test.ts', wall: 40.06, cpu: { own: 2, started: 3.25 } },
  { entry: '/plan/001.mjs', wall: 45, cpu: { own: 4, started: 4 } },
];
const PLAN = new Map([
  ['/plan/000.mjs', ['test/alone.test.ts']],
  ['/plan/001.mjs', ['src/quick.test.ts', 'src/slow.test.ts']],
]);

test('the report has the slowest files, alone or together in a process, and adds up what the run cost', () => {
  assert.equal(
    report(LINES, PLAN, { all: 50, database: 6 }),
    [
      'The slowest of 3 files, in seconds, with the CPU of their tests and of what they started:',
      '     time    tests  started',
      '     40.1      2.0      3.3  src/slow.test.ts',
      '     30.0     20.0      5.0  test/alone.test.ts',
      '      1.0      1.0      0.0  src/quick.test.ts',
      'CPU: 50 s. 24 s of tests, 9 s of services, commands and servers that they started, 6 s of the database server, 11 s of what comes before and around them.',
    ].join('\n'),
  );
});

test('where the system does not tell CPU, the report has the times', () => {
  const lines = LINES.map((line) => ({ ...line, cpu: null }));
  assert.equal(
    report(lines.slice(0, 1), PLAN, null),
    [
      'The slowest of 1 files, in seconds:',
      '     time',
      '     30.0  test/alone.test.ts',
      'How much CPU the run took is not known on this system.',
    ].join('\n'),
  );
});

test('no more than ten files are in the report', () => {
  const many = Array.from(
    { length: 12 },
    (_, index): Line => ({ entry: `${index}`, wall: index, cpu: null }),
  );
  assert.equal(report(many, new Map(), null).split('\n').length, 13);
});
