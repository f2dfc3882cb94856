/** Each test runs a process of its own, whose standard output is a pipe. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const LOG = join(import.meta.dirname, 'log.ts');
const OUTPUT = join(import.meta.dirname, 'log-output.ts');

/** The program has `log`, `lostLines` and `tell`, which writes to standard error. */
function run(program: string, stdout: 'pipe' | number = 'pipe'): ChildProcess {
  const code = `
    import { createLog } from ${JSON.stringify(LOG)};
    import { lostLines } from ${JSON.stringify(OUTPUT)};
    const log = createLog('info', false);
    const tell = (what) => process.stderr.write(JSON.stringify(what) + '\\n');
    const line = (number) => log.info({ number, text: 'x'.repeat(1000) }, 'line');
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    ${program}`;
  return spawn(process.execPath, ['--input-type=module-typescript', '--eval', code], {
    stdio: ['pipe', stdout, 'pipe'],
  });
}

const numbersIn = (text: string): number[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'line')
    .map(({ number }) => number);

async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream ?? []) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

for (const [how, end] of [
  ['ends', 'process.exit(0);'],
  ['crashes', "throw new Error('on purpose');"],
] as const)
  test(`a process that ${how} has written every line`, async () => {
    const child = run(`for (let number = 0; number < 3000; number++) line(number); ${end}`);
    const numbers = numbersIn(await textOf(child.stdout));
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      Array.from({ length: 3_000 }, (_, number) => number),
    );
  });

test('a reader that stands still holds up nothing, costs bounded memory, and learns how many lines it has missed', async () => {
  const child = run(`
    for (let number = 0; number < 30_000; number++) { line(number); if (number % 100 === 0) await wait(0); }
    tell({ lost: lostLines() });
    process.stdin.resume();
    process.stdin.once('end', async () => { line(-1); await wait(500); process.exit(0); });`);
  const [told] = await once(child.stderr ?? child, 'data');
  const { lost } = JSON.parse(told);
  assert.ok(lost > 20_000 && lost < 25_000, `${lost} of 30,000 kB are more than may wait`);
  child.stdin?.end();
  const text = await textOf(child.stdout);
  const missed = text.split('\n').filter((line) => line.includes('Lines of the log are lost'));
  assert.equal(missed.length, 1);
  const { lines } = JSON.parse(missed[0] ?? '');
  assert.equal(numbersIn(text).length + lines, 30_001);
});

test('a process ends although the reader stands still', async () => {
  const child = run(`
    for (let number = 0; number < 3000; number++) line(number);
    await wait(2500);
    process.exit(0);`);
  const [code, signal] = await once(child, 'exit');
  assert.deepEqual([code, signal], [null, 'SIGKILL']);
  child.stdout?.resume();
});

test('a process goes on when its reader is gone, and ends as usual', async () => {
  const child = run(`
    line(0);
    process.stdin.resume();
    process.stdin.once('end', async () => {
      for (let number = 1; number < 100; number++) { line(number); await wait(0); }
      await wait(2500);
      tell('still here');
      process.exit(0);
    });`);
  await once(child.stdout ?? child, 'data');
  child.stdout?.destroy();
  child.stdin?.end();
  assert.match(await textOf(child.stderr), /still here/);
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  assert.equal(code, 0);
});

test('a full disk behind the log is no end of the process', async () => {
  const full = openSync('/dev/full', 'w');
  const child = run(
    `for (let number = 0; number < 100; number++) { line(number); await wait(1); } tell('still here'); process.exit(0);`,
    full,
  );
  closeSync(full);
  assert.match(await textOf(child.stderr), /^"still here"/);
});
