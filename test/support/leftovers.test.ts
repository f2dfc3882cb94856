import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { endLeftovers } from './leftovers.ts';

const skip = existsSync('/proc/self/environ')
  ? false
  : 'the system does not tell the environment of a process';

test('ends what a run has left, also what refuses to end, and nothing else', { skip }, async (t) => {
  const directory = `/tmp/of-${process.pid}`;
  const start = async (tmpdir: string, program: string) => {
    const child = spawn(
      process.execPath,
      ['-e', `${program};setInterval(() => {}, 1000);console.log('ready')`],
      {
        env: { ...process.env, TMPDIR: tmpdir },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    t.after(() => child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    return { child, ended: once(child, 'exit') };
  };
  const usual = await start(directory, '');
  const stubborn = await start(directory, "process.on('SIGTERM', () => {})");
  const other = await start(`${directory}-of-another-run`, '');
  assert.equal((await endLeftovers(directory)).length, 2);
  assert.deepEqual((await usual.ended)[1], 'SIGTERM');
  assert.deepEqual((await stubborn.ended)[1], 'SIGKILL');
  assert.equal(other.child.exitCode, null);
  assert.equal(other.child.signalCode, null);
  assert.deepEqual(await endLeftovers(directory), []);
});
