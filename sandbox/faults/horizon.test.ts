import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Horizon } from '@stellar/stellar-sdk';
import { envelopeOf, faultySandboxFor, hashOf, postForm } from '../testing/faulty-sandbox.ts';
import { closeUntilAnswered } from '../testing/rpc-client.ts';

/** Six payments, each in its own ledger, and the SDK's client for one node. */
async function sixPayments(t: Parameters<typeof faultySandboxFor>[0]) {
  const network = await faultySandboxFor(t);
  for (let ledger = 0; ledger < 6; ledger++) {
    await network.server.sendTransaction(await network.payment());
    network.sandbox.closeLedger();
  }
  const horizonAt = (path: string) =>
    new Horizon.Server(`http://127.0.0.1:${network.sandbox.port}${path}`, { allowHttp: true });
  return { ...network, horizonAt };
}

type Page = { records: { id: string }[] };
const idsOf = ({ records }: Page) => records.map(({ id }) => id);

describe("Horizon's pages through the SDK's client", () => {
  test('come twice, come empty and get lost as scripted', async (t) => {
    const { faults, horizonAt, from } = await sixPayments(t);
    const horizon = horizonAt('');
    const first = await horizon.payments().forAccount(from.publicKey()).limit(2).call();
    const truth = idsOf(await horizon.payments().forAccount(from.publicKey()).limit(200).call());
    assert.deepEqual(idsOf(first), truth.slice(0, 2));
    faults.add([
      { on: 'horizon:payments', kind: 'duplicate_page' },
      { on: 'horizon:payments', kind: 'empty_page', skip: 1 },
      { on: 'horizon:payments', kind: 'lost_page', skip: 3 },
    ]);
    const again = await first.next();
    assert.deepEqual(idsOf(again), idsOf(first));
    const empty = await again.next();
    assert.deepEqual(idsOf(empty), []);
    const second = await empty.next();
    assert.deepEqual(idsOf(second), truth.slice(2, 4));
    const lost = await second.next();
    assert.deepEqual(idsOf(lost), []);
    assert.deepEqual(idsOf(await lost.next()), truth.slice(6));
    assert.deepEqual(idsOf(await second.prev()).toReversed(), truth.slice(0, 2));
  });

  test('the page at the root reads its own lists: no fault is used up by it', async (t) => {
    const { sandbox, faults } = await sixPayments(t);
    faults.add({ on: '*', kind: 'status', status: 500 });
    for (const path of ['transactions', 'ledgers', 'accounts', 'network']) {
      assert.equal((await fetch(`${sandbox.url}explorer/${path}`)).status, 200, path);
    }
    assert.equal((await fetch(`${sandbox.url}transactions`)).status, 500);
  });

  test('say in the header too how far a node is that lags for this one answer', async (t) => {
    const { sandbox, faults } = await sixPayments(t);
    faults.add({ on: 'horizon:root', kind: 'stale', lag_ledgers: 2 });
    const response = await fetch(sandbox.url);
    const { history_latest_ledger } = (await response.json()) as { history_latest_ledger: number };
    assert.equal(response.headers.get('latest-ledger'), `${history_latest_ledger}`);
  });

  test('stay at the node that was asked: links lead back to it', async (t) => {
    const { sandbox, faults, horizonAt, from } = await sixPayments(t);
    faults.setNode('b', { lag_ledgers: 3 });
    const behind = horizonAt('/nodes/b');
    const first = await behind.payments().forAccount(from.publicKey()).limit(3).call();
    const second = await first.next();
    assert.deepEqual([first.records.length, second.records.length], [3, 1]);
    const account = await behind.loadAccount(from.publicKey());
    const ahead = await horizonAt('').loadAccount(from.publicKey());
    assert.equal(BigInt(ahead.sequence) - BigInt(account.sequence), 3n);
    const body = await (await fetch(`http://127.0.0.1:${sandbox.port}/nodes/b`)).json();
    const { _links } = body as { _links: { self: { href: string } } };
    assert.ok(_links.self.href.endsWith(`:${sandbox.port}/nodes/b/`));
  });
});

describe("Horizon's submission", () => {
  test('TRY_AGAIN_LATER is a 503 of the asynchronous form', async (t) => {
    const { sandbox, faults, payment } = await sixPayments(t);
    faults.add({ on: 'horizon:submit_async', kind: 'try_again_later' });
    const tx = envelopeOf(await payment());
    const response = await postForm(sandbox, '/transactions_async', { tx });
    const { tx_status } = (await response.json()) as { tx_status: string };
    assert.deepEqual([response.status, tx_status], [503, 'TRY_AGAIN_LATER']);
    assert.equal(sandbox.closeLedger().transaction_count, 0);
  });

  test('its answer may be lost: the same envelope again is found in history', async (t) => {
    const { sandbox, faults, payment, horizonAt } = await sixPayments(t);
    const transaction = await payment();
    faults.add({ on: 'horizon:submit', kind: 'answer_lost' });
    const horizon = horizonAt('');
    await assert.rejects(horizon.submitTransaction(transaction));
    assert.equal(sandbox.closeLedger().transaction_count, 1);
    const { hash } = await closeUntilAnswered(sandbox, horizon.submitTransaction(transaction));
    assert.equal(hash, hashOf(transaction));
  });
});

test('a stream breaks in the middle of its second record', async (t) => {
  const { sandbox, faults, from } = await sixPayments(t);
  faults.add({ on: 'horizon:stream', kind: 'stream_cut', after_records: 1 });
  const url = `http://127.0.0.1:${sandbox.port}/accounts/${from.publicKey()}/payments?cursor=0`;
  const response = await fetch(url, { headers: { accept: 'text/event-stream' } });
  let text = '';
  await assert.rejects(async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  });
  const events = text.split('\n\n');
  assert.equal(events.length, 3);
  assert.match(events[1] ?? '', /^id: \d+\ndata: \{.*\}$/);
  assert.match(events[2] ?? '', /^id: \d+\ndata: \{.*[^}]$/);
});
