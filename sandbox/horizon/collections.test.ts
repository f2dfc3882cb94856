import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import type { Horizon, Keypair } from '@stellar/stellar-sdk';
import { Keypair as Keys, Memo, NotFoundError, Operation } from '@stellar/stellar-sdk';
import { built, get, horizonFor, submitted } from '../testing/horizon-client.ts';
import { fund } from '../testing/rpc-client.ts';
import { create, pay, UNIT } from '../testing/test-network.ts';

/** Two accounts and some history: five payments, of which the third failed, and a data entry. */
async function historyFor(t: TestContext) {
  const { sandbox, horizon, url } = await horizonFor(t);
  const [from, to, stranger] = (await fund(sandbox, 3)) as [Keypair, Keypair, Keypair];
  const hashes: string[] = [];
  const apply = async (operation: ReturnType<typeof pay>) => {
    const transaction = await built(horizon, from, [operation], { memo: Memo.text(`nr ${hashes.length}`) });
    await submitted(sandbox, horizon, transaction).catch(() => {});
    hashes.push(Buffer.from(transaction.hash()).toString('hex'));
  };
  for (const amount of [1n, 2n, 20_000n, 4n, 5n]) await apply(pay(to, amount * UNIT));
  await apply(Operation.manageData({ name: 'note', value: 'text' }));
  return { sandbox, horizon, url, from, to, stranger, hashes };
}

type Page<T> = { records: T[]; next(): Promise<Page<T>> };

/** Every record from this page on, by `next` until a page is empty. */
async function toEnd<T>(page: Page<T>): Promise<T[]> {
  const all: T[] = [];
  for (let at = page; at.records.length > 0; at = await at.next()) all.push(...at.records);
  return all;
}

describe("an account's payments", () => {
  test('are found a page at a time in both directions, each exactly once', async (t) => {
    const { horizon, to } = await historyFor(t);
    const amounts = (records: Horizon.ServerApi.OperationRecord[]) =>
      records.map((record) => ('amount' in record ? record.amount : record.type));
    const calls = () => horizon.payments().forAccount(to.publicKey()).limit(2);
    const up = await toEnd(await calls().order('asc').call());
    assert.deepEqual(amounts(up), ['create_account', '1.0000000', '2.0000000', '4.0000000', '5.0000000']);
    const down = await toEnd(await calls().order('desc').call());
    assert.deepEqual(amounts(down), amounts(up).toReversed());

    const second = await (await calls().order('asc').call()).next();
    const back = await second.prev();
    assert.deepEqual(amounts(back.records), ['1.0000000', 'create_account']);
    const beyond = await horizon.payments().forAccount(to.publicKey()).cursor('9000000000000000000').call();
    assert.deepEqual(beyond.records, []);
    assert.deepEqual((await beyond.next()).records, []);
  });

  test('show failed ones when asked to, and carry their transaction with join', async (t) => {
    const { horizon, from, hashes } = await historyFor(t);
    const calls = () => horizon.payments().forAccount(from.publicKey()).limit(200);
    assert.ok((await calls().call()).records.every((record) => record.transaction_successful));
    const { records } = await calls().includeFailed(true).join('transactions').call();
    const failed = records.filter((record) => !record.transaction_successful);
    assert.deepEqual(
      failed.map((record) => record.transaction_hash),
      [hashes[2]],
    );
    const joined = await Promise.all(records.map((record) => record.transaction()));
    assert.deepEqual(
      joined.slice(1).map(({ memo }) => memo),
      ['nr 0', 'nr 1', 'nr 2', 'nr 3', 'nr 4'],
    );
  });

  test('are only those that it takes part in, of transactions with others too', async (t) => {
    const { sandbox, horizon, from, to, stranger } = await historyFor(t);
    const mixed = [pay(to, 7n * UNIT), pay(stranger, 8n * UNIT), pay(to, 9n * UNIT, stranger)];
    const transaction = await built(horizon, from, mixed, { signers: [from, stranger] });
    await submitted(sandbox, horizon, transaction);
    const last = async (key: Keypair, count: number) => {
      const { records } = await horizon
        .payments()
        .forAccount(key.publicKey())
        .order('desc')
        .limit(count)
        .call();
      return records.map((record) => ('amount' in record ? record.amount : '')).toReversed();
    };
    assert.deepEqual(await last(to, 2), ['7.0000000', '9.0000000']);
    assert.deepEqual(await last(stranger, 2), ['8.0000000', '9.0000000']);
    assert.deepEqual(await last(from, 2), ['7.0000000', '8.0000000']);
  });
});

describe('operations and effects', () => {
  test('of a transaction include those of a failed one, without being asked: the reader must look', async (t) => {
    const { horizon, url, hashes } = await historyFor(t);
    for (const collection of ['operations', 'payments']) {
      const { records } = (await get(`${url}/transactions/${hashes[2]}/${collection}`)).json._embedded;
      assert.equal(records.length, 1);
      assert.equal(records[0].transaction_successful, false);
    }
    assert.deepEqual(
      (
        await horizon
          .effects()
          .forTransaction(hashes[2] ?? '')
          .call()
      ).records,
      [],
    );
  });

  test('are more than payments: data entries too', async (t) => {
    const { horizon, from } = await historyFor(t);
    const { records } = await horizon.operations().forAccount(from.publicKey()).order('desc').limit(1).call();
    assert.equal(records[0]?.type, 'manage_data');
    const operation = await horizon
      .operations()
      .operation(records[0]?.id ?? '')
      .call();
    assert.equal(operation.id, records[0]?.id);
    const effects = await horizon.effects().forOperation(operation.id).call();
    assert.deepEqual(
      effects.records.map(({ type, id }) => [type, id]),
      [['data_created', `${operation.id.padStart(19, '0')}-0000000001`]],
    );
  });

  test('are paged by operation and number in both directions, of an account only its own', async (t) => {
    const { horizon, to } = await historyFor(t);
    const all = (order: 'asc' | 'desc') => horizon.effects().order(order).limit(3).call().then(toEnd);
    const up = await all('asc');
    assert.deepEqual(
      (await all('desc')).map(({ id }) => id),
      up.map(({ id }) => id).toReversed(),
    );
    assert.equal(new Set(up.map(({ id }) => id)).size, up.length);
    const own = await horizon.effects().forAccount(to.publicKey()).limit(2).call().then(toEnd);
    const expected = up.filter(({ account }) => account === to.publicKey());
    assert.deepEqual(
      own.map(({ id }) => id),
      expected.map(({ id }) => id),
    );
    assert.deepEqual(
      own.map(({ type }) => type),
      ['account_created', 'signer_created', ...Array.from({ length: 4 }, () => 'account_credited')],
    );
  });

  test('of a ledger are those of its transactions', async (t) => {
    const { horizon, url, hashes } = await historyFor(t);
    const { ledger_attr: sequence } = await horizon
      .transactions()
      .transaction(hashes[1] ?? '')
      .call();
    for (const collection of ['operations', 'payments', 'effects', 'transactions']) {
      const { records } = (await get(`${url}/ledgers/${sequence}/${collection}`)).json._embedded;
      assert.equal(records.length, collection === 'effects' ? 2 : 1, collection);
    }
  });
});

describe('transactions and ledgers', () => {
  test('of an account are those that it takes part in, failed ones when asked', async (t) => {
    const { horizon, from, to, hashes } = await historyFor(t);
    const of = async (key: Keypair, failed: boolean) => {
      const page = await horizon
        .transactions()
        .forAccount(key.publicKey())
        .includeFailed(failed)
        .limit(2)
        .call();
      return (await toEnd(page)).map(({ hash }) => hash).slice(1);
    };
    assert.deepEqual(await of(from, true), hashes);
    assert.deepEqual(await of(from, false), hashes.toSpliced(2, 1));
    assert.deepEqual(await of(to, true), hashes.slice(0, 5));
  });

  test('ledgers count their transactions and operations, failed ones apart', async (t) => {
    const { horizon, hashes } = await historyFor(t);
    const countsOf = async (hash: string | undefined) => {
      const { ledger_attr: sequence } = await horizon
        .transactions()
        .transaction(hash ?? '')
        .call();
      const ledger = (await horizon.ledgers().ledger(sequence).call()) as unknown as Record<string, unknown>;
      const { successful_transaction_count, failed_transaction_count, operation_count } = ledger;
      return [
        successful_transaction_count,
        failed_transaction_count,
        operation_count,
        ledger.tx_set_operation_count,
      ];
    };
    assert.deepEqual(await countsOf(hashes[0]), [1, 0, 1, 1]);
    assert.deepEqual(await countsOf(hashes[2]), [0, 1, 0, 1]);
    const [newest] = (await horizon.ledgers().order('desc').limit(1).call()).records;
    const older = (await horizon.ledgers().order('desc').limit(200).call()).records;
    assert.equal(older.length, newest?.sequence);
    assert.equal(older[1]?.hash, newest?.prev_hash);
  });
});

describe('an account', () => {
  test('is shown with its signers, thresholds, data and when its number was used', async (t) => {
    const { sandbox, horizon, from, to } = await historyFor(t);
    const options = {
      lowThreshold: 1,
      medThreshold: 2,
      highThreshold: 3,
      masterWeight: 4,
      homeDomain: 'a.example',
    };
    const signer = { ed25519PublicKey: to.publicKey(), weight: 5 };
    await submitted(
      sandbox,
      horizon,
      await built(horizon, from, [Operation.setOptions({ ...options, signer })]),
    );
    const account = await horizon.loadAccount(from.publicKey());
    assert.deepEqual(account.thresholds, { low_threshold: 1, med_threshold: 2, high_threshold: 3 });
    assert.deepEqual(account.signers, [
      { weight: 5, key: to.publicKey(), type: 'ed25519_public_key' },
      { weight: 4, key: from.publicKey(), type: 'ed25519_public_key' },
    ]);
    assert.deepEqual(account.data_attr, { note: Buffer.from('text').toString('base64') });
    assert.deepEqual([account.home_domain, account.subentry_count], ['a.example', 2]);
    const latest = (await horizon.ledgers().order('desc').limit(1).call()).records[0];
    const { sequence_ledger = 0 } = account as unknown as Record<string, number>;
    assert.ok(latest !== undefined && sequence_ledger > 0 && sequence_ledger <= latest.sequence);
  });

  test('that nobody funded, and history of nobody, are not found', async (t) => {
    const { horizon } = await historyFor(t);
    const nobody = Keys.random().publicKey();
    await assert.rejects(horizon.loadAccount(nobody), NotFoundError);
    await assert.rejects(horizon.payments().forAccount(nobody).call(), NotFoundError);
    await assert.rejects(horizon.transactions().transaction('ab'.repeat(32)).call(), NotFoundError);
  });

  test('made by an operation of another source is found by that one as well', async (t) => {
    const { sandbox, horizon, from, stranger } = await historyFor(t);
    const made = Keys.random();
    const creation = create(made, 100n * UNIT, stranger);
    await submitted(sandbox, horizon, await built(horizon, from, [creation], { signers: [from, stranger] }));
    for (const key of [made, stranger]) {
      const { records } = await horizon.payments().forAccount(key.publicKey()).order('desc').limit(1).call();
      assert.deepEqual(
        [records[0]?.type, records[0]?.source_account],
        ['create_account', stranger.publicKey()],
      );
    }
    const { records } = await horizon.operations().forAccount(from.publicKey()).order('desc').limit(1).call();
    assert.equal(records[0]?.type, 'manage_data', 'only its transaction is that of the fee source');
  });
});

test('fee statistics tell what five ledgers charged and were offered', async (t) => {
  const { sandbox, horizon } = await horizonFor(t);
  const [from, to] = (await fund(sandbox, 2)) as [Keypair, Keypair];
  const forFiveLedgers = () => {
    for (let ledger = 0; ledger < 5; ledger++) sandbox.closeLedger();
  };
  forFiveLedgers();
  await horizon.submitAsyncTransaction(
    await built(horizon, from, [pay(to, UNIT), pay(to, UNIT)], { fee: '300' }),
  );
  sandbox.closeLedger();
  const stats = await horizon.feeStats();
  assert.deepEqual([stats.fee_charged.max, stats.max_fee.max, stats.max_fee.min], ['100', '300', '300']);
  forFiveLedgers();
  assert.equal((await horizon.feeStats()).max_fee.max, '100');
});
