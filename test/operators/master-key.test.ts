/** The master key of a running service: where its memory, its environment and its files have it, and what is refused. */
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Found, searchMemory, spellingsOf } from '../support/memory.ts';
import { startRunningService } from '../support/running-service.ts';
import { teller, temporaryDirectory } from '../support/service.ts';

const onLinux = { skip: process.platform === 'linux' ? false : '/proc is Linux’s' };

function keyFile(text: string, mode = 0o600): string {
  const path = join(temporaryDirectory(), 'key');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

/** Of a service that has made wallets, paid, and sealed and opened a signing secret. */
async function searchService(env: Record<string, string>, find?: (pid: number) => void): Promise<Found[]> {
  const world = await startRunningService(env);
  try {
    const [wallet, other] = [await world.newWallet(), await world.newWallet()];
    const body = { destination: other.account, amount_stroops: 50_000_000 };
    const paid = await world.withdraw(wallet, body);
    assert.equal(paid.body.data.status, 'confirmed', paid.text);
    const { data_dir, pid } = world.service;
    find?.(pid);
    const text = env.MASTER_KEY || readFileSync(env.MASTER_KEY_FILE ?? join(data_dir, 'master-key'), 'utf8');
    return searchMemory(pid, spellingsOf('key', Buffer.from(text, 'base64')));
  } finally {
    await world.stop();
  }
}

const outside = (found: Found[]) => found.filter(({ isLocked }) => !isLocked).map(({ name }) => name);

describe('a service that has signed', onLinux, () => {
  it('has the key only in locked memory, and writes no core dumps, when a file brings it', async () => {
    const MASTER_KEY_FILE = keyFile(`${randomBytes(32).toString('base64')}\n`);
    const found = await searchService({ MASTER_KEY: '', MASTER_KEY_FILE }, (pid) => {
      assert.match(readFileSync(`/proc/${pid}/limits`, 'utf8'), /^Max core file size +0 +0 /m);
      assert.equal(Number.parseInt(readFileSync(`/proc/${pid}/coredump_filter`, 'utf8'), 16), 0);
    });
    assert.deepEqual(outside(found), []);
    assert.deepEqual(
      [...new Set(found.map(({ name }) => name))],
      ['key raw'],
      'the search finds the vault’s own',
    );
  });

  it('has the key only there, when a variable brings it, and shows the variable to nobody', async () => {
    const MASTER_KEY = randomBytes(32).toString('base64');
    const found = await searchService({ MASTER_KEY }, (pid) => {
      const shown = readFileSync(`/proc/${pid}/environ`, 'latin1');
      assert.match(shown, /(^|\0)MASTER_KEY=-{44}\0/);
      assert(!shown.includes(MASTER_KEY));
    });
    assert.deepEqual(outside(found), []);
    assert.deepEqual([...new Set(found.map(({ name }) => name))], ['key raw']);
  });
});

describe('the search', onLinux, () => {
  it('finds a key that a program has read as text', async () => {
    const key = randomBytes(32);
    const path = keyFile(key.toString('base64'));
    const program = `const text = require('node:fs').readFileSync('${path}', 'utf8');
      const kept = [text, Buffer.from(text, 'base64')];
      setInterval(() => console.log(kept.length), 100);`;
    const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(child.stdout, 'data');
      const found = outside(searchMemory(child.pid as number, spellingsOf('key', key)));
      assert(found.includes('key base64'));
      assert(found.includes('key raw'));
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });
});

describe('a start', () => {
  const start = (env: Record<string, string>) =>
    teller(['serve'], { DATA_DIR: temporaryDirectory(), PORT: '0', SANDBOX_PORT: '0', ...env });
  const KEY = randomBytes(32).toString('base64');

  it('refuses a key that others can read, and does not show it', async () => {
    const { code, output } = await start({ MASTER_KEY_FILE: keyFile(KEY, 0o604) });
    assert.notEqual(code, 0);
    assert.match(output, /MASTER_KEY_FILE can be read or changed by other users/);
    assert(!output.includes(KEY));
  });

  it('refuses a variable that is no key, and does not show it', async () => {
    const { code, output } = await start({ MASTER_KEY: KEY.slice(0, 40) });
    assert.notEqual(code, 0);
    assert.match(output, /- MASTER_KEY must be 32 bytes in base64/);
    assert(!output.includes(KEY.slice(0, 40)));
  });

  it('makes the key file for its owner alone, whatever the umask is, and no other when it is gone', async () => {
    const before = process.umask(0);
    const world = await startRunningService({}, { embedded: true }).finally(() => process.umask(before));
    const file = join(world.service.data_dir, 'master-key');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    await world.stop();
    rmSync(file);
    const { code, output } = await start({ DATA_DIR: world.service.data_dir });
    assert.notEqual(code, 0);
    assert.match(
      output,
      /There is no .*master-key, and the wallets of this database are sealed with its key/,
    );
    assert(!existsSync(file), 'a new key would hide that the old one is missing');
  });

  it('refuses a debugger on a network whose money is real', async () => {
    const NODE_OPTIONS = '--inspect=127.0.0.1:0';
    const env = { STELLAR_NETWORK: 'testnet', STELLAR_RPC_URL: 'http://127.0.0.1:1', MASTER_KEY: KEY };
    const { code, output } = await start({ ...env, NODE_OPTIONS });
    assert.notEqual(code, 0);
    assert.match(output, /Node was started with --inspect/);
  });
});
