/** A key that was paid is never paid again, though the database has forgotten its withdrawal. */

import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { Keypair, xdr } from '@stellar/stellar-sdk';
import { sql } from 'kysely';
import { ACTOR } from '../../../test/support/acting.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { LOCK_WAITS } from '../../../test/support/lock-waits.ts';
import { LEASE, withdrawalSteps } from '../../../test/support/withdrawal-steps.ts';
import { listUnassigned } from '../../ledgers/unmatched-store.ts';
import { newId } from '../../lib/ids.ts';
import type { Wallet } from '../../wallets/access.ts';
import { parseRequests } from '../operator/client-requests.ts';
import { applyReview, reviewAsData, reviewRequests } from '../operator/resolve-unmatched.ts';
import {
  acceptUnmatched,
  assignUnmatched,
  assignUnmatchedToKey,
  releaseUnmatched,
} from '../operator/unmatched.ts';
import { type Claimed, createClaims } from './claims.ts';
import { checkDuplicates } from './forgotten-payments.ts';
import { keyFingerprint } from './key-fingerprint.ts';
import { insertClaims, type Withdrawal } from './store.ts';
import { assignTxSources } from './tx-source-store.ts';

const AMOUNT = 20_000_000n;

let world: InProcessService;
const { namingNoKeys, read, waitForOutcomes, balanceOf, processLedgers, signOnly } = withdrawalSteps(
  () => world,
);

before(async () => {
  world = await startInProcess({ WITHDRAW_VALID_SECONDS: '600', CHANNELS_MAX: '0' });
  await processLedgers();
});
after(() => world.close());

type Terms = { destination?: string; amount_stroops?: bigint; memo_id?: bigint | null };

async function request(wallet: Wallet, idempotency_key: string, terms: Terms = {}): Promise<Claimed> {
  const created_at = new Date();
  return createClaims(world.deps).claim({
    id: newId('wd', created_at),
    wallet_id: wallet.id,
    owner_id: wallet.owner_id,
    idempotency_key,
    operation: 'create_account',
    asset_code: 'native',
    asset_issuer: null,
    destination: Keypair.random().publicKey(),
    amount_stroops: AMOUNT,
    memo_id: null,
    memo_return: null,
    refund_of: null,
    ...terms,
    wallet_account: wallet.account,
    created_at,
    actor: ACTOR,
  });
}

async function claim(wallet: Wallet, key: string, terms: Terms = {}): Promise<Withdrawal> {
  const { holder } = await request(wallet, key, terms);
  assert(holder);
  return holder;
}

/** Pays the withdrawal, and restores the database as it was before: without the row, unless `keeps_row` says how it is there. */
async function payAndForget(
  wallet: Wallet,
  key: string,
  {
    keeps_row,
    deps = world.deps,
    ...terms
  }: Terms & { keeps_row?: 'unsigned' | 'with another transaction'; deps?: typeof world.deps } = {},
): Promise<Withdrawal> {
  const { db } = world.deps;
  const claimed = await claim(wallet, key, terms);
  await processLedgers();
  const copied = await db.selectFrom('withdrawal_cursor').selectAll().executeTakeFirstOrThrow();
  await waitForOutcomes([claimed.id]);
  const paid = await read(claimed.id);
  assert.equal(paid.status, 'confirmed');
  const unsigned = { tx_source: null, sequence: null, envelope_xdr: null, inner_tx_hash: null };
  if (keeps_row === 'with another transaction')
    await db
      .updateTable('withdrawals')
      .set({ inner_tx_hash: 'ab'.repeat(32), stellar_tx_hash: 'ab'.repeat(32) })
      .where('id', '=', paid.id)
      .execute();
  else if (keeps_row === 'unsigned')
    await db
      .updateTable('withdrawals')
      .set({ ...unsigned, status: 'queued', settled_at: null })
      .where('id', '=', paid.id)
      .execute();
  else await db.deleteFrom('withdrawals').where('id', '=', paid.id).execute();
  await db
    .updateTable('tx_sources')
    .set({ last_sequence: null })
    .where('account', '=', wallet.account)
    .execute();
  await db.updateTable('withdrawal_cursor').set(copied).execute();
  await processLedgers(deps);
  return paid;
}

function failed(result_xdr: string): string {
  const result = xdr.TransactionResult.fromXdr(result_xdr, 'base64');
  Object.assign(result, { result: xdr.TransactionResultResult.txBadSeq() });
  return result.toXdr('base64');
}

const outcomeOf = ({ status, stellar_tx_hash, ledger, fee_stroops }: Withdrawal) => ({
  status,
  stellar_tx_hash,
  ledger,
  fee_stroops,
});

async function refusal(wallet: Wallet, key: string, terms: Terms): Promise<string> {
  const { holder, violation } = await request(wallet, key, terms);
  assert.equal(holder, null);
  assert.equal(violation.code, 'possible_duplicate');
  return violation.message;
}

test('the fingerprint of a key is the same in the database and in a transaction', async () => {
  for (const [wallet, key] of [
    ['wal_1', 'order-1'],
    ['wal_1', ' '],
    ['wal_2', '~'.repeat(255)],
    ['wal_2', 'refund·dep_1·1'],
  ] as const) {
    const { rows } = await sql<{ fingerprint: number }>`
      select key_fingerprint(${wallet}, ${key}) as fingerprint`.execute(world.deps.db);
    assert.equal(rows[0]?.fingerprint, keyFingerprint(wallet, key), `${wallet} ${key}`);
  }
});

test('an open withdrawal that an older copy shows as unpaid gets its outcome from the ledger, and no other waits', async () => {
  const wallet = await world.wallet();
  const paid = await payAndForget(wallet, 'kept', { keeps_row: 'unsigned' });
  assert.deepEqual(outcomeOf(await read(paid.id)), outcomeOf(paid));
  const other = await claim(wallet, 'other');
  assert.deepEqual(await assignTxSources(world.deps.db, LEASE), [other.id]);
  await waitForOutcomes([other.id]);
  assert.equal(await balanceOf(paid.destination), AMOUNT, 'paid once');
});

test('a key that the database does not know is not paid again: its next request gets the outcome of the ledger', async () => {
  const wallet = await world.wallet();
  const paid = await payAndForget(wallet, 'gone');
  const again = await claim(wallet, 'gone', { destination: paid.destination });
  assert.deepEqual(await assignTxSources(world.deps.db, LEASE), [], 'not signed, whatever comes first');
  await waitForOutcomes([again.id]);
  assert.deepEqual(outcomeOf(await read(again.id)), outcomeOf(paid));
  assert.equal(await balanceOf(paid.destination), AMOUNT, 'paid once');
  const next = await claim(wallet, 'the next one', { destination: paid.destination, memo_id: 7n });
  assert.equal(next.status, 'queued', 'an equal payment with another key is another payment');
});

test('the same after an operator has accepted the transaction', async () => {
  const wallet = await world.wallet();
  const paid = await payAndForget(wallet, 'accepted');
  await acceptUnmatched(world.deps, paid.stellar_tx_hash ?? '');
  const again = await claim(wallet, 'accepted', { destination: paid.destination });
  await waitForOutcomes([again.id]);
  assert.deepEqual(outcomeOf(await read(again.id)), outcomeOf(paid));
});

test('the same in a wallet that has come back under another owner', async () => {
  const wallet = await world.wallet();
  const paid = await payAndForget(wallet, 'of the old owner');
  const { owner_id } = await world.wallet();
  await world.deps.db.updateTable('wallets').set({ owner_id }).where('id', '=', wallet.id).execute();
  const again = await claim({ ...wallet, owner_id }, 'of the old owner', { destination: paid.destination });
  await waitForOutcomes([again.id]);
  assert.deepEqual(outcomeOf(await read(again.id)), outcomeOf(paid));
  assert.equal(await balanceOf(paid.destination), AMOUNT, 'paid once');
});

test('a second payment of a key that has an outcome blocks the wallet', async () => {
  const wallet = await world.wallet();
  const paid = await payAndForget(wallet, 'paid twice', { keeps_row: 'with another transaction' });
  const unmatched = (await listUnassigned(world.deps.db)).find(({ hash }) => hash === paid.stellar_tx_hash);
  assert.equal(unmatched?.key_fingerprint, null);
  await claim(wallet, 'after that');
  assert.deepEqual(await assignTxSources(world.deps.db, LEASE), []);
  await acceptUnmatched(world.deps, paid.stellar_tx_hash ?? '');
});

test('a key that has paid something else is refused, from another wallet of the owner too, and stays free', async () => {
  const wallet = await world.wallet();
  const paid = await payAndForget(wallet, 'one key');
  const other = { ...(await world.wallet()), owner_id: wallet.owner_id };
  const message = await refusal(wallet, 'one key', { destination: paid.destination, amount_stroops: 5n });
  assert.match(message, new RegExp(paid.stellar_tx_hash ?? ''));
  await refusal(other, 'one key', { destination: paid.destination });
  await releaseUnmatched(world.deps, [paid.stellar_tx_hash ?? '']);
  await claim(wallet, 'one key', { destination: paid.destination, amount_stroops: 5n });
});

test('a withdrawal that was queued with the key of another payment waits for a person', async () => {
  const wallet = await world.wallet();
  const paid = await payAndForget(wallet, 'reused', { keeps_row: 'unsigned' });
  const { db } = world.deps;
  const changed = { amount_stroops: 5n, status: 'queued' as const, settled_at: null, ledger: null };
  await db.updateTable('withdrawals').set(changed).where('id', '=', paid.id).execute();
  await db
    .updateTable('unmatched_transactions')
    .set({ withdrawal_id: null, resolved_at: null })
    .where('hash', '=', paid.stellar_tx_hash)
    .execute();
  world.sandbox.closeLedger();
  await processLedgers();
  assert.equal((await read(paid.id)).status, 'queued');
  assert.deepEqual(await assignTxSources(db, LEASE), []);
  const other = await claim(wallet, 'beside it');
  assert.deepEqual(await assignTxSources(db, LEASE), [other.id], 'the wallet pays other keys');
  await waitForOutcomes([other.id]);
  await db.deleteFrom('withdrawals').where('id', '=', paid.id).execute();
});

test('a withdrawal that equals an accepted payment that names no key is refused until that is released', async () => {
  const wallet = await world.wallet();
  const { destination } = await payAndForget(wallet, 'made elsewhere', { deps: namingNoKeys() });
  const hash = (await listUnassigned(world.deps.db)).at(-1)?.hash ?? '';
  await acceptUnmatched(world.deps, hash);
  assert.match(await refusal(wallet, 'made elsewhere', { destination }), new RegExp(hash));
  await refusal(wallet, 'any key', { destination });
  const different = await claim(wallet, 'different', { destination, memo_id: 7n });
  assert.equal(different.status, 'queued');
  await releaseUnmatched(world.deps, [hash]);
  const released = await claim(wallet, 'any key', { destination });
  assert.equal(released.status, 'queued');
  await waitForOutcomes([different.id, released.id]); // else a later test finds them in its own ledgers
});

test('an operator gives a forgotten payment its key back, and the key answers as before', async () => {
  const wallet = await world.wallet();
  const paid = await payAndForget(wallet, 'lost', { deps: namingNoKeys() });
  const { hash } = (await listUnassigned(world.deps.db)).at(-1) ?? { hash: '' };
  await assignUnmatchedToKey(world.deps, hash, 'lost');
  const again = await claim(wallet, 'lost', { destination: paid.destination });
  assert.deepEqual(outcomeOf(again), { ...outcomeOf(paid), stellar_tx_hash: hash });
  await assert.rejects(assignUnmatchedToKey(world.deps, hash, 'lost'), /no unresolved/);
});

test('an operator cannot give a payment to a key that it does not pay', async () => {
  const wallet = await world.wallet();
  const paid = await payAndForget(wallet, 'order-1');
  const hash = paid.stellar_tx_hash ?? '';
  await assert.rejects(assignUnmatchedToKey(world.deps, hash, 'order-l'), /pays another Idempotency-Key/);
  const other = await claim(wallet, 'order-2', { destination: paid.destination });
  await assert.rejects(assignUnmatched(world.deps, hash, other.id), /pays another Idempotency-Key/);
  await assignUnmatchedToKey(world.deps, hash, 'order-1');
  await waitForOutcomes([other.id]);
});

test('an operator who accepts a transaction waits for a claim of the same payment, and is refused', async () => {
  const wallet = await world.wallet();
  const { db, config, clock } = world.deps;
  const { destination } = await payAndForget(wallet, 'meets', { deps: namingNoKeys() });
  const hash = (await listUnassigned(db)).at(-1)?.hash ?? '';
  const order = {
    id: newId('wd', clock.now()),
    wallet_id: wallet.id,
    owner_id: wallet.owner_id,
    destination,
    idempotency_key: 'meets again',
    operation: 'create_account' as const,
    asset_code: 'native',
    asset_issuer: null,
    amount_stroops: AMOUNT,
    memo_id: null,
    memo_return: null,
    refund_of: null,
    created_at: clock.now(),
  };
  let accepted: Promise<string> | undefined;
  await db.transaction().execute(async (trx) => {
    await insertClaims(trx, [order], clock.now());
    assert.deepEqual(await checkDuplicates(trx, config.passphrase, [order]), [null]);
    accepted = acceptUnmatched(world.deps, hash);
    accepted.catch(() => undefined);
    await eventually('the operator', async () => (await world.deps.pool.query(LOCK_WAITS)).rowCount === 1);
  });
  await assert.rejects(accepted ?? assert.fail(), /An open withdrawal has the same payment/);
  await assignUnmatched(world.deps, hash, order.id);
});

test('a signature is not committed while the ledger may have paid its key', async () => {
  const wallet = await world.wallet();
  const { db } = world.deps;
  const claimed = await claim(wallet, 'about to be signed');
  await processLedgers();
  const key_fingerprint = keyFingerprint(wallet.id, 'about to be signed');
  const unmatched = { hash: claimed.id, wallet_id: wallet.id, ledger: 1, envelope_xdr: '', result_xdr: '' };
  await db
    .insertInto('unmatched_transactions')
    .values({ ...unmatched, key_fingerprint })
    .execute();
  await assert.rejects(signOnly(claimed.id));
  assert.equal((await read(claimed.id)).status, 'queued');
  await db.deleteFrom('unmatched_transactions').where('hash', '=', claimed.id).execute();
  await waitForOutcomes([claimed.id]);
});

test('a client’s list of keys resolves what was forgotten in one review: by key, by payment, and never half of it', async () => {
  const { deps } = world;
  for (const { hash, resolved_at } of await listUnassigned(deps.db))
    if (resolved_at === null) await acceptUnmatched(deps, hash, { allow_duplicate: true });
    else await releaseUnmatched(deps, [hash]).catch(() => null);
  const wallet = await world.wallet();
  const one = await payAndForget(wallet, 'list 1');
  const two = await payAndForget(wallet, 'list 2', { amount_stroops: 30_000_000n });
  const unlisted = await payAndForget(wallet, 'not in the list');
  const old = await payAndForget(wallet, 'list 3', { deps: namingNoKeys() });
  await claim(wallet, 'list 4');
  const requests = parseRequests(
    [
      'list 1',
      `{"idempotency_key": "list 2", "amount_stroops": 30000000, "destination": "${two.destination}"}`,
      `{"idempotency_key": "list 3", "wallet_id": "${wallet.id}", "amount_stroops": 20000000, "destination": "${old.destination}", "reference": "Order 3"}`,
      'list 4',
      'list 5',
      '',
    ].join('\n'),
  );
  const review = await reviewRequests(deps, requests);
  const { assignments, left, unpaid, known } = reviewAsData(review);
  assert.deepEqual(
    assignments.map(({ idempotency_key, by }) => [idempotency_key, by]),
    [
      ['list 1', 'key'],
      ['list 2', 'key'],
      ['list 3', 'payment'],
    ],
  );
  assert.deepEqual(left, [unlisted.stellar_tx_hash]);
  assert.deepEqual([known, unpaid], [['list 4'], ['list 5']]);
  const before = await listUnassigned(deps.db);
  const taken = await claim(wallet, 'list 2', { destination: two.destination, amount_stroops: 30_000_000n });
  await assert.rejects(applyReview(deps, review, { accept_rest: true }), /list 2 has a withdrawal already/);
  assert.deepEqual(await listUnassigned(deps.db), before, 'nothing of it');
  await waitForOutcomes([taken.id]);
  assert.deepEqual(outcomeOf(await read(taken.id)), outcomeOf(two));
  const again = await reviewRequests(deps, requests);
  assert.deepEqual(await applyReview(deps, again, { accept_rest: true }), { assigned: 2, accepted: 1 });
  const restored = await claim(wallet, 'list 1', { destination: one.destination });
  assert.deepEqual(outcomeOf(restored), outcomeOf(one));
  const listed = await claim(wallet, 'list 3', { destination: old.destination });
  assert.deepEqual([restored.reference, listed.reference], [null, 'Order 3']);
  for (const { destination } of [one, old, unlisted]) assert.equal(await balanceOf(destination), AMOUNT);
});

test('equal payments that name no key are left to a person when one of them has failed', async () => {
  const { deps } = world;
  const wallet = await world.wallet();
  const paid = await payAndForget(wallet, 'equal 1', { deps: namingNoKeys() });
  const { destination } = paid;
  const [first] = (await listUnassigned(deps.db)).filter(({ wallet_id }) => wallet_id === wallet.id);
  assert(first);
  const second = { ...first, hash: 'cd'.repeat(32), result_xdr: failed(first.result_xdr) };
  await deps.db.insertInto('unmatched_transactions').values(second).execute();
  const lines = ['equal 1', 'equal 2'].map(
    (key) =>
      `{"idempotency_key": "${key}", "wallet_id": "${wallet.id}", "amount_stroops": ${AMOUNT}, "destination": "${destination}"}`,
  );
  const review = await reviewRequests(deps, parseRequests(lines.join('\n')));
  assert.deepEqual(review.assignments, []);
  assert.equal(review.unpaid.length, 2);
});

test('a request that a fingerprint shows to be paid is not taken for the payment of another transaction', async () => {
  const { deps } = world;
  const wallet = await world.wallet();
  const keyed = await payAndForget(wallet, 'keyed');
  const { hash } = (await listUnassigned(deps.db)).find((each) => each.hash === keyed.stellar_tx_hash) ?? {};
  const [same] = (await listUnassigned(deps.db)).filter((each) => each.hash === hash);
  assert(same);
  const unkeyed = { ...same, hash: 'ce'.repeat(32), key_fingerprint: null };
  await deps.db.insertInto('unmatched_transactions').values(unkeyed).execute();
  const line = `{"idempotency_key": "keyed", "wallet_id": "${wallet.id}", "amount_stroops": ${AMOUNT}, "destination": "${keyed.destination}"}`;
  const review = await reviewRequests(deps, parseRequests(line));
  assert.deepEqual(
    review.assignments.map(({ unmatched, by }) => [unmatched.hash, by]),
    [[hash, 'key']],
  );
  await applyReview(deps, review, { accept_rest: false });
});

test('a line that is no request is named, and nothing is read', () => {
  const wrong = [
    ['ok\nñ', /Line 2: it is no Idempotency-Key/],
    ['{"idempotency_key": "a", "amount": 1}', /Line 1: "amount" is not a known member/],
    ['{"idempotency_key": "a"', /Line 1: the object/],
    ['{"idempotency_key": "a", "destination": "G"}', /"destination" is missing or not an address/],
    ['{"idempotency_key": "a", "reference": "two\\nlines"}', /"reference" is not valid/],
    ['{"wallet_id": "w"}', /"idempotency_key" is missing/],
  ] as const;
  for (const [text, message] of wrong) assert.throws(() => parseRequests(text), message);
});
