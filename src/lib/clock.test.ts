import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

/** The exit code of a process that only waits: 13 when it ends before its wait does. */
function exitCodeOf(wait: string): number | null {
  const script = `import { backgroundClock } from '${import.meta.dirname}/clock.ts'; await ${wait};`;
  const args = [...process.execArgv, '--input-type=module', '-e', script];
  return spawnSync(process.execPath, args, { env: { ...process.env, NODE_TEST_CONTEXT: '' } }).status;
}

test('the clock of the background keeps no process alive, unless it is being stopped', () => {
  assert.equal(exitCodeOf('backgroundClock.sleep(60_000)'), 13);
  assert.equal(exitCodeOf('backgroundClock.sleep(60_000, AbortSignal.abort())'), 0);
});
