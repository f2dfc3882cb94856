/** Transfers to contracts, step by step: paid once at most, and proven by the event of the asset's contract. */

import { strict as assert } from 'node:assert';
import { hash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Asset, Keypair, StrKey, xdr } from '@stellar/stellar-sdk';
import { ACTOR } from '../../../test/support/acting.ts';
import {
  closingLedgers,
  type InProcessService,
  startInProcess,
} from '../../../test/support/in-process-service.ts';
import { LEASE, withdrawalSteps } from '../../../test/support/withdrawal-steps.ts';
import { listUnassigned } from '../../ledgers/unmatched-store.ts';
import { newId } from '../../lib/ids.ts';
import { NATIVE } from '../../stellar/asset.ts';
import { contractAddress } from '../../stellar/contract-address.ts';
import type { LedgerTransaction } from '../../stellar/stellar.ts';
import { transferPreimage } from '../../stellar/transactions/asset-contract.ts';
import { inFlightStroops, type Wallet } from '../../wallets/access.ts';
import { parseRequests } from '../operator/client-requests.ts';
import { applyReview, reviewRequests } from '../operator/resolve-unmatched.ts';
import { assignUnmatched, describeUnmatched } from '../operator/unmatched.ts';
import { withdraw } from '../request/withdraw.ts';
import { createClaims } from './claims.ts';
import { transferOf } from './contract-transfer.ts';
import { createWithdrawalEngine } from './engine.ts';
import type { EngineDeps } from './hooks.ts';
import { findPayerKey } from './queries.ts';
import { signBatch } from './sign-batch.ts';
import { seedOfPayer, signFeeBump } from './sign-payment.ts';
import { recordFeeBump, type Withdrawal } from './store.ts';
import { createSubmissions } from './submissions.ts';
import { assignTxSources, blockedReasonOf } from './tx-source-store.ts';

const AMOUNT = 20_000_000n;

let world: InProcessService;
let contract: string;
const steps = withdrawalSteps(() => world);
const { read, waitForOutcomes, balanceOf, processLedgers, signOnly, withStellar } = steps;
before(async () => {
  world = await startInProcess({
    WITHDRAW_VALID_SECONDS: '600',
    CHANNELS_MAX: '0',
  });
  contract = StrKey.encodeContract(Keypair.random().rawPublicKey());
  await closingLedgers(world.sandbox, world.sandbox.issuers.deploy(contract));
  await processLedgers();
});
after(() => world.close());

async function orderOf(
  wallet: Wallet,
  key: string,
  amount_stroops = AMOUNT,
  { destination = contract, memo_id = null }: { destination?: string; memo_id?: bigint | null } = {},
) {
  const created_at = new Date();
  const order = { operation: 'contract_transfer' as const, ...NATIVE, destination, memo_id, amount_stroops };
  const transfer = transferOf(order, wallet.account);
  const simulated = await world.deps.stellar.simulateTransfer(transfer);
  assert(simulated.possible);
  const { soroban_data, resource_fee_stroops } = simulated;
  return {
    id: newId('wd', created_at),
    wallet_id: wallet.id,
    owner_id: wallet.owner_id,
    idempotency_key: key,
    ...order,
    memo_return: null,
    refund_of: null,
    soroban_data,
    resource_fee_stroops,
    wallet_account: wallet.account,
    created_at,
    actor: ACTOR,
  };
}

async function claim(...order: Parameters<typeof orderOf>): Promise<Withdrawal> {
  const { holder } = await createClaims(world.deps).claim(await orderOf(...order));
  assert(holder);
  return holder;
}

/** What the contract has of the native asset. */
async function held(): Promise<bigint> {
  const { balanceEntry } = await world.rpc.getSACBalance(contract, Asset.native(), world.sandbox.passphrase);
  return BigInt(balanceEntry?.amount ?? 0);
}

/** Pays the withdrawal. `restore`: the withdrawal cursor of the backup from before. */
async function pay(...order: Parameters<typeof orderOf>) {
  const claimed = await claim(...order);
  await processLedgers();
  const { db } = world.deps;
  const copied = await db.selectFrom('withdrawal_cursor').selectAll().executeTakeFirstOrThrow();
  await waitForOutcomes([claimed.id]);
  const { ledger, ledger_hash, close_time } = copied;
  return {
    paid: await read(claimed.id),
    restore: () => db.updateTable('withdrawal_cursor').set({ ledger, ledger_hash, close_time }).execute(),
  };
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
  status: 'queued' as const,
  fee_stroops: null,
  fee_charged_stroops: null,
  fee_paid_by: null,
};

const unsettledOf = async ({ id }: Wallet) =>
  (await listUnassigned(world.deps.db)).filter(
    ({ wallet_id, resolved_at }) => wallet_id === id && !resolved_at,
  );

test('a process that dies after the claim, or after signing, leaves a transfer that another pays once', async () => {
  const wallet = await world.wallet();
  const had = await held();
  const claimed = await claim(wallet, 'after the claim');
  await waitForOutcomes([claimed.id]);
  const signed = await signOnly((await claim(wallet, 'after signing')).id);
  await waitForOutcomes([signed.id]);
  const after_signing = await read(signed.id);
  assert.deepEqual([(await read(claimed.id)).status, after_signing.status], ['confirmed', 'confirmed']);
  assert.equal(after_signing.inner_tx_hash, signed.inner_tx_hash, 'the committed envelope was sent');
  assert.equal(await held(), had + 2n * AMOUNT);
});

test('the first transfer to a contract costs thirty times the next, as on a real network', async () => {
  const wallet = await world.wallet();
  const destination = StrKey.encodeContract(Keypair.random().rawPublicKey());
  await closingLedgers(world.sandbox, world.sandbox.issuers.deploy(destination));
  const charged: (bigint | null)[] = [];
  for (const key of ['first', 'second', 'third']) {
    const { id } = await claim(wallet, key, AMOUNT, { destination });
    await waitForOutcomes([id]);
    charged.push((await read(id)).fee_stroops);
  }
  assert.deepEqual(charged, [388_417n, 12_557n, 12_557n]);
});

test('the books agree with the ledger: what was charged in the end is the fee', async () => {
  const wallet = await world.wallet();
  const before = await balanceOf(wallet.account);
  const claimed = await claim(wallet, 'charged');
  await waitForOutcomes([claimed.id]);
  const { fee_stroops, fee_bid_stroops, resource_fee_stroops } = await read(claimed.id);
  assert(fee_stroops !== null && fee_bid_stroops !== null && resource_fee_stroops !== null);
  assert.equal(await balanceOf(wallet.account), before - AMOUNT - fee_stroops);
  assert(fee_stroops < fee_bid_stroops && fee_bid_stroops > resource_fee_stroops);
});

test('what the ledger refuses has failed, with words from the ledger as it is now', async () => {
  const wallet = await world.wallet();
  const most = ((await balanceOf(wallet.account)) * 6n) / 10n;
  const had = await held();
  const both = [await claim(wallet, 'the first half', most), await claim(wallet, 'the other half', most)];
  await waitForOutcomes(both.map(({ id }) => id));
  const [first, second] = [await read(both[0]?.id ?? ''), await read(both[1]?.id ?? '')];
  assert.deepEqual([first.status, second.status, second.failure_code], ['confirmed', 'failed', 'op_trapped']);
  assert.match(second.failure_message ?? '', /^The contract refused .* does not hold enough/);
  assert.equal(await held(), had + most);
});

test('a fee-bump keeps the resource fee, and is applied', async () => {
  const wallet = await world.wallet();
  const signed = await signOnly((await claim(wallet, 'bumped')).id);
  const { id, wallet_id, envelope_xdr, fee_bid_stroops, resource_fee_stroops } = signed;
  assert(envelope_xdr && fee_bid_stroops !== null && resource_fee_stroops !== null);
  assert.equal(fee_bid_stroops, resource_fee_stroops + 100n);
  const in_flight = await inFlightStroops(world.deps.db, wallet_id, NATIVE, { pays_fees: true });
  assert.equal(
    in_flight,
    AMOUNT + fee_bid_stroops,
    'the whole declared fee counts as paid until the outcome',
  );
  const by_treasury = await inFlightStroops(world.deps.db, wallet_id, NATIVE, { pays_fees: false });
  assert.equal(by_treasury, AMOUNT);
  const key = await findPayerKey(world.deps.db, wallet_id, wallet.account);
  assert(key);
  const bump = await world.deps.vault.withSigner([seedOfPayer(key)], async (signer) =>
    signFeeBump(world.deps, signer, { id, envelope_xdr }, key, resource_fee_stroops + 2_000n),
  );
  assert(await recordFeeBump(world.deps.db, bump, fee_bid_stroops));
  await waitForOutcomes([id]);
  const { status, stellar_tx_hash, inner_tx_hash } = await read(id);
  assert.deepEqual([status, stellar_tx_hash], ['confirmed', bump.fee_bump_hash]);
  assert.equal(inner_tx_hash, signed.inner_tx_hash);
});

test('a row whose data names another entry than those of its transfer is not signed', async () => {
  const wallet = await world.wallet();
  const [row, other] = [
    await claim(wallet, 'tampered'),
    await orderOf(await world.wallet(), 'of another wallet'),
  ];
  const { soroban_data, resource_fee_stroops } = other;
  await world.deps.db
    .updateTable('withdrawals')
    .set({ soroban_data, resource_fee_stroops })
    .where('id', '=', row.id)
    .execute();
  await processLedgers();
  await assignTxSources(world.deps.db, LEASE);
  const { signed } = await signBatch(world.deps, [row.id], LEASE.until);
  assert.deepEqual(signed, []);
  assert.match((await blockedReasonOf(world.deps.db, wallet.account)) ?? '', /cannot be signed/);
});

test('an older copy that shows a paid transfer as waiting takes its outcome from the ledger', async () => {
  const wallet = await world.wallet();
  const { paid, restore } = await pay(wallet, 'shown as waiting');
  const had = await held();
  await world.deps.db.updateTable('withdrawals').set(UNSIGNED).where('id', '=', paid.id).execute();
  await restore();
  await waitForOutcomes([paid.id]);
  const row = await read(paid.id);
  assert.deepEqual([row.status, row.stellar_tx_hash], ['confirmed', paid.stellar_tx_hash]);
  assert.equal(await held(), had);
});

test('an older copy that has lost the key does not pay it again, and says what was paid', async () => {
  const wallet = await world.wallet();
  const { paid, restore } = await pay(wallet, 'lost');
  const had = await held();
  const { db } = world.deps;
  await db.deleteFrom('withdrawals').where('id', '=', paid.id).execute();
  const fresh = { last_sequence: null };
  await db.updateTable('tx_sources').set(fresh).where('account', '=', wallet.account).execute();
  await restore();
  await processLedgers();
  const told = await describeUnmatched(world.deps);
  assert.match(
    told,
    new RegExp(
      `${paid.stellar_tx_hash}.*20000000 stroops to ${contract}; its Idempotency-Key is not paid again`,
    ),
  );
  const other = await createClaims(world.deps).claim(await orderOf(wallet, 'lost', AMOUNT + 1n));
  assert.equal(other.violation?.code, 'possible_duplicate', 'the key has paid another amount');
  const again = await claim(wallet, 'lost');
  await waitForOutcomes([again.id]);
  const row = await read(again.id);
  assert.deepEqual([row.status, row.stellar_tx_hash], ['confirmed', paid.stellar_tx_hash]);
  assert.equal(await held(), had);
});

test('a success without the proof of its event is never confirmed by itself: a person decides', async () => {
  const wallet = await world.wallet();
  const signed = await signOnly((await claim(wallet, 'unproven')).id);
  await world.deps.stellar.submit(signed.envelope_xdr ?? '');
  world.sandbox.closeLedger();
  await processLedgers(withOtherEvents(new Uint8Array(32)));
  assert.equal((await read(signed.id)).status, 'signed');
  const [unmatched] = await unsettledOf(wallet);
  assert(unmatched && unmatched.key_fingerprint === null, 'nothing is signed for the wallet');
  const next = await claim(wallet, 'the next');
  assert(!(await assignTxSources(world.deps.db, LEASE)).includes(next.id));
  assert.match(await assignUnmatched(world.deps, unmatched.hash, signed.id), /is confirmed/);
  await waitForOutcomes([next.id]);
  assert.deepEqual(
    [(await read(signed.id)).status, (await read(next.id)).status],
    ['confirmed', 'confirmed'],
  );
});

/** A network whose contracts write other events: `result` is the hash in the results. */
function withOtherEvents(result: Uint8Array): EngineDeps {
  const { stellar } = world.deps;
  return withStellar({
    async readLedgersAfter(...asked) {
      const range = await stellar.readLedgersAfter(...asked);
      if (range.read !== 'ledgers') return range;
      const transactions = range.transactions.map((each) => withOtherResult(each, result));
      return { ...range, transactions };
    },
  });
}

function withOtherResult(transaction: LedgerTransaction, call_result: Uint8Array): LedgerTransaction {
  const wire: any = xdr.TransactionResult.fromXdr(transaction.result).toXdrObject();
  const called = wire.result.results?.[0]?.tr?.invokeHostFunctionResult;
  if (called?.success) called.success = call_result;
  const result = Buffer.from(xdr.TransactionResult.fromXdrObject(wire).toXdr());
  return { ...transaction, result };
}

const muxed = (muxed_id: bigint) => contractAddress({ contract, muxed_id });

test('a muxed contract is paid once, as W… and as C… with a memo id, also when the process dies after signing', async () => {
  const wallet = await world.wallet();
  const had = await held();
  const claimed = [
    await claim(wallet, 'as W', AMOUNT, { destination: muxed(2n ** 64n - 1n) }),
    await claim(wallet, 'as C with a memo id', AMOUNT, { memo_id: 0n }),
    await claim(wallet, 'as both', AMOUNT, { destination: muxed(7n), memo_id: 7n }),
  ];
  await signOnly(claimed[0]?.id ?? '');
  await waitForOutcomes(claimed.map(({ id }) => id));
  for (const { id, destination, memo_id } of claimed) {
    const row = await read(id);
    assert.equal(row.status, 'confirmed');
    assert.deepEqual([row.destination, row.memo_id], [destination, memo_id], 'kept as it was sent');
  }
  assert.equal(await held(), had + 3n * AMOUNT);
});

test('an event with another id, or without one, never confirms a withdrawal to a muxed contract, nor one with an id a plain one', async () => {
  const { passphrase } = world.sandbox;
  for (const [ordered, told] of [
    [7n, 8n],
    [7n, null],
    [null, 7n],
  ] as const) {
    const wallet = await world.wallet();
    const signed = await signOnly(
      (await claim(wallet, `${ordered} ${told}`, AMOUNT, { memo_id: ordered })).id,
    );
    await world.deps.stellar.submit(signed.envelope_xdr ?? '');
    world.sandbox.closeLedger();
    const transfer = { ...transferOf(signed, wallet.account), to_muxed_id: told };
    await processLedgers(withOtherEvents(hash('sha256', transferPreimage(passphrase, transfer), 'buffer')));
    assert.equal((await read(signed.id)).status, 'signed');
    const [unmatched] = await unsettledOf(wallet);
    assert(unmatched && unmatched.key_fingerprint === null, 'nothing is signed for the wallet');
    assert.match(await assignUnmatched(world.deps, unmatched.hash, signed.id), /is confirmed/);
  }
});

test('an older copy reads the id back: the key gets its outcome for this id in either form, and no other id is paid by it', async () => {
  const wallet = await world.wallet();
  const { paid, restore } = await pay(wallet, 'forgotten', AMOUNT, { memo_id: 7n });
  const had = await held();
  const { db } = world.deps;
  await db.deleteFrom('withdrawals').where('id', '=', paid.id).execute();
  await db
    .updateTable('tx_sources')
    .set({ last_sequence: null })
    .where('account', '=', wallet.account)
    .execute();
  await restore();
  await processLedgers();
  assert.match(await describeUnmatched(world.deps), new RegExp(`20000000 stroops to ${muxed(7n)};`));
  for (const other of [{}, { memo_id: 8n }, { destination: muxed(8n) }]) {
    const { violation } = await createClaims(world.deps).claim(
      await orderOf(wallet, 'forgotten', AMOUNT, other),
    );
    assert.equal(violation?.code, 'possible_duplicate', 'the key has paid another id');
  }
  const line = (destination: string, memo_id: string) =>
    `{"idempotency_key":"forgotten","destination":"${destination}","amount_stroops":20000000,"memo_id":${memo_id}}`;
  const review = async (text: string) => reviewRequests(world.deps, parseRequests(text));
  assert.equal((await review(line(contract, '8'))).assignments.length, 0);
  assert.equal((await review(line(muxed(7n), 'null'))).assignments.length, 1);
  const told = await review(line(contract, '7'));
  await applyReview(world.deps, told, { accept_rest: false });
  const restored = (await createClaims(world.deps).findByKey(paid)) ?? assert.fail('no row');
  assert.deepEqual([restored.destination, restored.memo_id, restored.status], [muxed(7n), null, 'confirmed']);
  assert.equal(restored.stellar_tx_hash, paid.stellar_tx_hash);
  const withdrawing = { wallet, actor: ACTOR, ...NATIVE, amount_stroops: AMOUNT, memo_return: null };
  const named = { idempotency_key: 'forgotten', reference: 'Order 7', allow_issuer: false, refund_of: null };
  const again = (key: { destination: string; memo_id: bigint | null }) =>
    withdraw(
      world.deps,
      { claims: createClaims(world.deps), engine: createWithdrawalEngine(world.deps) },
      // The ledger does not know references: with any of them it is the same withdrawal.
      { ...withdrawing, ...key, ...named },
    );
  const code = (expected: string) => (error: unknown) => (error as { code: string }).code === expected;
  await assert.rejects(again({ destination: contract, memo_id: 7n }), code('idempotency_key_reused'));
  await assert.rejects(again({ destination: contract, memo_id: 8n }), code('idempotency_key_mismatch'));
  assert.equal(await held(), had);
});

test('a muxed contract is not signed for by a source that shows an older protocol; a plain one is', async () => {
  const [wallet, other] = [await world.wallet(), await world.wallet()];
  const row = await claim(wallet, 'before the upgrade', AMOUNT, { memo_id: 7n });
  const plain = await claim(other, 'of any protocol');
  await processLedgers();
  await assignTxSources(world.deps.db, LEASE);
  const { stellar } = world.deps;
  const older = withStellar({
    async readSequences(accounts) {
      const { latest, ...read } = await stellar.readSequences(accounts);
      return { ...read, latest: { ...latest, protocol_version: 29 } };
    },
  });
  const { signed, gone } = await signBatch(older, [row.id, plain.id], LEASE.until);
  assert.deepEqual([signed.map(({ id }) => id), gone], [[plain.id], []]);
  await waitForOutcomes([row.id, plain.id]);
  assert.equal((await read(row.id)).status, 'confirmed');
});

test('contract transfers wait for their own places in a ledger: a rush of them keeps no payment back', async () => {
  const { db } = world.deps;
  const [first, second] = [await world.wallet(), await world.wallet()];
  await processLedgers();
  const transfer = await claim(first, 'in its phase');
  const payment = await steps.claim(second);
  assert.deepEqual(await assignTxSources(db, { ...LEASE, phase: 'payments' }), [payment.id]);
  assert.deepEqual(await assignTxSources(db, { ...LEASE, phase: 'contracts' }), [transfer.id]);
  const submissions = createSubmissions(withStellar({ submit: async () => QUEUED }));
  const { signed } = await signBatch(world.deps, [transfer.id, payment.id], LEASE.until);
  for (const each of signed) submissions.add(each, each.signed_ledger ?? 0);
  const position = { ledger: 0, close_time: 0n };
  assert.deepEqual(submissions.countLive(position), { payments: 1, contracts: 1 });
  assert.deepEqual(submissions.remove([transfer.id]), { payments: 0, contracts: 1 });
  await waitForOutcomes([transfer.id, payment.id]);
});

const QUEUED = { answer: 'pending' as const, code: null, fee_needed_stroops: null };
