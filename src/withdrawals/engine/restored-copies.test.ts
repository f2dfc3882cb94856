/** Restores that go wrong in combination: nothing is paid twice, and what may be paid twice reaches a person. */

import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { Account, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import { ACTOR, on } from '../../../test/support/acting.ts';
import {
  closingLedgers,
  type InProcessService,
  startInProcess,
} from '../../../test/support/in-process-service.ts';
import { signWith } from '../../../test/support/sign.ts';
import { LEASE, withdrawalSteps } from '../../../test/support/withdrawal-steps.ts';
import { createUser } from '../../auth/login/login.ts';
import { createAddress } from '../../deposits/addresses/create-address.ts';
import { assignDeposit } from '../../deposits/inbox/assign-deposit.ts';
import { insertDeposits } from '../../deposits/recorded/deposit-store.ts';
import { listUnassigned } from '../../ledgers/unmatched-store.ts';
import { newId } from '../../lib/ids.ts';
import { accountOf, parseAddress, publicKeyOf } from '../../stellar/address.ts';
import { buildFeeBump, buildPayment } from '../../stellar/transactions/build-payment.ts';
import { networkId } from '../../stellar/transactions/envelope.ts';
import type { Wallet } from '../../wallets/access.ts';
import { parseRequests } from '../operator/client-requests.ts';
import { reviewAsData, reviewRequests } from '../operator/resolve-unmatched.ts';
import {
  acceptUnmatched,
  assignUnmatchedToKey,
  failWithdrawal,
  releaseUnmatched,
} from '../operator/unmatched.ts';
import { refundDeposit } from '../request/refund.ts';
import { createClaims } from './claims.ts';
import type { EngineDeps } from './hooks.ts';
import { keyFingerprint } from './key-fingerprint.ts';
import { findPayerKey } from './queries.ts';
import { signBatch } from './sign-batch.ts';
import { insertClaims, type Withdrawal } from './store.ts';
import { assignTxSources, insertChannelSources } from './tx-source-store.ts';

const AMOUNT = 20_000_000n;

let world: InProcessService;
const { read, waitForOutcomes, balanceOf, processLedgers, closeInSteps, reachSecond } = withdrawalSteps(
  () => world,
);
before(async () => {
  world = await startInProcess({ WITHDRAW_VALID_SECONDS: '600', CHANNELS_MAX: '0' });
  await processLedgers();
});
after(() => world.close());

type Terms = Partial<
  Pick<Withdrawal, 'destination' | 'amount_stroops' | 'operation' | 'asset_code' | 'asset_issuer'>
>;

function orderOf(wallet: Wallet, idempotency_key: string, terms: Terms = {}) {
  const created_at = new Date();
  return {
    id: newId('wd', created_at),
    wallet_id: wallet.id,
    owner_id: wallet.owner_id,
    idempotency_key,
    operation: 'create_account' as const,
    asset_code: 'native',
    asset_issuer: null,
    destination: Keypair.random().publicKey(),
    amount_stroops: AMOUNT,
    memo_id: null,
    memo_return: null,
    refund_of: null,
    ...terms,
    created_at,
  };
}

async function claim(wallet: Wallet, key: string, terms: Terms = {}): Promise<Withdrawal> {
  const order = { ...orderOf(wallet, key, terms), wallet_account: wallet.account, actor: ACTOR };
  const { holder } = await createClaims(world.deps).claim(order);
  assert(holder);
  return holder;
}

/** Pays the withdrawal. `copied`: the withdrawal cursor of the backup from before. */
async function pay(wallet: Wallet, key: string) {
  const claimed = await claim(wallet, key);
  await processLedgers();
  const copied = await world.deps.db.selectFrom('withdrawal_cursor').selectAll().executeTakeFirstOrThrow();
  await waitForOutcomes([claimed.id]);
  return { paid: await read(claimed.id), restoreCursor: () => restoreCursor(copied) };
}

async function restoreCursor({
  ledger,
  ledger_hash,
  close_time,
}: {
  ledger: number;
  ledger_hash: string | null;
  close_time: bigint;
}) {
  await world.deps.db.updateTable('withdrawal_cursor').set({ ledger, ledger_hash, close_time }).execute();
}

/** The backup has neither the withdrawal nor the wallet's last sequence number. */
async function payAndForget(wallet: Wallet, key: string): Promise<Withdrawal> {
  const { db } = world.deps;
  const { paid, restoreCursor: restore } = await pay(wallet, key);
  await db.deleteFrom('withdrawals').where('id', '=', paid.id).execute();
  await db
    .updateTable('tx_sources')
    .set({ last_sequence: null })
    .where('account', '=', wallet.account)
    .execute();
  await restore();
  return paid;
}

const UNSIGNED = {
  tx_source: null,
  sequence: null,
  envelope_xdr: null,
  inner_tx_hash: null,
  stellar_tx_hash: null,
  fee_bump_hashes: [],
  fee_bid_stroops: null,
  max_time: null,
  signed_ledger: null,
  signed_at: null,
  committed_at: null,
  settled_at: null,
  ledger: null,
};

/** Signs and commits once more what is paid: by a copy that nobody recognized. */
async function signAgain({ id }: Withdrawal): Promise<Withdrawal> {
  const { db } = world.deps;
  const again = { ...UNSIGNED, status: 'queued' as const, operation: 'payment' as const };
  await db.updateTable('withdrawals').set(again).where('id', '=', id).execute();
  await processLedgers();
  await assignTxSources(db, LEASE);
  const [signed] = (await signBatch(world.deps, [id], LEASE.until)).signed;
  assert(signed);
  return signed;
}

async function apply({ envelope_xdr }: Withdrawal): Promise<void> {
  await world.deps.stellar.submit(envelope_xdr ?? '');
  world.sandbox.closeLedger();
}

const isListed = async ({ id }: Wallet) =>
  (await listUnassigned(world.deps.db)).some(
    ({ wallet_id, resolved_at, key_fingerprint }) =>
      wallet_id === id && !resolved_at && key_fingerprint === null,
  );
const assignsSource = async ({ id }: { id: string }) =>
  (await assignTxSources(world.deps.db, LEASE)).includes(id);

test('a key that the client repeats at another wallet of its owner is not paid there', async () => {
  const [one, two] = [await world.wallet(), await world.wallet()];
  const paid = await payAndForget(one, 'at two wallets');
  const again = await claim(two, 'at two wallets', { destination: paid.destination }); // before the ledger is read
  await processLedgers();
  assert.equal(await assignsSource(again), false);
  assert.match(await failWithdrawal(world.deps, again.id), /^Failed/);
  assert.equal((await read(again.id)).failure_code, 'key_taken');
});

test('a wallet whose first withdrawal is forgotten pays other keys', async () => {
  const wallet = await world.wallet();
  const paid = await payAndForget(wallet, 'the first');
  await world.deps.db.deleteFrom('tx_sources').where('account', '=', wallet.account).execute();
  await processLedgers();
  const again = await claim(wallet, 'the first', { destination: paid.destination });
  const next = await claim(wallet, 'the second');
  await waitForOutcomes([again.id, next.id]);
  assert.equal((await read(again.id)).stellar_tx_hash, paid.stellar_tx_hash);
  assert.equal((await read(next.id)).status, 'confirmed');
});

test('an envelope that was never sent is not sent when its key is paid', async () => {
  const wallet = await world.wallet();
  const { paid, restoreCursor: restore } = await pay(wallet, 'never sent');
  const signed = await signAgain(paid);
  await restore();
  await processLedgers();
  await waitForOutcomes([paid.id], world.deps, 5); // another process adopts it, until it has expired
  assert.equal(await balanceOf(paid.destination), AMOUNT);
  const row = await read(paid.id);
  assert.deepEqual([row.status, row.stellar_tx_hash], ['confirmed', paid.stellar_tx_hash]);
  assert.notEqual(signed.inner_tx_hash, paid.inner_tx_hash);
});

test('a second payment blocks its wallet, whichever of the two is read first', async () => {
  const wallet = await world.wallet();
  const { paid, restoreCursor: restore } = await pay(wallet, 'read first');
  await apply(await signAgain(paid));
  await restore();
  await processLedgers();
  assert.equal((await read(paid.id)).status, 'confirmed');
  assert(await isListed(wallet), 'a person sees it');
});

test('of two forgotten payments of a key one is the outcome, and the other blocks the wallet', async () => {
  const { db } = world.deps;
  const wallet = await world.wallet();
  const { paid, restoreCursor: restore } = await pay(wallet, 'two payments');
  await apply(await signAgain(paid));
  await processLedgers();
  await db
    .updateTable('tx_sources')
    .set({ withdrawal_id: null })
    .where('withdrawal_id', '=', paid.id)
    .execute();
  await db.deleteFrom('unmatched_transactions').where('wallet_id', '=', wallet.id).execute();
  await db.deleteFrom('withdrawals').where('id', '=', paid.id).execute();
  await restore();
  await processLedgers();
  const again = await claim(wallet, 'two payments', { destination: paid.destination });
  world.sandbox.closeLedger();
  await processLedgers();
  assert.equal((await read(again.id)).status, 'confirmed');
  assert(await isListed(wallet), 'a person sees it');
});

test('the second payment of a key is not given to another key', async () => {
  const wallet = await world.wallet();
  const { paid, restoreCursor: restore } = await pay(wallet, 'named in it');
  const other = { inner_tx_hash: 'ab'.repeat(32), stellar_tx_hash: 'ab'.repeat(32) };
  await world.deps.db.updateTable('withdrawals').set(other).where('id', '=', paid.id).execute();
  await restore();
  await processLedgers();
  const request = `{"idempotency_key": "other", "wallet_id": "${wallet.id}", "amount_stroops": ${AMOUNT}, "destination": "${paid.destination}"}`;
  assert.deepEqual(reviewAsData(await reviewRequests(world.deps, parseRequests(request))).assignments, []);
  await assert.rejects(
    assignUnmatchedToKey(world.deps, paid.stellar_tx_hash ?? '', 'other'),
    /pays another Idempotency-Key/,
  );
});

test('a payment on a channel that the backup lacks is found, though a stranger has fee-bumped it', async () => {
  const { db, stellar, config, vault } = world.deps;
  const wallet = await world.wallet();
  const [channel, stranger] = [Keypair.random(), Keypair.random()];
  for (const key of [channel, stranger]) await closingLedgers(world.sandbox, stellar.fund(key.publicKey()));
  await processLedgers();
  const key = await findPayerKey(db, wallet.id, wallet.account);
  assert(key);
  const { account, sealed_seed } = key;
  const signer = { id: wallet.id, public_key: publicKeyOf(account) };
  const destination = parseAddress(Keypair.random().publicKey());
  assert(destination);
  const { latest, sequences } = await stellar.readSequences([channel.publicKey()]);
  const network_id = networkId(config.passphrase);
  const payment = buildPayment(network_id, {
    tx_source_public_key: Buffer.from(channel.rawPublicKey()),
    wallet_public_key: signer.public_key,
    sequence: (sequences.get(channel.publicKey()) ?? 0n) + 1n,
    fee_stroops: 0n,
    min_time: BigInt(keyFingerprint(wallet.id, 'bumped')),
    max_time: latest.close_time + 600n,
    operation: 'create_account',
    asset: null,
    destination,
    amount_stroops: AMOUNT,
    memo_id: null,
    memo_return: null,
  });
  const inner = payment.envelopeWith([
    { public_key: Buffer.from(channel.rawPublicKey()), signature: Buffer.from(channel.sign(payment.hash)) },
    { public_key: signer.public_key, signature: await signWith(vault, sealed_seed, signer, payment.hash) },
  ]);
  const source_public_key = Buffer.from(stranger.rawPublicKey());
  const bump = buildFeeBump(network_id, inner, { source_public_key, fee_stroops: 1000n });
  await stellar.submit(bump.envelopeWith(Buffer.from(stranger.sign(bump.hash))));
  world.sandbox.closeLedger();
  await processLedgers();
  const again = await claim(wallet, 'bumped', { destination: destination.account });
  await waitForOutcomes([again.id]);
  assert.equal((await read(again.id)).stellar_tx_hash, bump.hash.toString('hex'));
  assert.equal(await balanceOf(destination.account), AMOUNT);
});

test('a claim of a wallet that the backup lacks is refused, and fails no other claim', async () => {
  const { claim: claimTogether } = createClaims(world.deps);
  const wallet = await world.wallet();
  const lost = { ...wallet, id: newId('wal', new Date()), account: Keypair.random().publicKey() };
  const orders = [orderOf(wallet, 'known 1'), orderOf(lost, 'lost'), orderOf(wallet, 'known 2')];
  const answers = await Promise.all(
    orders.map((order) =>
      claimTogether({
        ...order,
        wallet_account: order.wallet_id === lost.id ? lost.account : wallet.account,
        actor: ACTOR,
      }),
    ),
  );
  assert.deepEqual(
    answers.map(({ holder, violation }) => violation?.code ?? holder?.idempotency_key),
    ['known 1', 'not_found', 'known 2'],
  );
});

/** Once: `then` runs between that statement and the next one. */
function afterStatement(statement: RegExp, then: () => Promise<void>): EngineDeps {
  const deps = world.another();
  let done = false;
  const db = deps.db.withoutPlugins();
  const executor = db.getExecutor();
  const execute = executor.executeQuery.bind(executor);
  executor.executeQuery = async (query: Parameters<typeof execute>[0], ...rest: never[]) => {
    const result = await execute(query, ...rest);
    if (!done && statement.test(query.sql)) {
      done = true;
      await then();
    }
    return result as never;
  };
  return { ...deps, db };
}

test('a channel that becomes active while its ledgers are processed has their sequence number', async () => {
  const { db, stellar, config, vault } = world.deps;
  const [id, key] = [newId('wal', new Date()), Keypair.random()];
  const account = key.publicKey();
  await closingLedgers(world.sandbox, stellar.fund(account));
  const { sealed_seed } = await vault.generate(id); // nobody signs with it
  await db.insertInto('treasury').values({ id, account, sealed_seed }).execute();
  await db
    .insertInto('channels')
    .values({ id, account, sealed_seed, sponsor: account, status: 'creating' })
    .execute();
  await processLedgers();
  const { sequences } = await stellar.readSequences([account]);
  const source = new Account(account, `${sequences.get(account)}`);
  const transaction = new TransactionBuilder(source, { fee: '1000', networkPassphrase: config.passphrase })
    .addOperation(Operation.bumpSequence({ bumpTo: '0' }))
    .setTimeout(0) // none: ledger time may be far ahead of ours here
    .build();
  transaction.sign(key);
  await stellar.submit(transaction.toXDR());
  world.sandbox.closeLedger();
  await processLedgers(
    afterStatement(/from "(channels|tx_sources)"/, () =>
      db.transaction().execute((trx) => insertChannelSources(trx, [account])),
    ),
  );
  const active = await db
    .selectFrom('tx_sources')
    .select('last_sequence')
    .where('account', '=', account)
    .execute();
  assert.deepEqual(active, [
    { last_sequence: (await stellar.readSequences([account])).sequences.get(account) },
  ]);
  await db.deleteFrom('tx_sources').where('account', '=', account).execute();
  await db.deleteFrom('channels').execute();
  await db.deleteFrom('treasury').execute();
});

let serial = 0;
const deaf = {
  waitFor: async () => false,
  start() {},
  signSoon() {},
  checkOutcomes() {},
  stop: async () => {},
};
const refund = (wallet: Wallet, id: string) =>
  refundDeposit(world.deps, { claims: createClaims(world.deps), engine: deaf }, on(wallet), id).then(
    () => assert.fail('an outcome without an engine'),
    (error) => error,
  );

/** A refund that the backup lacks, as well as its deposit. `depositAgain`: its ledger is read again. */
async function forgottenRefund() {
  const { db, stellar } = world.deps;
  const wallet = await world.wallet();
  const source_account = Keypair.random().publicKey();
  await closingLedgers(world.sandbox, stellar.fund(source_account));
  const stellar_tx_hash = `${++serial}`.padStart(64, '0');
  const depositAgain = async () => {
    const row = {
      id: newId('dep', new Date()),
      wallet_id: wallet.id,
      asset_code: 'native',
      amount_stroops: AMOUNT,
      source_account,
      stellar_tx_hash,
      operation_index: 0,
      event_index: 0,
      kind: 'payment' as const,
      memo_type: 'none' as const,
      ledger: 1,
      attributed: false,
      below_minimum: false,
      created_at: new Date(),
    };
    const [deposit] = await db.transaction().execute((trx) => insertDeposits(trx, [row]));
    assert(deposit);
    return deposit;
  };
  const deposit = await depositAgain();
  const { id } = (await refund(wallet, deposit.id)).data as { id: string };
  await processLedgers();
  const copied = await db.selectFrom('withdrawal_cursor').selectAll().executeTakeFirstOrThrow();
  await waitForOutcomes([id]);
  const hash = (await read(id)).stellar_tx_hash ?? '';
  await db.deleteFrom('withdrawals').where('id', '=', id).execute();
  await db.deleteFrom('deposits').where('id', '=', deposit.id).execute();
  await db
    .updateTable('tx_sources')
    .set({ last_sequence: null })
    .where('account', '=', wallet.account)
    .execute();
  await restoreCursor(copied);
  await processLedgers();
  return { wallet, hash, depositAgain };
}

test('a forgotten refund cannot be accepted before its deposit is read again', async () => {
  const { wallet, hash, depositAgain } = await forgottenRefund();
  await assert.rejects(
    acceptUnmatched(world.deps, hash),
    /looks like the refund of a deposit by transaction/,
  );
  const deposit = await depositAgain();
  const address = await createAddress(world.deps, on(wallet), { label: null, metadata: null });
  const order = { deposit_id: deposit.id, address_id: address.id };
  await assert.rejects(assignDeposit(world.deps, on(wallet), order), { code: 'ledger_not_caught_up' });
  await acceptUnmatched(world.deps, hash, { allow_duplicate: true });
  assert.equal(
    (await assignDeposit(world.deps, on(wallet), order)).attributed,
    true,
    'a person said that it is no forgotten payment',
  );
});

test('a forgotten refund cannot be released', async () => {
  const { hash, depositAgain } = await forgottenRefund();
  await assert.rejects(releaseUnmatched(world.deps, [hash]), /blocks its wallet/);
  await depositAgain();
  await assert.rejects(acceptUnmatched(world.deps, hash), /would be paid again/);
  await assert.rejects(releaseUnmatched(world.deps, [hash]), /blocks its wallet/);
});

test('a withdrawal whose key has paid something else waits until a person ends or releases it', async () => {
  const [one, two] = [await world.wallet(), await world.wallet()];
  for (const [wallet, key] of [
    [one, 'ended'],
    [two, 'released'],
  ] as const) {
    const paid = await payAndForget(wallet, key);
    const hash = paid.stellar_tx_hash ?? '';
    const differs = await claim(wallet, key, { amount_stroops: 30_000_000n });
    await processLedgers();
    await acceptUnmatched(world.deps, hash); // the key stays protected
    world.sandbox.closeLedger();
    await processLedgers();
    assert.equal(await assignsSource(differs), false);
    if (wallet === one) {
      await failWithdrawal(world.deps, differs.id);
      assert.deepEqual(
        [(await read(differs.id)).status, await balanceOf(differs.destination)],
        ['failed', 0n],
      );
      await assert.rejects(failWithdrawal(world.deps, differs.id), /Nothing was changed/);
    } else {
      await releaseUnmatched(world.deps, [hash]);
      await waitForOutcomes([differs.id]);
      assert.equal((await read(differs.id)).status, 'confirmed');
    }
    const other = await claim(wallet, `${key} beside`);
    await waitForOutcomes([other.id]);
    assert.equal((await read(other.id)).status, 'confirmed', 'the wallet pays other keys');
  }
});

test('accepting between a claim with other terms and the next ledger pays nothing', async () => {
  const { db, clock } = world.deps;
  const wallet = await world.wallet();
  const paid = await payAndForget(wallet, 'in between');
  const order = orderOf(wallet, 'in between', {
    destination: paid.destination,
    amount_stroops: 5n,
    operation: 'payment',
    asset_code: 'native',
    asset_issuer: null,
  });
  await db.transaction().execute(async (trx) => {
    await insertClaims(trx, [order], clock.now()); // the claim has seen no duplicate: the ledger is not read
    await processLedgers(); // by another process, before this transaction ends
  });
  await acceptUnmatched(world.deps, paid.stellar_tx_hash ?? '');
  world.sandbox.closeLedger();
  await processLedgers();
  assert.equal(await assignsSource(order), false);
  assert.equal(await balanceOf(paid.destination), AMOUNT);
});

test('a client’s list gives a key back, though another owner has used the same key', async () => {
  const { db } = world.deps;
  const user = await createUser(
    world.deps,
    {
      email: 'other@example.com',
      password: 'correct horse',
      name: 'Other',
    },
    ACTOR,
  );
  const [one, two] = [await world.wallet(), await world.wallet()];
  const owner_id = user?.id ?? '';
  await db.updateTable('wallets').set({ owner_id }).where('id', '=', two.id).execute();
  const other = { ...two, owner_id };
  await waitForOutcomes([(await claim(other, 'order-1')).id]);
  const { destination } = await payAndForget(one, 'order-1');
  await processLedgers();
  await payAndForget(other, 'order-2');
  await processLedgers();
  const request = `{"idempotency_key": "order-1", "wallet_id": "${one.id}", "amount_stroops": ${AMOUNT}, "destination": "${destination}"}`;
  const { assignments } = reviewAsData(await reviewRequests(world.deps, parseRequests(request)));
  assert.equal(assignments.length, 1);
});

/**
 * A withdrawal is signed on a channel account and in flight. Then a standby without that commit takes over, and
 * `restarted` is what works on it. Whatever is signed again, the key is paid once. `late`: the envelope is applied in the
 * second of three ledgers of its last second.
 */
async function failOverInFlight(
  key: string,
  restarted: () => Promise<EngineDeps>,
  { late } = { late: false },
): Promise<void> {
  const { db, vault, stellar } = world.deps;
  const wallet = await world.wallet();
  const id = newId('wal', new Date());
  const { public_key, sealed_seed } = await vault.generate(id);
  const account = accountOf(public_key);
  const destination = Keypair.random().publicKey();
  for (const funded of [account, destination]) await closingLedgers(world.sandbox, stellar.fund(funded));
  const before_stroops = await balanceOf(destination);
  await db.insertInto('treasury').values({ id, account, sealed_seed }).execute();
  await db
    .insertInto('channels')
    .values({ id, account, sealed_seed, sponsor: account, status: 'active' })
    .execute();
  await db.transaction().execute((trx) => insertChannelSources(trx, [account]));
  await processLedgers();
  const first = await claim(wallet, `${key} before`); // it gets the wallet's own account
  const { id: withdrawal_id } = await claim(wallet, key, { destination, operation: 'payment' });
  await assignTxSources(db, LEASE);
  const [in_flight] = (await signBatch(world.deps, [withdrawal_id], LEASE.until)).signed;
  assert.equal(in_flight?.tx_source, account);

  await db
    .updateTable('tx_sources')
    .set({ withdrawal_id: null })
    .where('withdrawal_id', 'in', [first.id, withdrawal_id])
    .execute();
  await db.deleteFrom('withdrawals').where('id', '=', first.id).execute();
  await db
    .updateTable('withdrawals')
    .set({ ...UNSIGNED, status: 'queued' })
    .where('id', '=', withdrawal_id)
    .execute();
  await db.updateTable('withdrawal_cursor').set({ database_timeline: 'of the lost server' }).execute();
  const deps = await restarted();
  const { sign_after } = await processLedgers(deps);
  assert(sign_after >= (in_flight.max_time ?? 0n), 'the hold lasts until it has expired');
  if (late) {
    assert.equal(sign_after, in_flight.max_time);
    const sharing = await reachSecond(sign_after);
    assert.deepEqual(await assignTxSources(db, LEASE), []);
    await stellar.submit(in_flight.envelope_xdr ?? '');
    world.sandbox.closeLedger();
    await processLedgers(sharing);
    assert.equal((await read(withdrawal_id)).stellar_tx_hash, in_flight.stellar_tx_hash);
  } else {
    await closeInSteps(sign_after);
    await assignTxSources(db, LEASE);
    const [again] = (await signBatch(deps, [withdrawal_id], LEASE.until)).signed;
    assert.equal(again?.tx_source, wallet.account);
    await stellar.submit(again.envelope_xdr ?? '');
    await stellar.submit(in_flight.envelope_xdr ?? '');
    world.sandbox.closeLedger();
    await processLedgers();
  }
  assert.equal((await balanceOf(destination)) - before_stroops, AMOUNT);
  await db.deleteFrom('tx_sources').where('account', '=', account).execute();
  await db.deleteFrom('channels').execute();
  await db.deleteFrom('treasury').execute();
}

test('after a failover the hold is as long as envelopes were ever valid, though a restart has shortened that', () =>
  failOverInFlight('shortened', async () => ({
    ...world.deps,
    config: { ...world.deps.config, withdraw_valid_seconds: 90 },
  })));

/** A source of the network that is so far behind the others. */
async function lagging(seconds: bigint): Promise<EngineDeps> {
  const latest = await world.deps.stellar.latestLedger();
  const close_time = latest.close_time - seconds;
  const latestLedger = async () => ({
    ...latest,
    close_time,
    sequence: latest.sequence - Number(seconds) / 5,
  });
  return { ...world.deps, stellar: { ...world.deps.stellar, latestLedger } };
}

test('after a failover the hold allows for a source that lags', () =>
  failOverInFlight('lagging', () => lagging(20n)));

test('after a failover the hold outlasts the last second of what is in flight', () =>
  failOverInFlight('late', () => lagging(20n), { late: true }));

test('after a failover the hold is longer when the clock shows that the source lags more', () =>
  failOverInFlight('lagging more', async () => {
    const { close_time } = await world.deps.stellar.latestLedger();
    const clock = { ...world.deps.clock, now: () => new Date(Number(close_time) * 1000) };
    return { ...(await lagging(50n)), clock };
  }));
