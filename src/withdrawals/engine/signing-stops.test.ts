/** When signing stops because an earlier envelope may still be applied, and how it goes on. */
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { FeeBumpTransaction, Keypair, TransactionBuilder } from '@stellar/stellar-sdk';
import { addChannel } from '../../../test/support/channels.ts';
import {
  closingLedgers,
  type InProcessService,
  startInProcess,
} from '../../../test/support/in-process-service.ts';
import { LEASE, withdrawalSteps } from '../../../test/support/withdrawal-steps.ts';
import { listUnassigned } from '../../ledgers/unmatched-store.ts';
import { acceptTxSource, describeTxSources } from '../operator/tx-sources.ts';
import {
  acceptUnmatched,
  assignUnmatched,
  describeUnmatched,
  skipUnreadLedgers,
} from '../operator/unmatched.ts';
import { signBatch } from './sign-batch.ts';
import { assignTxSources } from './tx-source-store.ts';

/** How long an envelope is valid, and how far a source may lag. */
const HOLD_SECONDS = 600n + 20n;

let world: InProcessService;
const {
  withStellar,
  namingNoKeys,
  read,
  claim,
  waitForOutcomes,
  balanceOf,
  processLedgers,
  closeInSteps,
  reachSecond,
  signOnly,
} = withdrawalSteps(() => world);

before(async () => {
  world = await startInProcess({ WITHDRAW_VALID_SECONDS: '600', CHANNELS_MAX: '0', CHANNEL_FEES: 'wallet' });
  await processLedgers(); // as a service does that starts before anybody withdraws
});
after(() => world.close());

async function closeUntil(close_time: bigint): Promise<void> {
  while ((await world.deps.stellar.latestLedger()).close_time < close_time)
    for (let i = 0; i < 50; i++) world.sandbox.closeLedger();
}

test('a database that is an older copy signs nothing for a wallet that has paid since in a transaction that names no key, until an operator has resolved it', async () => {
  const wallet = await world.wallet();
  const { db } = world.deps;
  const left = await claim(wallet);
  await processLedgers();
  const copied = await db.selectFrom('withdrawal_cursor').selectAll().executeTakeFirstOrThrow();
  await waitForOutcomes([left.id]);
  // The copy has the row as it was before it was signed, the transaction source unused, and the ledgers unread.
  const unsigned = {
    status: 'queued' as const,
    tx_source: null,
    sequence: null,
    envelope_xdr: null,
    inner_tx_hash: null,
    settled_at: null,
  };
  const paid = await read(left.id);
  await db.updateTable('withdrawals').set(unsigned).where('id', '=', left.id).execute();
  await db
    .updateTable('tx_sources')
    .set({ last_sequence: null })
    .where('account', '=', wallet.account)
    .execute();
  await db.updateTable('withdrawal_cursor').set(copied).execute();

  await processLedgers(namingNoKeys());
  assert.deepEqual(await assignTxSources(db, LEASE), []);
  const [unmatched] = await listUnassigned(db);
  const hash = unmatched?.hash ?? '';
  assert.match(
    await describeUnmatched(world.deps),
    new RegExp(
      `${hash}: wallet ${wallet.id}, ledger ${paid.ledger}, successful: 20000000 stroops to ${paid.destination}; nothing is signed for the wallet`,
    ),
  );
  const other = await claim(wallet);
  await assert.rejects(assignUnmatched(world.deps, hash, other.id), /is not the payment of/);
  await assert.rejects(acceptUnmatched(world.deps, hash), /has the same payment and would pay it again/);
  assert.match(await assignUnmatched(world.deps, hash, left.id), /is confirmed/);
  const { status, ledger, stellar_tx_hash, fee_stroops } = await read(left.id);
  assert.deepEqual(
    { status, ledger, stellar_tx_hash, fee_stroops },
    { status: 'confirmed', ledger: paid.ledger, stellar_tx_hash: hash, fee_stroops: paid.fee_stroops },
  );
  await assert.rejects(acceptUnmatched(world.deps, hash), /There is no unresolved unmatched transaction/);
  await waitForOutcomes([other.id]);
  assert.equal(await balanceOf(left.destination), 20_000_000n, 'paid once, not again');
  assert.equal(await balanceOf(other.destination), 20_000_000n);
});

test('after ledgers were missed nothing is signed until what an older copy forgot can no longer be applied', async () => {
  const wallet = await world.wallet();
  const left = await claim(wallet);
  await processLedgers();
  const { close_time } = await world.deps.stellar.latestLedger();
  await closeUntil(close_time + 250n); // more than a third of the 600 s for which envelopes are valid
  const before = await world.deps.stellar.latestLedger();
  assert.deepEqual((await signBatch(world.deps, [left.id], LEASE.until)).signed, [], 'behind');
  const cursor = await processLedgers();
  assert.equal(cursor.sign_after, before.close_time + HOLD_SECONDS);
  assert.deepEqual(await assignTxSources(world.deps.db, LEASE), []);
  await reachSecond(cursor.sign_after);
  assert.deepEqual(
    await assignTxSources(world.deps.db, LEASE),
    [],
    'the next ledger of this second may have it',
  );
  await closeInSteps(cursor.sign_after);
  assert.deepEqual(await assignTxSources(world.deps.db, LEASE), [left.id]);
  await waitForOutcomes([left.id]);
  assert.equal((await read(left.id)).status, 'confirmed');
});

test('a database that PostgreSQL calls promoted or restored signs nothing until what it may have forgotten has expired', async () => {
  const { db } = world.deps;
  const [assigned, left] = [await claim(await world.wallet()), await claim(await world.wallet())];
  await processLedgers();
  await assignTxSources(db, { ...LEASE, limit: 1 });
  await db.updateTable('withdrawal_cursor').set({ database_timeline: 'of the lost server' }).execute();
  const { close_time } = await world.deps.stellar.latestLedger();
  assert.deepEqual(
    (await signBatch(world.deps, [assigned.id], LEASE.until)).signed,
    [],
    'before anybody has noticed',
  );
  assert.deepEqual(await assignTxSources(db, LEASE), []);
  const { sign_after } = await processLedgers();
  assert.equal(sign_after, close_time + HOLD_SECONDS);
  assert.deepEqual((await signBatch(world.deps, [assigned.id], LEASE.until)).signed, []);
  await closeInSteps(sign_after);
  assert.equal((await processLedgers()).sign_after, sign_after, 'noticed once');
  await waitForOutcomes([assigned.id, left.id]);
  assert.equal((await read(left.id)).status, 'confirmed');
});

test('a sequence number read while the withdrawal cursor is behind is not signed upon', async () => {
  const wallet = await world.wallet();
  const left = await claim(wallet);
  await processLedgers();
  await assignTxSources(world.deps.db, LEASE);
  const { close_time } = await world.deps.stellar.latestLedger();
  await closeUntil(close_time + 250n);
  assert.deepEqual((await signBatch(world.deps, [left.id], LEASE.until)).signed, []);
  assert.equal((await read(left.id)).status, 'queued');
  await processLedgers();
  await closeInSteps((await processLedgers()).sign_after);
  await waitForOutcomes([left.id]);
});

test('a node that lags behind the last processed sequence number is not built upon', async () => {
  const wallet = await world.wallet();
  const first = await claim(wallet);
  await waitForOutcomes([first.id]);
  const left = await claim(wallet);
  await processLedgers();
  await assignTxSources(world.deps.db, LEASE);
  const lagging = withStellar({
    async readSequences(accounts) {
      const read = await world.deps.stellar.readSequences(accounts);
      return { ...read, sequences: new Map([...read.sequences].map(([account, n]) => [account, n - 1n])) };
    },
  });
  assert.deepEqual((await signBatch(lagging, [left.id], LEASE.until)).signed, []);
  assert.equal((await read(left.id)).status, 'queued');
  await waitForOutcomes([left.id]);
});

test('a sequence number that no processed transaction explains stops the wallet, until an operator accepts it', async () => {
  const wallet = await world.wallet();
  const left = await claim(wallet);
  await processLedgers();
  await assignTxSources(world.deps.db, LEASE);
  const ahead = withStellar({
    async readSequences(accounts) {
      const read = await world.deps.stellar.readSequences(accounts);
      return { ...read, sequences: new Map([...read.sequences].map(([account, n]) => [account, n + 1n])) };
    },
  });
  assert.deepEqual((await signBatch(ahead, [left.id], LEASE.until)).signed, []);
  assert.match(
    await describeTxSources(world.deps),
    new RegExp(`${wallet.account}: 1 waiting. The ledger shows a higher`),
  );
  const younger = await claim(wallet);
  assert.deepEqual(
    await assignTxSources(world.deps.db, LEASE),
    [],
    'nor does a younger one get another tx_source',
  );
  assert.match(await acceptTxSource(world.deps, wallet.account), /Accepted/);
  await assert.rejects(acceptTxSource(world.deps, wallet.account), /is not blocked/);
  await waitForOutcomes([left.id, younger.id]);
  assert.equal(await describeTxSources(world.deps), 'No transaction source is blocked.\n');
});

test('ledgers that no source has any more stop all signing, until an operator skips them', async () => {
  const wallet = await world.wallet();
  const left = await claim(wallet);
  await processLedgers();
  await processLedgers(withStellar({ readLedgersAfter: async () => ({ read: 'gap', oldest_ledger: 1e9 }) }));
  assert.deepEqual(await assignTxSources(world.deps.db, LEASE), []);
  assert.match(await describeUnmatched(world.deps), /begins at ledger 1000000000/);
  world.sandbox.closeLedger();
  assert.match(await skipUnreadLedgers(world.deps), /^Skipped: ledgers after/);
  await assert.rejects(skipUnreadLedgers(world.deps), /nothing to skip/);
  await closeInSteps((await processLedgers()).sign_after);
  await waitForOutcomes([left.id]);
  assert.equal((await read(left.id)).status, 'confirmed');
});

test('a payment on a channel that somebody else fee-bumped, and an older copy forgot, blocks its wallet', async () => {
  const { deps, sandbox } = world;
  const { db } = deps;
  const channel = await addChannel(world);
  const wallet = await world.wallet();
  await processLedgers();
  const [, left] = [await claim(wallet), await claim(wallet)];
  const signed = await signOnly(left.id, deps);
  assert.equal(signed.tx_source, channel);
  const rival = Keypair.random();
  await closingLedgers(sandbox, deps.stellar.fund(rival.publicKey()));
  const ours = TransactionBuilder.fromXDR(signed.envelope_xdr ?? '', sandbox.passphrase);
  assert(ours instanceof FeeBumpTransaction);
  const theirs = TransactionBuilder.buildFeeBumpTransaction(
    rival,
    '5000',
    ours.innerTransaction,
    sandbox.passphrase,
  );
  theirs.sign(rival);
  const unsigned = { status: 'queued' as const, tx_source: null, envelope_xdr: null, inner_tx_hash: null };
  await db.updateTable('withdrawals').set(unsigned).where('id', '=', left.id).execute();
  await db.updateTable('tx_sources').set({ withdrawal_id: null }).where('account', '=', channel).execute();
  assert.equal((await deps.stellar.submit(theirs.toEnvelope().toXdr('base64'))).answer, 'pending');
  sandbox.closeLedger();
  await processLedgers(namingNoKeys());
  const hash = (await listUnassigned(db)).at(-1)?.hash ?? '';
  assert.match(await describeUnmatched(deps), new RegExp(`${hash}: wallet ${wallet.id}`));
  assert.deepEqual(await assignTxSources(db, LEASE), []);
  assert.match(await assignUnmatched(deps, hash, left.id), /is confirmed/);
  assert.equal(await balanceOf(left.destination), 20_000_000n);
});
