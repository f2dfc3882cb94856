import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Asset, Keypair, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk/base';
import { sha256 } from '../ledger/bytes.ts';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { call, FRIENDBOT_STROOPS, fund, sandboxFor, signed } from '../testing/rpc-client.ts';
import { pay, UNIT } from '../testing/test-network.ts';

const rpc = (method: string, params?: unknown) => ({ jsonrpc: '2.0', id: 1, method, params });

describe("the SDK's own client", () => {
  test('reads network, health, version and the latest ledger, whose hash is that of its header', async (t) => {
    const { sandbox, server } = await sandboxFor(t);
    assert.deepEqual(await server.getNetwork(), {
      friendbotUrl: sandbox.friendbot_url,
      passphrase: SANDBOX_PASSPHRASE,
      protocolVersion: 30,
    });
    assert.equal((await server.getHealth()).status, 'healthy');
    assert.equal((await server.getVersionInfo()).protocolVersion, 30);
    const latest = await server.getLatestLedger();
    assert.equal(latest.id, sha256(latest.headerXdr.toXdr()).toString('hex'));
    assert.equal(latest.sequence, latest.headerXdr.ledgerSeq);
  });

  test('sends a payment and polls until it has a result', async (t) => {
    const { sandbox, server } = await sandboxFor(t);
    const [from, to] = (await fund(sandbox, 2)) as [Keypair, Keypair];
    const account = await server.getAccount(from.publicKey());
    const transaction = new TransactionBuilder(account, { fee: '100', networkPassphrase: SANDBOX_PASSPHRASE })
      .addOperation(pay(to, 25n * UNIT))
      .setTimeout(60)
      .build();
    transaction.sign(from);
    const sent = await server.sendTransaction(transaction);
    assert.equal(sent.status, 'PENDING');
    assert.equal((await server.getTransaction(sent.hash)).status, 'NOT_FOUND');
    assert.equal((await server.sendTransaction(transaction)).status, 'DUPLICATE');
    const { sequence } = sandbox.closeLedger();

    const found = await server.pollTransaction(sent.hash, { attempts: 1 });
    assert.equal(found.status, 'SUCCESS');
    if (found.status !== 'SUCCESS') return;
    assert.equal(found.ledger, sequence);
    assert.equal(found.applicationOrder, 1);
    assert.equal(found.feeBump, false);
    assert.equal(found.resultXdr.feeCharged, 100n);
    assert.equal(found.resultMetaXdr.type, 'v4');
    assert.equal(found.events.transactionEventsXdr.length, 1);
    assert.equal(found.events.contractEventsXdr[0]?.length, 1);
    assert.equal((await server.getAccountEntry(to.publicKey())).balance, FRIENDBOT_STROOPS + 25n * UNIT);
    assert.equal((await server.sendTransaction(transaction)).status, 'TRY_AGAIN_LATER');
  });

  test('gets a refusal with its result', async (t) => {
    const { sandbox, server } = await sandboxFor(t);
    const [from] = (await fund(sandbox, 1)) as [Keypair];
    const transaction = await signed(server, from, [pay(from, 1n)]);
    transaction.signatures.pop();
    const { status, errorResult } = await server.sendTransaction(transaction);
    assert.equal(status, 'ERROR');
    assert.equal(errorResult?.result.type, 'txBadAuth');
  });

  test('finds a fee-bump by its own and by its inner hash', async (t) => {
    const { sandbox, server } = await sandboxFor(t);
    const [from, payer] = (await fund(sandbox, 2)) as [Keypair, Keypair];
    const inner = await signed(server, from, [pay(payer, UNIT)]);
    const outer = TransactionBuilder.buildFeeBumpTransaction(payer, '100', inner, SANDBOX_PASSPHRASE);
    outer.sign(payer);
    await server.sendTransaction(outer);
    sandbox.closeLedger();
    for (const hash of [outer.hash(), inner.hash()]) {
      const found = await server.getTransaction(Buffer.from(hash).toString('hex'));
      assert.equal(found.status, 'SUCCESS');
      assert.ok(
        found.status === 'SUCCESS' && found.feeBump && found.envelopeXdr.type === 'envelopeTypeTxFeeBump',
      );
    }
    const { transactions } = await server.getTransactions({ startLedger: 2 });
    assert.equal(transactions.at(-1)?.txHash, Buffer.from(outer.hash()).toString('hex'));
  });

  test('decodes the ledger that the transactions are in', async (t) => {
    const { sandbox, server } = await sandboxFor(t);
    const [from, to] = (await fund(sandbox, 2)) as [Keypair, Keypair];
    for (const key of [from, to]) await server.sendTransaction(await signed(server, key, [pay(from, 1n)]));
    sandbox.closeLedger();
    const { metadataXdr, id } = await server.getLatestLedger();
    assert.ok(metadataXdr.type === 'v2');
    const { ledgerHeader, txSet, txProcessing } = metadataXdr.value;
    assert.equal(Buffer.from(ledgerHeader.hash.value).toString('hex'), id);
    assert.deepEqual(Buffer.from(ledgerHeader.header.scpValue.txSetHash.value), sha256(txSet.toXdr()));
    const results = new xdr.TransactionResultSet({ results: txProcessing.map(({ result }) => result) });
    assert.deepEqual(Buffer.from(ledgerHeader.header.txSetResultHash.value), sha256(results.toXdr()));
    assert.equal(txProcessing.length, 2);
  });

  test('reads data entries, and nothing for what does not exist', async (t) => {
    const { sandbox, server } = await sandboxFor(t);
    const [owner] = (await fund(sandbox, 1)) as [Keypair];
    const name = 'config.memo_required';
    await server.sendTransaction(await signed(server, owner, [Operation.manageData({ name, value: '1' })]));
    const { sequence } = sandbox.closeLedger();
    const key = (dataName: string) =>
      xdr.LedgerKey.data(new xdr.LedgerKeyData({ accountId: owner.xdrAccountId(), dataName }));
    const { entries, latestLedger } = await server.getLedgerEntries(key(name), key('other'));
    assert.equal(latestLedger, sequence);
    assert.equal(entries.length, 1);
    assert.equal(entries[0]?.lastModifiedLedgerSeq, sequence);
    await assert.rejects(server.getAccount(Keypair.random().publicKey()), /Account not found/);
  });

  test('gets fee statistics of the last ledgers as strings', async (t) => {
    const { sandbox, server } = await sandboxFor(t);
    await fund(sandbox, 3);
    const { inclusionFee, sorobanInclusionFee } = await server.getFeeStats();
    assert.equal(inclusionFee.p90, '100');
    assert.equal(inclusionFee.max, '100');
    assert.equal(sorobanInclusionFee.max, '0');
  });
});

describe('getTransactions', () => {
  test('gives every transaction once, successes and failures, however small the pages', async (t) => {
    const { sandbox, server } = await sandboxFor(t);
    const keys = await fund(sandbox, 5);
    const hashes: string[] = [];
    for (let ledger = 0; ledger < 3; ledger++) {
      for (const [index, key] of keys.entries()) {
        const destination = index === 0 ? Keypair.random() : (keys[0] as Keypair);
        hashes.push((await server.sendTransaction(await signed(server, key, [pay(destination, 1n)]))).hash);
      }
      sandbox.closeLedger();
      sandbox.closeLedger();
    }
    const seen: string[] = [];
    const statuses = new Set<string>();
    let page = await server.getTransactions({ startLedger: 3, pagination: { limit: 2 } });
    const places: bigint[] = [];
    while (page.transactions.length > 0) {
      for (const { txHash, status } of page.transactions) {
        seen.push(txHash);
        statuses.add(status);
      }
      places.push(BigInt(page.cursor));
      page = await server.getTransactions({ pagination: { cursor: page.cursor, limit: 2 } });
    }
    assert.deepEqual(seen.slice(-15).toSorted(), hashes.toSorted());
    assert.equal(new Set(seen).size, seen.length);
    assert.deepEqual([...statuses].toSorted(), ['FAILED', 'SUCCESS']);
    assert.deepEqual(
      places,
      places.toSorted((a, b) => (a < b ? -1 : 1)),
    );

    // The cursor of the last page finds later transactions, and never earlier ones.
    const [first, second] = keys as [Keypair, Keypair];
    assert.equal(
      (await server.getTransactions({ pagination: { cursor: page.cursor } })).transactions.length,
      0,
    );
    const { hash } = await server.sendTransaction(await signed(server, first, [pay(second, 1n)]));
    sandbox.closeLedger();
    const { transactions } = await server.getTransactions({ pagination: { cursor: page.cursor } });
    assert.deepEqual(
      transactions.map(({ txHash }) => txHash),
      [hash],
    );
  });

  test('has cursors of the form ledger << 32 | order << 12 | 1, and at most 200 on a page', async (t) => {
    const { sandbox, server } = await sandboxFor(t);
    await fund(sandbox, 1);
    const { transactions, cursor } = await server.getTransactions({
      startLedger: 2,
      pagination: { limit: 1 },
    });
    const place = (BigInt(transactions[0]?.ledger ?? 0) << 32n) | (1n << 12n) | 1n;
    assert.equal(cursor, place.toString());
    await assert.rejects(server.getTransactions({ startLedger: 2, pagination: { limit: 201 } }), {
      code: -32600,
      message: 'limit must not exceed 200',
    });
  });

  test('refuses a start outside of the history that is kept', async (t) => {
    const { server } = await sandboxFor(t);
    for (const startLedger of [0, 3, 4_000_000_000]) {
      await assert.rejects(server.getTransactions({ startLedger }), {
        code: -32600,
        message: `start ledger (${startLedger}) must be between the oldest ledger: 1 and the latest ledger: 2 for this rpc instance`,
      });
    }
  });
});

describe('the wire', () => {
  test('has times as strings, but as numbers in getTransactions, as stellar-rpc does', async (t) => {
    const { sandbox, server } = await sandboxFor(t);
    const [from] = (await fund(sandbox, 1)) as [Keypair];
    const transaction = await signed(server, from, [pay(from, 1n)]);
    const envelope = transaction.toEnvelope().toXdr('base64');
    const sent = await call(sandbox, rpc('sendTransaction', { transaction: envelope }));
    assert.equal(typeof sent.json.result.latestLedgerCloseTime, 'string');
    assert.equal('errorResultXdr' in sent.json.result, false);
    sandbox.closeLedger();
    const one = await call(sandbox, rpc('getTransaction', { hash: sent.json.result.hash }));
    for (const field of ['createdAt', 'latestLedgerCloseTime', 'oldestLedgerCloseTime']) {
      assert.equal(typeof one.json.result[field], 'string', field);
    }
    const many = await call(sandbox, rpc('getTransactions', { startLedger: 2 }));
    assert.equal(typeof many.json.result.transactions[0].createdAt, 'number');
    assert.equal(typeof many.json.result.latestLedgerCloseTimestamp, 'number');
    const missing = await call(sandbox, rpc('getTransaction', { hash: '0'.repeat(64) }));
    const { status, txHash, ledger, createdAt } = missing.json.result;
    assert.deepEqual([status, txHash, ledger, createdAt], ['NOT_FOUND', '0'.repeat(64), 0, '0']);
  });

  test('answers bad input with the errors of stellar-rpc, and the ledger goes on', async (t) => {
    const { sandbox, server } = await sandboxFor(t);
    const code = async (body: string | object) => (await call(sandbox, body)).json.error.code;
    const { status, text } = await call(sandbox, '{');
    assert.deepEqual([status, text], [500, '[-32700] invalid request value\n']);
    assert.equal(await code('[]'), -32600);
    assert.equal(await code('"text"'), -32600);
    assert.equal(await code({ id: 1, method: 'getHealth' }), -32600);
    assert.equal(await code(rpc('noSuchMethod')), -32601);
    assert.equal(await code(rpc('sendTransaction')), -32602);
    assert.equal(await code(rpc('sendTransaction', { transaction: 5 })), -32602);
    assert.equal(await code(rpc('sendTransaction', ['AAAA'])), -32602);
    for (const transaction of ['', '!!', 'AAAA', Buffer.alloc(4000, 255).toString('base64')]) {
      const { error } = (await call(sandbox, rpc('sendTransaction', { transaction }))).json;
      assert.deepEqual([error.code, error.message], [-32602, 'invalid_xdr']);
    }
    assert.equal(await code(rpc('getTransaction', { hash: 'abc' })), -32602);
    assert.equal(await code(rpc('getTransaction', { hash: 'g'.repeat(64) })), -32602);
    assert.equal(await code(rpc('getLedgerEntries', { keys: ['AAAA'] })), -32602);
    assert.equal(await code(rpc('getLedgerEntries', { keys: Array(201).fill('AAAA') })), -32602);
    assert.equal(await code(rpc('getTransactions', { startLedger: 'x' })), -32602);
    assert.equal(await code(rpc('getTransactions', { pagination: { cursor: '9'.repeat(30) } })), -32602);
    assert.equal(await code(rpc('getTransactions', { pagination: { cursor: 'now' } })), -32602);
    assert.equal((await server.getLatestLedger()).sequence, 2);
    assert.equal(sandbox.closeLedger().sequence, 3);
  });

  test('answers a batch in order and leaves notifications out', async (t) => {
    const { sandbox } = await sandboxFor(t);
    const { json } = await call(sandbox, [
      { ...rpc('getHealth'), id: 'a' },
      { jsonrpc: '2.0', method: 'getHealth' },
      { ...rpc('nope'), id: 'b' },
    ]);
    assert.deepEqual(
      json.map(({ id }: { id: string }) => id),
      ['a', 'b'],
    );
    assert.equal((await call(sandbox, { jsonrpc: '2.0', method: 'getHealth' })).status, 204);
  });

  test('says that it is unhealthy when the last ledger is over 30 seconds old', async (t) => {
    const { ManualClock } = await import('../testing/manual-clock.ts');
    const clock = new ManualClock(1_800_000_000);
    const { sandbox, server } = await sandboxFor(t, { clock });
    await clock.advance(30_000);
    assert.equal((await server.getHealth()).status, 'healthy');
    await clock.advance(1_000);
    await assert.rejects(server.getHealth(), { code: -32603 });
    sandbox.closeLedger();
    assert.equal((await server.getHealth()).status, 'healthy');
  });
});

test('a payment of an amount beyond 2^53 is exact to the stroop', async (t) => {
  const { sandbox, server } = await sandboxFor(t);
  const { rootKeypair } = await import('../ledger/genesis.ts');
  const root = rootKeypair(SANDBOX_PASSPHRASE);
  const [to] = (await fund(sandbox, 1)) as [Keypair];
  const amount = 2n ** 53n + 1n;
  const operation = Operation.payment({
    destination: to.publicKey(),
    asset: Asset.native(),
    amount: '900719925.4740993',
  });
  await server.sendTransaction(await signed(server, root, [operation]));
  sandbox.closeLedger();
  assert.equal((await server.getAccountEntry(to.publicKey())).balance, FRIENDBOT_STROOPS + amount);
});
