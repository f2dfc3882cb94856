/** When nothing may be signed, because what was signed before may still be applied, and how that ends. */
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { FeeBumpTransaction, Keypair, TransactionBuilder } from '@stellar/stellar-sdk';
import { addChannel } from '../../test/support/channels.ts';
import {
  closingLedgers,
  type InProcessService,
  startInProcess,
} from '../../test/support/in-process-service.ts';
import { LEASE, withdrawalSteps } from '../../test/support/withdrawal-steps.ts';
import { sign } from './dispatch.ts';
import { takeLanes } from './lane-store.ts';
import { acceptLane, describeLanes } from './lanes.ts';
import { acceptStray, assignStray, describeStrays, skipUnread } from './strays.ts';

let world: InProcessService;
const { withChain, read, claim, settleAll, balanceOf, accountFor, closeInSteps, signOnly } = withdrawalSteps(
  () => world,
);

before(async () => {
  world = await startInProcess({ WITHDRAW_VALID_SECONDS: '600', CHANNELS_MAX: '0' });
  await accountFor(); // as a service does that starts before anybody withdraws
});
after(() => world.close());

async function closeUntil(close_time: bigint): Promise<void> {
  while ((await world.deps.chain.latestLedger()).close_time < close_time)
    for (let i = 0; i < 50; i++) world.sandbox.closeLedger();
}

test('a database that is an older copy signs nothing for a wallet that has paid since, until a person has judged it', async () => {
  const wallet = await world.wallet();
  const { db } = world.deps;
  const left = await claim(wallet);
  await accountFor();
  const copied = await db.selectFrom('settle_cursor').selectAll().executeTakeFirstOrThrow();
  await settleAll([left.id]);
  // The copy has the row as it was before it was signed, the lane unused, and the ledgers unread.
  const unsigned = {
    status: 'queued' as const,
    lane: null,
    sequence: null,
    envelope_xdr: null,
    inner_tx_hash: null,
    settled_at: null,
  };
  const paid = await read(left.id);
  await db.updateTable('withdrawals').set(unsigned).where('id', '=', left.id).execute();
  await db.updateTable('lanes').set({ last_sequence: null }).where('account', '=', wallet.account).execute();
  await db.updateTable('settle_cursor').set(copied).execute();

  await accountFor();
  assert.deepEqual(await takeLanes(db, LEASE), []);
  assert.match(
    await describeStrays(world.deps),
    new RegExp(
      `${paid.stellar_tx_hash}: wallet ${wallet.id}, ledger ${paid.ledger}, successful: 20000000 stroops to ${paid.destination}`,
    ),
  );
  const hash = paid.stellar_tx_hash ?? '';
  const other = await claim(wallet);
  await assert.rejects(assignStray(world.deps, hash, other.id), /pays something else/);
  await assert.rejects(acceptStray(world.deps, hash), /pays the same and waits: it would be paid again/);
  assert.match(await assignStray(world.deps, hash, left.id), /is confirmed/);
  const { id, status, ledger, stellar_tx_hash, inner_tx_hash, fee_stroops } = await read(left.id);
  assert.deepEqual(
    { id, status, ledger, stellar_tx_hash, inner_tx_hash, fee_stroops },
    {
      ...{
        inner_tx_hash: paid.inner_tx_hash,
        id: paid.id,
        status: 'confirmed',
        ledger: paid.ledger,
        stellar_tx_hash: hash,
        fee_stroops: paid.fee_stroops,
      },
    },
  );
  await assert.rejects(acceptStray(world.deps, hash), /No transaction/);
  await settleAll([other.id]);
  assert.equal(await balanceOf(left.destination), 20_000_000n, 'paid once, not again');
  assert.equal(await balanceOf(other.destination), 20_000_000n);
});

test('after ledgers were missed nothing is signed until what an older copy forgot can no longer be applied', async () => {
  const wallet = await world.wallet();
  const left = await claim(wallet);
  await accountFor();
  const { close_time } = await world.deps.chain.latestLedger();
  await closeUntil(close_time + 250n); // more than a third of the 600 s for which envelopes are valid
  const before = await world.deps.chain.latestLedger();
  assert.deepEqual((await sign(world.deps, [left.id], LEASE.until)).signed, [], 'behind');
  const cursor = await accountFor();
  assert.equal(cursor.sign_after, before.close_time + 600n);
  assert.deepEqual(await takeLanes(world.deps.db, LEASE), []);
  await closeInSteps(before.close_time + 600n);
  assert.deepEqual(await takeLanes(world.deps.db, LEASE), [left.id]);
  await settleAll([left.id]);
  assert.equal((await read(left.id)).status, 'confirmed');
});

test('a database that PostgreSQL calls promoted or restored signs nothing until what it may have forgotten is dead', async () => {
  const { db } = world.deps;
  const [boarded, left] = [await claim(await world.wallet()), await claim(await world.wallet())];
  await accountFor();
  await takeLanes(db, { ...LEASE, limit: 1 });
  await db.updateTable('settle_cursor').set({ database_timeline: 'of the lost server' }).execute();
  const { close_time } = await world.deps.chain.latestLedger();
  assert.deepEqual(
    (await sign(world.deps, [boarded.id], LEASE.until)).signed,
    [],
    'before anybody has noticed',
  );
  assert.deepEqual(await takeLanes(db, LEASE), []);
  const { sign_after } = await accountFor();
  assert.equal(sign_after, close_time + 600n);
  assert.deepEqual((await sign(world.deps, [boarded.id], LEASE.until)).signed, []);
  await closeInSteps(sign_after);
  assert.equal((await accountFor()).sign_after, sign_after, 'noticed once');
  await settleAll([boarded.id, left.id]);
  assert.equal((await read(left.id)).status, 'confirmed');
});

test('a sequence number read while the accounting is behind is not signed upon', async () => {
  const wallet = await world.wallet();
  const left = await claim(wallet);
  await accountFor();
  await takeLanes(world.deps.db, LEASE);
  const { close_time } = await world.deps.chain.latestLedger();
  await closeUntil(close_time + 250n);
  assert.deepEqual((await sign(world.deps, [left.id], LEASE.until)).signed, []);
  assert.equal((await read(left.id)).status, 'queued');
  await accountFor();
  await closeInSteps((await accountFor()).sign_after);
  await settleAll([left.id]);
});

test('a node that lags behind the last sequence number accounted for is not built upon', async () => {
  const wallet = await world.wallet();
  const first = await claim(wallet);
  await settleAll([first.id]);
  const left = await claim(wallet);
  await accountFor();
  await takeLanes(world.deps.db, LEASE);
  const lagging = withChain({
    async readSequences(accounts) {
      const read = await world.deps.chain.readSequences(accounts);
      return { ...read, sequences: new Map([...read.sequences].map(([account, n]) => [account, n - 1n])) };
    },
  });
  assert.deepEqual((await sign(lagging, [left.id], LEASE.until)).signed, []);
  assert.equal((await read(left.id)).status, 'queued');
  await settleAll([left.id]);
});

test('a sequence number that nothing accounts for stops the wallet, until a person accepts it', async () => {
  const wallet = await world.wallet();
  const left = await claim(wallet);
  await accountFor();
  await takeLanes(world.deps.db, LEASE);
  const ahead = withChain({
    async readSequences(accounts) {
      const read = await world.deps.chain.readSequences(accounts);
      return { ...read, sequences: new Map([...read.sequences].map(([account, n]) => [account, n + 1n])) };
    },
  });
  assert.deepEqual((await sign(ahead, [left.id], LEASE.until)).signed, []);
  assert.match(
    await describeLanes(world.deps),
    new RegExp(`${wallet.account}: 1 waiting. The ledger shows a higher`),
  );
  const younger = await claim(wallet);
  assert.deepEqual(await takeLanes(world.deps.db, LEASE), [], 'nor does a younger one get another lane');
  assert.match(await acceptLane(world.deps, wallet.account), /Accepted/);
  await assert.rejects(acceptLane(world.deps, wallet.account), /is not in trouble/);
  await settleAll([left.id, younger.id]);
  assert.equal(await describeLanes(world.deps), 'No lane is in trouble.\n');
});

test('ledgers that no source has any more stop all signing, until a person skips them', async () => {
  const wallet = await world.wallet();
  const left = await claim(wallet);
  await accountFor();
  await accountFor(withChain({ readLedgersAfter: async () => ({ read: 'gap', oldest_ledger: 1e9 }) }));
  assert.deepEqual(await takeLanes(world.deps.db, LEASE), []);
  assert.match(await describeStrays(world.deps), /begins at ledger 1000000000/);
  world.sandbox.closeLedger();
  assert.match(await skipUnread(world.deps), /^Skipped: ledgers after/);
  await assert.rejects(skipUnread(world.deps), /nothing to skip/);
  await closeInSteps((await accountFor()).sign_after);
  await settleAll([left.id]);
  assert.equal((await read(left.id)).status, 'confirmed');
});

test('a payment on a channel that somebody else fee-bumped, and an older copy forgot, holds its wallet', async () => {
  const { deps, sandbox } = world;
  const { db } = deps;
  const channel = await addChannel(world);
  const wallet = await world.wallet();
  await accountFor();
  const [, left] = [await claim(wallet), await claim(wallet)];
  const signed = await signOnly(left.id, deps);
  assert.equal(signed.lane, channel);
  const rival = Keypair.random();
  await closingLedgers(sandbox, deps.chain.fund(rival.publicKey()));
  const ours = TransactionBuilder.fromXDR(signed.envelope_xdr ?? '', sandbox.passphrase);
  assert(ours instanceof FeeBumpTransaction);
  const theirs = TransactionBuilder.buildFeeBumpTransaction(
    rival,
    '5000',
    ours.innerTransaction,
    sandbox.passphrase,
  );
  theirs.sign(rival);
  const unsigned = { status: 'queued' as const, lane: null, envelope_xdr: null, inner_tx_hash: null };
  await db.updateTable('withdrawals').set(unsigned).where('id', '=', left.id).execute();
  await db.updateTable('lanes').set({ holder: null }).where('account', '=', channel).execute();
  assert.equal((await deps.chain.submit(theirs.toEnvelope().toXdr('base64'))).answer, 'pending');
  sandbox.closeLedger();
  await accountFor();
  const hash = Buffer.from(theirs.hash()).toString('hex');
  assert.match(await describeStrays(deps), new RegExp(`${hash}: wallet ${wallet.id}`));
  assert.deepEqual(await takeLanes(db, LEASE), []);
  assert.match(await assignStray(deps, hash, left.id), /is confirmed/);
  assert.equal(await balanceOf(left.destination), 20_000_000n);
});
