import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Horizon, Transaction } from '@stellar/stellar-sdk';
import {
  AccountRequiresMemoError,
  BadResponseError,
  Keypair,
  Memo,
  Operation,
  TransactionBuilder,
  TransactionFailedError,
} from '@stellar/stellar-sdk';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { built, get, horizonFor, postForm, submitted } from '../testing/horizon-client.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { closeUntilAnswered, fund } from '../testing/rpc-client.ts';
import { create, pay, START_S, UNIT } from '../testing/test-network.ts';

type Codes = { transaction: string; inner_transaction?: string; operations?: string[] };

/** The error of a failed submission: HTTP status and result codes. */
async function failureOf(submission: Promise<unknown>) {
  const error = await submission.then(
    () => assert.fail('it succeeded'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof TransactionFailedError, `${error}`);
  const { status, extras } = error.getResponse().data as { status: number; extras: { result_codes: Codes } };
  return { status, codes: extras.result_codes, extras };
}

describe('POST /transactions', () => {
  test('answers with the transaction once a ledger has it', async (t) => {
    const { sandbox, horizon } = await horizonFor(t);
    const [from, to] = (await fund(sandbox, 2)) as [Keypair, Keypair];
    const transaction = await built(horizon, from, [pay(to, 5n * UNIT)], { memo: Memo.id('7') });
    const answer = await submitted(sandbox, horizon, transaction);
    assert.equal(answer.successful, true);
    assert.equal(answer.hash, Buffer.from(transaction.hash()).toString('hex'));
    const { balances } = await horizon.loadAccount(to.publicKey());
    assert.equal(balances[0]?.balance, '10005.0000000');
  });

  test('answers an envelope that history knows at once, without submitting it again', async (t) => {
    const { sandbox, horizon } = await horizonFor(t);
    const [from, to] = (await fund(sandbox, 2)) as [Keypair, Keypair];
    const good = await built(horizon, from, [pay(to, UNIT)]);
    const first = await submitted(sandbox, horizon, good);
    const bad = await built(horizon, from, [pay(Keypair.random(), UNIT)]);
    await failureOf(submitted(sandbox, horizon, bad));

    const again = await horizon.submitTransaction(good, { skipMemoRequiredCheck: true });
    assert.deepEqual(again, first);
    const { codes } = await failureOf(horizon.submitTransaction(bad, { skipMemoRequiredCheck: true }));
    assert.deepEqual(codes, { transaction: 'tx_failed', operations: ['op_no_destination'] });
  });

  test('of a failure in the ledger tells the code of every operation', async (t) => {
    const { sandbox, horizon } = await horizonFor(t);
    const [from, to] = (await fund(sandbox, 2)) as [Keypair, Keypair];
    const operations = [pay(to, UNIT), pay(to, 20_000n * UNIT), create(to, UNIT)];
    const transaction = await built(horizon, from, operations);
    const { status, codes, extras } = await failureOf(submitted(sandbox, horizon, transaction));
    assert.equal(status, 400);
    assert.deepEqual(codes, {
      transaction: 'tx_failed',
      operations: ['op_success', 'op_underfunded', 'op_already_exists'],
    });
    assert.deepEqual(Object.keys(extras).toSorted(), ['envelope_xdr', 'result_codes', 'result_xdr']);
  });

  test('of a refusal tells its code at once, and no ledger is needed', async (t) => {
    const { sandbox, horizon } = await horizonFor(t);
    const [from, to] = (await fund(sandbox, 2)) as [Keypair, Keypair];
    const refusal = async (transaction: Parameters<Horizon.Server['submitTransaction']>[0]) =>
      (await failureOf(horizon.submitTransaction(transaction, { skipMemoRequiredCheck: true }))).codes;

    const unsigned = await built(horizon, from, [pay(to, UNIT)], { signers: [to] });
    assert.deepEqual(await refusal(unsigned), { transaction: 'tx_bad_auth' });
    const poor = await built(horizon, from, [pay(to, UNIT), pay(to, UNIT)], { fee: '99' });
    assert.deepEqual(await refusal(poor), { transaction: 'tx_insufficient_fee' });
    const account = await horizon.loadAccount(from.publicKey());
    account.incrementSequenceNumber();
    const options = { fee: '100', networkPassphrase: SANDBOX_PASSPHRASE };
    const jumped = new TransactionBuilder(account, options).addOperation(pay(to, UNIT)).setTimeout(0).build();
    jumped.sign(from);
    assert.deepEqual(await refusal(jumped), { transaction: 'tx_bad_seq' });
  });

  test('of a fee-bump tells both codes, and finds it by either hash', async (t) => {
    const { sandbox, horizon } = await horizonFor(t);
    const [from, to, payer] = (await fund(sandbox, 3)) as [Keypair, Keypair, Keypair];
    const bump = async (operation: ReturnType<typeof pay>) => {
      const inner = await built(horizon, from, [operation], { memo: Memo.text('inner') });
      const outer = TransactionBuilder.buildFeeBumpTransaction(payer, '500', inner, SANDBOX_PASSPHRASE);
      outer.sign(payer);
      return { outer, hashes: [outer, inner].map((one) => Buffer.from(one.hash()).toString('hex')) };
    };
    const good = await bump(pay(to, UNIT));
    const answer = await submitted(sandbox, horizon, good.outer);
    assert.equal(answer.hash, good.hashes[0]);
    const records = await Promise.all(
      good.hashes.map((hash) => horizon.transactions().transaction(hash).call()),
    );
    for (const [index, record] of records.entries()) {
      assert.equal(record.hash, good.hashes[index]);
      assert.equal(record.id, good.hashes[index]);
      assert.equal(record.source_account, from.publicKey());
      assert.equal(record.fee_account, payer.publicKey());
      assert.equal(record.memo, 'inner');
      assert.deepEqual([record.max_fee, record.fee_charged], ['1000', '200']);
      assert.deepEqual(record.inner_transaction?.hash, good.hashes[1]);
      assert.deepEqual(record.fee_bump_transaction?.hash, good.hashes[0]);
    }
    assert.deepEqual(records[1]?.signatures, records[1]?.inner_transaction?.signatures);
    assert.deepEqual(records[0]?.signatures, records[0]?.fee_bump_transaction?.signatures);

    const bad = await bump(pay(Keypair.random(), UNIT));
    const { codes } = await failureOf(submitted(sandbox, horizon, bad.outer));
    assert.deepEqual(codes, {
      transaction: 'tx_fee_bump_inner_failed',
      inner_transaction: 'tx_failed',
      operations: ['op_no_destination'],
    });
  });

  test("the SDK's look at config.memo_required works (SEP-29)", async (t) => {
    const { sandbox, horizon } = await horizonFor(t);
    const [from, exchange] = (await fund(sandbox, 2)) as [Keypair, Keypair];
    const demand = Operation.manageData({ name: 'config.memo_required', value: '1' });
    await submitted(sandbox, horizon, await built(horizon, exchange, [demand]));
    const bare = await built(horizon, from, [pay(exchange, UNIT)]);
    await assert.rejects(horizon.submitTransaction(bare), AccountRequiresMemoError);
    const withMemo = await built(horizon, from, [pay(exchange, UNIT)], { memo: Memo.id('1') });
    const { successful } = await closeUntilAnswered(sandbox, horizon.submitTransaction(withMemo));
    assert.equal(successful, true);
  });

  test('gives up after 30 seconds of the clock, with the hash to look for; a ledger may still have it', async (t) => {
    const clock = new ManualClock(START_S);
    const { sandbox, horizon } = await horizonFor(t, { clock });
    const [from, to] = (await fund(sandbox, 2)) as [Keypair, Keypair];
    const transaction = await built(horizon, from, [pay(to, UNIT)]);
    const waiting = horizon.submitTransaction(transaction, { skipMemoRequiredCheck: true });
    const error = await advanceUntilAnswered(clock, waiting).then(
      () => null,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof BadResponseError && !(error instanceof TransactionFailedError));
    const { status, type, extras } = error.getResponse().data as Record<string, any>;
    const hash = Buffer.from(transaction.hash()).toString('hex');
    assert.deepEqual([status, type.split('/').at(-1)], [504, 'transaction_submission_timeout']);
    assert.deepEqual(extras, { hash, envelope_xdr: transaction.toEnvelope().toXdr('base64') });

    sandbox.closeLedger();
    assert.equal((await horizon.transactions().transaction(hash).call()).successful, true);
  });

  test('waits for what the queue answers TRY_AGAIN_LATER, and is not taken for it', async (t) => {
    const clock = new ManualClock(START_S);
    const { sandbox, horizon } = await horizonFor(t, { clock });
    const [from, to] = (await fund(sandbox, 2)) as [Keypair, Keypair];
    const first = await built(horizon, from, [pay(to, UNIT)]);
    const other = await built(horizon, from, [pay(to, 2n * UNIT)]);
    assert.equal((await horizon.submitAsyncTransaction(first)).tx_status, 'PENDING');
    const waiting = horizon.submitTransaction(other, { skipMemoRequiredCheck: true });
    await assert.rejects(advanceUntilAnswered(clock, waiting), BadResponseError);
  });

  test('a server that stops does not wait for submissions', async (t) => {
    const { sandbox, horizon } = await horizonFor(t, { clock: new ManualClock(START_S) });
    const [from, to] = (await fund(sandbox, 2)) as [Keypair, Keypair];
    const transaction = await built(horizon, from, [pay(to, UNIT)]);
    const waiting = horizon.submitTransaction(transaction, { skipMemoRequiredCheck: true });
    const refused = assert.rejects(waiting, (error: BadResponseError) => error.getResponse().status === 503);
    await untilQueued(horizon, transaction);
    await sandbox.stop();
    await refused;
  });

  test('bodies that hold no envelope get the answers of Horizon and leave the ledger alone', async (t) => {
    const { sandbox, url } = await horizonFor(t);
    const problemOf = async (response: Response) => {
      const { type, status, extras } = (await response.json()) as Record<string, any>;
      assert.equal(response.headers.get('content-type'), 'application/problem+json; charset=utf-8');
      assert.equal(status, response.status);
      return [status, type.split('/').at(-1), extras?.envelope_xdr];
    };
    for (const path of ['/transactions', '/transactions_async']) {
      const post = async (body: string, type?: string) => problemOf(await postForm(url + path, body, type));
      assert.deepEqual(await post('tx=AAAA'), [400, 'transaction_malformed', 'AAAA']);
      assert.deepEqual(await post('tx=%2B%2F%2F'), [400, 'transaction_malformed', '+//']);
      assert.deepEqual(await post(''), [400, 'transaction_malformed', '']);
      assert.deepEqual(await post('tx=&tx=&&&=%zz'), [400, 'transaction_malformed', '']);
      assert.deepEqual(await post(`tx=${'A'.repeat(300_000)}`), [400, 'transaction_malformed', '']);
      assert.deepEqual(await post('tx=%ff%fe'), [400, 'bad_request', undefined]);
      assert.deepEqual(await post('{}', 'application/json'), [415, 'unsupported_media_type', undefined]);
      assert.deepEqual(await post('x', 'multipart/form-data; boundary=b'), [
        415,
        'unsupported_media_type',
        undefined,
      ]);
    }
    assert.equal(sandbox.closeLedger().transaction_count, 0);
  });
});

describe('POST /transactions_async', () => {
  test('has an empty error beside what is no envelope, as Horizon', async (t) => {
    const { url } = await horizonFor(t);
    const response = await postForm(`${url}/transactions_async`, 'tx=AAAA');
    const { extras } = (await response.json()) as Record<string, any>;
    assert.deepEqual([response.status, extras], [400, { envelope_xdr: 'AAAA', error: {} }]);
  });

  test('gives the status of the queue at once, with its HTTP status', async (t) => {
    const { sandbox, horizon, url } = await horizonFor(t);
    const [from, to] = (await fund(sandbox, 2)) as [Keypair, Keypair];
    const first = await built(horizon, from, [pay(to, UNIT)]);
    const hash = Buffer.from(first.hash()).toString('hex');
    assert.deepEqual(await horizon.submitAsyncTransaction(first), { tx_status: 'PENDING', hash });
    const post = async (transaction: typeof first) => {
      const xdr = transaction.toEnvelope().toXdr('base64');
      const response = await postForm(`${url}/transactions_async`, `tx=${encodeURIComponent(xdr)}`);
      const body = (await response.json()) as Record<string, any>;
      return { code: response.status, ...body } as Record<string, any>;
    };
    assert.deepEqual(await post(first), { code: 409, tx_status: 'DUPLICATE', hash });
    const other = await built(horizon, from, [pay(to, 2n * UNIT)]);
    assert.deepEqual(Object.values(await post(other)).slice(0, 2), [503, 'TRY_AGAIN_LATER']);
    sandbox.closeLedger();
    const late = await post(other);
    assert.deepEqual([late.code, late.tx_status, typeof late.error_result_xdr], [400, 'ERROR', 'string']);
    assert.equal((await get(`${url}/transactions/${hash}`)).json.successful, true);
  });
});

/**
 * Moves the clock until the promise has resolved or rejected, because requests take real time to reach the server.
 */
async function advanceUntilAnswered<T>(clock: ManualClock, promise: Promise<T>): Promise<T> {
  let isOver = false;
  const done = promise.finally(() => {
    isOver = true;
  });
  done.catch(() => {});
  while (!isOver) await clock.advance(30_000);
  return await done;
}

/** Waits until the queue has the transaction. Earlier submissions have arrived by then. */
async function untilQueued(horizon: Horizon.Server, transaction: Transaction): Promise<void> {
  const duplicate = (error: BadResponseError) => error.getResponse().status === 409;
  await horizon.submitAsyncTransaction(transaction).catch(() => {});
  await assert.rejects(horizon.submitAsyncTransaction(transaction), duplicate);
}
