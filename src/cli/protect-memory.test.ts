import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const PROGRAM = `
  import { protectMemory } from '${new URL('./protect-memory.ts', import.meta.url)}';
  protectMemory('sandbox', { warn: (message) => console.log(message) });`;
const onLinux = { skip: process.platform === 'linux' ? false : '/proc is Linux’s' };

/** What the process warns of, with this limit of locked memory. Only root has a capability to lose. */
function warningsWith(memlock: string, { mayLock }: { mayLock: boolean }): string {
  const without = process.geteuid?.() === 0 && !mayLock ? ['setpriv', '--bounding-set=-ipc_lock'] : [];
  const node = [process.execPath, '--input-type=module', '-e', PROGRAM];
  const { stdout, stderr, status } = spawnSync('prlimit', [`--memlock=${memlock}`, ...without, ...node], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return stdout;
}

test('where the system lets the process lock too little memory, it says so', onLinux, () => {
  assert.match(
    warningsWith('65536:65536', { mayLock: false }),
    /^memory with keys may be swapped: .*LimitMEMLOCK/m,
  );
  assert.equal(warningsWith('1048576:1048576', { mayLock: false }), '');
});

test('a process that may lock any memory warns of nothing', {
  skip: process.geteuid?.() === 0 ? onLinux.skip : 'only root has the capability',
}, () => {
  assert.equal(warningsWith('0:0', { mayLock: true }), '');
});
