/** A node that lies altogether has led the readings of ledgers away: the way back to the honest chain. */

import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { Server } from '@stellar/stellar-sdk/rpc';
import { signed } from '../../sandbox/testing/rpc-client.ts';
import { pay } from '../../sandbox/testing/test-network.ts';
import { on } from '../../test/support/acting.ts';
import { type ForkableWorld, startForkableWorld } from '../../test/support/fork.ts';
import {
  closingLedgers,
  type InProcessService,
  startNetwork,
} from '../../test/support/in-process-service.ts';
import { withdrawalSteps } from '../../test/support/withdrawal-steps.ts';
import { createLeadership } from '../db/leadership.ts';
import { createAddress } from '../deposits/addresses/create-address.ts';
import { ingestDeposits } from '../deposits/ingest/ingest-deposits.ts';
import { readDepositCursor } from '../ledgers/deposit-cursor.ts';
import { rewindWithdrawalCursor } from '../ledgers/rewind-withdrawal-cursor.ts';
import { readWithdrawalCursor as readProcessing } from '../ledgers/withdrawal-cursor.ts';
import { muxedAddress } from '../stellar/address.ts';
import type { Stellar } from '../stellar/stellar.ts';
import type { Wallet } from '../wallets/access.ts';
import type { EngineDeps } from '../withdrawals/engine/hooks.ts';
import { ingestOutcomes } from '../withdrawals/engine/ingest-outcomes.ts';
import { rewind } from './deposit-commands.ts';

let world: ForkableWorld;
const { processLedgers, claim, closeInSteps, read, signOnly } = withdrawalSteps(() => world);
let wallet: Wallet;
/** Has all of our network's ledgers up to the fork, and then its own. */
let liar: InProcessService['sandbox'];
let lied: EngineDeps;
let forked_at: number;
const payer = Keypair.random();
const forger = Keypair.random();

before(async () => {
  world = await startForkableWorld();
  wallet = await world.wallet();
  for (const key of [payer, forger])
    await closingLedgers(world.sandbox, world.deps.stellar.fund(key.publicKey()));
  for (let closed = 0; closed < 5; closed++) {
    world.sandbox.closeLedger();
    await readAll(world.deps);
  }
  forked_at = (await readDepositCursor(world.deps.db)).ledger;
  liar = await world.fork();
  lied = world.over(liar.rpc_url);
});
after(() => world.close());

/** Both readings, up to the newest ledger. */
async function readAll(deps: EngineDeps): Promise<void> {
  while ((await ingestDeposits(deps)).behind);
  while ((await ingestOutcomes(deps)).behind);
}

/** A payment to a new address, the same transaction into the next ledger of each. Gives its amount, which no other has. */
let amount = 10_000_000n;
async function paid(from: Keypair, ...networks: InProcessService['sandbox'][]): Promise<bigint> {
  amount += 1n;
  const { memo_id } = await createAddress(world.deps, on(wallet), { label: null, metadata: null });
  const servers = networks.map(({ rpc_url }) => new Server(rpc_url, { allowHttp: true }));
  const transaction = await signed(servers[0] as Server, from, [
    pay(muxedAddress(wallet.account, memo_id), amount),
  ]);
  for (const server of servers) assert.equal((await server.sendTransaction(transaction)).status, 'PENDING');
  for (const network of networks) network.closeLedger();
  return amount;
}

async function said(deps: EngineDeps, to_ledger: number | null, check_only = false): Promise<string> {
  const texts: string[] = [];
  await rewind(deps, { to_ledger, check_only }, (text) => texts.push(text));
  return texts.join('');
}

/** How often each amount was credited, and told of. */
async function credited(stroops: bigint): Promise<[deposits: number, events: number]> {
  const { db } = world.deps;
  const deposits = await db
    .selectFrom('deposits')
    .select('id')
    .where('amount_stroops', '=', stroops)
    .execute();
  const events = await db.selectFrom('webhook_events').select('body').execute();
  const told = events.filter(({ body }) => body.toString().includes(`"amount_stroops":${stroops},`));
  return [deposits.length, told.length];
}

const places = async () => {
  const { ledger, ledger_hash, stop_reason } = await readDepositCursor(world.deps.db);
  const withdrawal_cursor = await readProcessing(world.deps.db);
  return [
    ledger,
    ledger_hash,
    stop_reason,
    withdrawal_cursor?.ledger,
    withdrawal_cursor?.ledger_hash,
    withdrawal_cursor?.stop_reason,
  ];
};

test('what only the lying chain has is listed, what the honest one has is credited once, and nothing is deleted', async () => {
  const forged = await paid(forger, liar);
  const both = await paid(payer, world.sandbox, liar);
  for (let closed = 0; closed < 3; closed++) liar.closeLedger();
  await readAll(lied);
  assert.deepEqual(
    [await credited(both), await credited(forged)],
    [
      [1, 1],
      [1, 1],
    ],
  );
  const honest = await paid(payer, world.sandbox);
  for (let closed = 0; closed < 9; closed++) world.sandbox.closeLedger();

  await readAll(world.deps);
  const [astray, , stop_reason, , , untold] = await places();
  assert.equal(astray, forked_at + 5);
  assert.match(`${stop_reason}`, /does not follow the ledger \d+ that was read, at any source/);
  assert.match(`${untold}`, /does not follow the ledger \d+ that was read, at any source/);
  assert.equal((await credited(honest))[0], 0);

  const text = await said(world.deps, null);
  assert.match(
    text,
    new RegExp(`deposits was at ledger ${forked_at + 5} and continues from ledger ${forked_at} `),
  );
  assert.match(
    text,
    new RegExp(`withdrawal cursor was at ledger ${forked_at + 5} and continues from ledger ${forked_at}\\.`),
  );
  assert.match(text, /2 deposits, 0 adjustments and 0 settled withdrawals .* does not have 1 of them/);
  assert.match(text, new RegExp(`deposit dep_\\w+ of ${wallet.id}: ${forged} stroops of native`));

  await readAll(world.deps);
  const { sequence, hash } = await world.deps.stellar.latestLedger();
  assert.deepEqual(await places(), [sequence, hash, null, sequence, hash, null]);
  for (const amount of [both, forged, honest]) assert.deepEqual(await credited(amount), [1, 1]);
  const again = await said(world.deps, forked_at, true);
  assert.match(again, /3 deposits, 0 adjustments and .* does not have 1 of them/);
  assert.match(again, new RegExp(`: ${forged} stroops of native`));
  assert.deepEqual(await places(), [sequence, hash, null, sequence, hash, null], 'to look changes nothing');
});

/** Leaves both readings on a chain of the liar's own; gives the deposit that it forged, and where they are on ours. */
async function ledAway(): Promise<{ forged: bigint; from: number }> {
  await readAll(world.deps);
  const from = (await readDepositCursor(world.deps.db)).ledger;
  liar = await world.fork();
  lied = world.over(liar.rpc_url);
  const forged = await paid(forger, liar);
  await readAll(lied);
  return { forged, from };
}

test('while a process reads deposits, and from a source that has none of the ledgers, nothing is put back', async (t) => {
  await ledAway();
  const before_ = await places();
  const reading = createLeadership(world.another(), 'deposits');
  assert(await reading.hold());
  await assert.rejects(said(world.deps, null), /A process reads deposits\. Stop every process/);
  await reading.release();
  await assert.rejects(said(world.deps, null, true), /--check needs --to-ledger/);

  const elsewhere = await startNetwork();
  t.after(() => elsewhere.stop());
  const { sequence } = liar.closeLedger();
  while (elsewhere.closeLedger().sequence < sequence + 3);
  await assert.rejects(said(world.over(elsewhere.rpc_url), null), /has none of the \d+ ledgers/);
  assert.deepEqual(await places(), before_);

  await said(world.deps, null);
  await readAll(world.deps);
});

test('a rewind that died halfway is done by the next one', async () => {
  const { from } = await ledAway();
  const { ledger_hash } = await world.deps.db
    .selectFrom('deposit_positions')
    .select('ledger_hash')
    .where('ledger', '=', from)
    .executeTakeFirstOrThrow();
  await rewindWithdrawalCursor(world.deps, { ledger: from, ledger_hash, close_time: null });
  const [reading, , , withdrawal_cursor] = await places();
  assert.deepEqual([reading, withdrawal_cursor], [from + 1, from]);
  world.sandbox.closeLedger();
  const text = await said(world.deps, null);
  assert.match(text, new RegExp(`withdrawal cursor is at ledger ${from} and stays there`));
  assert.match(text, new RegExp(`continues from ledger ${from} `));
  await readAll(world.deps);
  const [, hash, , , withdrawal_hash] = await places();
  assert.equal(hash, withdrawal_hash);
});

test('pages that were read before the rewind are not recorded after it, though the ledger has the same number', async () => {
  const { from } = await ledAway();
  const late = await paid(forger, liar);
  const slow: Stellar = {
    ...lied.stellar,
    async readLedgersAfter(...question) {
      const range = await lied.stellar.readLedgersAfter(...question);
      world.sandbox.closeLedger();
      world.sandbox.closeLedger();
      await said(world.deps, from);
      await ingestOne(from);
      return range;
    },
  };
  /** The honest chain up to the number where the cursor was. */
  async function ingestOne(after_ledger: number): Promise<void> {
    const { stellar } = world.deps;
    const [one] = [await stellar.readLedgersAfter(after_ledger, null)];
    assert(one.read === 'ledgers');
    const [, hash] = one.hashes;
    const first = { ...one, through_ledger: after_ledger + 1, through_hash: `${hash}` };
    await ingestDeposits({ ...world.deps, stellar: { ...stellar, readLedgersAfter: async () => first } });
  }
  assert.deepEqual(await ingestDeposits({ ...lied, stellar: slow }), { ledger: from + 1, behind: true });
  assert.deepEqual(await credited(late), [0, 0]);
  await readAll(world.deps);
  assert.equal((await readDepositCursor(world.deps.db)).stop_reason, null);
});

test('a withdrawal that was paid on the lying chain only is listed, and stays as it is', async () => {
  await closeInSteps((await processLedgers()).sign_after); // nothing is signed so soon after a rewind
  await readAll(world.deps);
  const { id } = await claim(wallet);
  const { envelope_xdr } = await signOnly(id);
  const { from } = await ledAway();
  await lied.stellar.submit(`${envelope_xdr}`);
  liar.closeLedger();
  await readAll(lied);
  assert.equal((await read(id)).status, 'confirmed');
  const { stellar_tx_hash } = await read(id);
  world.sandbox.closeLedger();
  const text = await said(world.deps, null);
  assert.match(text, new RegExp(`withdrawal ${id} of ${wallet.id}: .* transaction ${stellar_tx_hash}`));
  assert.match(text, new RegExp(`continues from ledger ${from} `));
  await readAll(world.deps);
  assert.equal((await read(id)).status, 'confirmed');
});
