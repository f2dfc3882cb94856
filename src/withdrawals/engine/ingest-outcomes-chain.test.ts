/** Two networks with one passphrase: outcomes come only from the chain of the withdrawal cursor. */
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { type ForkableWorld, startForkableWorld } from '../../../test/support/fork.ts';
import type { InProcessService } from '../../../test/support/in-process-service.ts';
import { LEASE, withdrawalSteps } from '../../../test/support/withdrawal-steps.ts';
import { readWithdrawalCursor } from '../../ledgers/withdrawal-cursor.ts';
import type { Wallet } from '../../wallets/access.ts';
import { describeUnmatched } from '../operator/unmatched.ts';
import { ingestOutcomes } from './ingest-outcomes.ts';
import { assignTxSources } from './tx-source-store.ts';

let world: ForkableWorld;
let wallet: Wallet;
const { processLedgers, claim, closeInSteps, read, signOnly } = withdrawalSteps(() => world);

before(async () => {
  world = await startForkableWorld({ WITHDRAW_VALID_SECONDS: '600', CHANNELS_MAX: '0' });
  await ingestOutcomes(world.deps);
  wallet = await world.wallet();
});
after(() => world.close());

/** A signed withdrawal that a fork applies, and our network does not; its last ledger is processed here. */
async function paidElsewhere(): Promise<{ id: string; other: InProcessService['sandbox'] }> {
  await closeInSteps((await processLedgers()).sign_after);
  const { id } = await claim(wallet);
  const { envelope_xdr } = await signOnly(id);
  const other = await world.fork();
  await world.over(other.rpc_url).stellar.submit(`${envelope_xdr}`);
  for (let closed = 0; closed < 4; closed++) other.closeLedger();
  world.sandbox.closeLedger();

  await processLedgers();
  return { id, other };
}

test('an outcome of another chain is not recorded: nothing is signed until our chain is back', async () => {
  const { id, other } = await paidElsewhere();
  const before_ = await readWithdrawalCursor(world.deps.db);
  const astray = world.over(other.rpc_url);
  await processLedgers(astray);
  const cursor = await readWithdrawalCursor(world.deps.db);
  assert.deepEqual([cursor?.ledger, cursor?.ledger_hash], [before_?.ledger, before_?.ledger_hash]);
  assert.match(await describeUnmatched(world.deps), /does not follow the ledger \d+ that was read/);
  assert.equal((await read(id)).status, 'signed');
  const { id: next } = await claim(wallet);
  assert.deepEqual(await assignTxSources(world.deps.db, LEASE), []);

  world.sandbox.closeLedger();
  await processLedgers(world.over(other.rpc_url, world.sandbox.rpc_url));
  assert.equal((await readWithdrawalCursor(world.deps.db))?.stop_reason, null);
  assert.equal((await read(id)).status, 'signed');
  await world.deps.stellar.submit(`${(await read(id)).envelope_xdr}`);
  world.sandbox.closeLedger();
  await processLedgers();
  assert.equal((await read(id)).status, 'confirmed');
  assert.deepEqual(await assignTxSources(world.deps.db, LEASE), [next]);
});
