/** Two networks of one passphrase: outcomes come from the chain that is accounted for, and from no other. */
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { type ForkableWorld, startForkableWorld } from '../../test/support/fork.ts';
import type { InProcessService } from '../../test/support/in-process-service.ts';
import { LEASE, withdrawalSteps } from '../../test/support/withdrawal-steps.ts';
import type { Wallet } from '../wallets/access.ts';
import { readCursor } from './cursor-store.ts';
import { follow } from './follow.ts';
import { takeLanes } from './lane-store.ts';
import { describeStrays } from './strays.ts';

let world: ForkableWorld;
let wallet: Wallet;
const { accountFor, claim, closeInSteps, read, signOnly } = withdrawalSteps(() => world);

before(async () => {
  world = await startForkableWorld({ WITHDRAW_VALID_SECONDS: '600', CHANNELS_MAX: '0' });
  await follow(world.deps);
  wallet = await world.wallet();
});
after(() => world.close());

/** A signed withdrawal that a fork applies, and our network does not; its last ledger is accounted for here. */
async function paidElsewhere(): Promise<{ id: string; other: InProcessService['sandbox'] }> {
  await closeInSteps((await accountFor()).sign_after);
  const { id } = await claim(wallet);
  const { envelope_xdr } = await signOnly(id);
  const other = await world.fork();
  await world.over(other.rpc_url).chain.submit(`${envelope_xdr}`);
  for (let closed = 0; closed < 4; closed++) other.closeLedger();
  world.sandbox.closeLedger();

  await accountFor();
  return { id, other };
}

test('an outcome of another chain is none: it is said, nothing is signed, and our chain ends it', async () => {
  const { id, other } = await paidElsewhere();
  const before_ = await readCursor(world.deps.db);
  const astray = world.over(other.rpc_url);
  await accountFor(astray);
  const cursor = await readCursor(world.deps.db);
  assert.deepEqual([cursor?.ledger, cursor?.ledger_hash], [before_?.ledger, before_?.ledger_hash]);
  assert.match(await describeStrays(world.deps), /does not follow the ledger \d+ that is accounted for/);
  assert.equal((await read(id)).status, 'signed');
  const { id: next } = await claim(wallet);
  assert.deepEqual(await takeLanes(world.deps.db, LEASE), []);

  world.sandbox.closeLedger();
  await accountFor(world.over(other.rpc_url, world.sandbox.rpc_url));
  assert.equal((await readCursor(world.deps.db))?.trouble, null);
  assert.equal((await read(id)).status, 'signed');
  await world.deps.chain.submit(`${(await read(id)).envelope_xdr}`);
  world.sandbox.closeLedger();
  await accountFor();
  assert.equal((await read(id)).status, 'confirmed');
  assert.deepEqual(await takeLanes(world.deps.db, LEASE), [next]);
});
