/** RPC and Horizon nodes of one network that lag, lose history, give false answers, or give none. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import { envelopeOf, hashOf } from '../../../sandbox/testing/faulty-sandbox.ts';
import { signed } from '../../../sandbox/testing/rpc-client.ts';
import { pay } from '../../../sandbox/testing/test-network.ts';
import { type Fault, KINDS, sandboxChains } from '../../../test/support/sandbox-chains.ts';

test('RPC and Horizon give the same accounts, ledgers and transactions', async (t) => {
  const { sandbox, server, from, to, over } = await sandboxChains(t);
  const rpc = over({ rpc: ['a'] }).stellar;
  const horizon = over({ horizon: ['a'] }).stellar;
  const begin = sandbox.closeLedger().sequence;

  const sponsored = Keypair.random();
  const sponsoring = await signed(
    server,
    from,
    [
      Operation.beginSponsoringFutureReserves({ sponsoredId: sponsored.publicKey() }),
      Operation.createAccount({ destination: sponsored.publicKey(), startingBalance: '0' }),
      Operation.endSponsoringFutureReserves({ source: sponsored.publicKey() }),
      Operation.manageData({ name: 'config.memo_required', value: '1' }),
    ],
    '1000',
  );
  sponsoring.sign(sponsored);
  const inner = await signed(server, to, [pay(from, 1n)]);
  const bumped = TransactionBuilder.buildFeeBumpTransaction(from, '500', inner, sandbox.passphrase);
  bumped.sign(from);
  await rpc.submit(envelopeOf(sponsoring));
  await horizon.submit(bumped.toXdr());
  sandbox.closeLedger();
  const failing = await signed(server, to, [pay(Keypair.random(), 1n)]);
  await horizon.submit(envelopeOf(failing));
  sandbox.closeLedger();
  sandbox.closeLedger();

  const accounts = [from, to, sponsored, Keypair.random()].map((key) => key.publicKey());
  const states = await rpc.readAccounts(accounts);
  assert.deepEqual(await horizon.readAccounts(accounts), states);
  assert.equal(states.accounts.size, 3);
  assert.equal(states.accounts.get(from.publicKey())?.memo_required, true);
  assert.equal(states.accounts.get(to.publicKey())?.memo_required, false);
  assert.equal(states.accounts.get(sponsored.publicKey())?.spendable_stroops, 0n);
  const sequences = await rpc.readSequences(accounts);
  assert.deepEqual(await horizon.readSequences(accounts), sequences);
  assert.equal(sequences.sequences.size, 3);
  assert.deepEqual(await horizon.latestLedger(), await rpc.latestLedger());

  const bumpHash = Buffer.from(bumped.hash()).toString('hex');
  for (const hash of [hashOf(sponsoring), hashOf(inner), bumpHash, hashOf(failing), '00'.repeat(32)]) {
    assert.deepEqual(await horizon.find(hash), await rpc.find(hash));
    assert.deepEqual(await horizon.readTransaction(hash), await rpc.readTransaction(hash));
  }
  const byInner = await horizon.find(hashOf(inner));
  assert.equal(byInner.found === 'applied' && byInner.hash, bumpHash);
  assert.equal((await horizon.find('00'.repeat(32))).found, 'absent');
  for (const after of [begin - 1, begin, begin + 1, begin + 2, begin + 3, begin + 500]) {
    assert.deepEqual(await horizon.readLedgersAfter(after, null), await rpc.readLedgersAfter(after, null));
  }
  const range = await horizon.readLedgersAfter(begin, null);
  assert(range.read === 'ledgers');
  assert.equal(range.transactions.length, 3);
  for (const transaction of range.transactions) {
    const read = await rpc.readTransaction(transaction.hash);
    assert.deepEqual(read.found === 'applied' && read.transaction, transaction, 'the same as in its ledger');
  }
  const inside = await rpc.readTransaction(hashOf(inner));
  assert.equal(inside.found === 'applied' && inside.transaction.hash, bumpHash);
});

test('friendbot is found through RPC and through Horizon', async (t) => {
  const { sandbox, over } = await sandboxChains(t);
  for (const [, urls] of KINDS) {
    const { stellar } = over(urls);
    const account = Keypair.random().publicKey();
    let funded = false;
    const funding = stellar.fund(account).finally(() => {
      funded = true;
    });
    while (!funded) {
      sandbox.closeLedger();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await funding;
    assert.ok((await stellar.readAccounts([account])).accounts.has(account));
  }
});

test('Horizon’s answer to a submission has the same form as RPC’s', async (t) => {
  const { sandbox, server, from, to, over } = await sandboxChains(t);
  for (const [, urls] of KINDS) {
    const { stellar } = over(urls);
    const first = await signed(server, from, [pay(to, 1n)]);
    const second = await signed(server, from, [pay(to, 2n)]);
    const cheap = await signed(server, to, [pay(from, 1n)], '1');
    const hints: [string, string][] = [
      [envelopeOf(first), 'pending null null'],
      [envelopeOf(first), 'duplicate null null'],
      [envelopeOf(second), 'try_again_later null null'],
      [envelopeOf(cheap), 'refused tx_insufficient_fee 100'],
    ];
    for (const [envelope, expected] of hints) {
      const { answer, code, fee_needed_stroops } = await stellar.submit(envelope);
      assert.equal(`${answer} ${code} ${fee_needed_stroops}`, expected);
    }
    sandbox.closeLedger();
    const { answer, code } = await stellar.submit(envelopeOf(second));
    assert.equal(`${answer} ${code}`, 'refused tx_bad_seq');
    assert.equal((await stellar.submit('AAAA')).answer, 'no_answer');
  }
});

/** The fault of a node for every request of these kinds, until it is removed. */
const BREAKDOWNS: Fault[] = [
  { on: '*', kind: 'status', status: 500, times: null },
  { on: '*', kind: 'status', status: 429, times: null },
  { on: '*', kind: 'answer_lost', times: null },
  { on: '*', kind: 'truncated', times: null },
  { on: '*', kind: 'truncated', content_length: 'half', times: null },
];

test('a node that fails decides nothing, and a working one is asked instead, RPC or Horizon', async (t) => {
  const { sandbox, faults, server, from, to, over } = await sandboxChains(t);
  const payment = await signed(server, from, [pay(to, 1n)]);
  await over({ rpc: ['b'] }).stellar.submit(envelopeOf(payment));
  const before = sandbox.closeLedger().sequence - 1;
  for (const breakdown of BREAKDOWNS) {
    faults.clear();
    faults.add({ ...breakdown, node: 'a' });
    for (const [, urls] of KINDS) {
      const { stellar } = over(urls);
      assert.equal((await stellar.find(hashOf(payment))).found, 'unknown');
      assert.equal((await stellar.submit(envelopeOf(payment))).answer, 'no_answer');
      await assert.rejects(stellar.latestLedger(), /nothing was started/i);
      await assert.rejects(stellar.readLedgersAfter(before, null), /nothing was started/i);
      await assert.rejects(stellar.readAccounts([from.publicKey()]), /nothing was started/i);
      await assert.rejects(stellar.feePerOperation(), /nothing was started/i);
    }
    for (const urls of [
      { rpc: ['a', 'b'] },
      { rpc: ['a'], horizon: ['b'] },
      { rpc: [], horizon: ['a', 'b'] },
    ]) {
      const { stellar } = over(urls);
      assert.equal((await stellar.find(hashOf(payment))).found, 'applied');
      const range = await stellar.readLedgersAfter(before, null);
      assert.equal(range.read === 'ledgers' && range.transactions.length, 1);
    }
  }
});

test('empty, lost or repeated pages never make an incomplete ledger look whole', async (t) => {
  const { sandbox, faults, server, from, to, over } = await sandboxChains(t);
  const listings = { RPC: 'getLedgers', Horizon: 'horizon:transactions' } as const;
  for (const [name, urls] of KINDS) {
    for (const kind of ['empty_page', 'lost_page', 'duplicate_page'] as const) {
      const { stellar, unusable } = over(urls);
      await over(urls).stellar.readLedgersAfter(1, null); // so that there is a page to give again
      const after = sandbox.closeLedger().sequence;
      const payment = await signed(server, from, [pay(to, 1n)]);
      await stellar.submit(envelopeOf(payment));
      sandbox.closeLedger();
      faults.add({ on: listings[name], kind, times: null, node: 'a' });
      await assert.rejects(stellar.readLedgersAfter(after, null), /nothing was started/i, `${name} ${kind}`);
      assert.deepEqual(await unusable(), { [listings[name]]: 1 });
      faults.clear();
      const range = await stellar.readLedgersAfter(after, null);
      assert(range.read === 'ledgers');
      assert.equal(range.transactions[0]?.envelope.toString('base64'), envelopeOf(payment));
    }
  }
});

test('with one of two nodes 15 ledgers behind, an applied transaction is found, and "absent" covers only its own source’s ledgers', async (t) => {
  const { sandbox, faults, server, from, to, over } = await sandboxChains(t);
  for (const urls of [{ rpc: ['a', 'b'] }, { horizon: ['a', 'b'] }, { rpc: ['a'], horizon: ['b'] }]) {
    faults.setNode('a', { lag_ledgers: 0 });
    const payment = await signed(server, from, [pay(to, 1n)]);
    await over({ rpc: ['b'] }).stellar.submit(envelopeOf(payment));
    for (let ledger = 1; ledger <= 15; ledger++) sandbox.closeLedger();
    const { sequence } = sandbox.closeLedger();
    faults.setNode('a', { lag_ledgers: 15 });
    const { stellar } = over(urls);
    const absent = await stellar.find('00'.repeat(32));
    assert(absent.found === 'absent');
    const lagging = await over({ rpc: ['a'] }).stellar.latestLedger();
    assert.equal(lagging.sequence, sequence - 15);
    const whole = absent.latest_ledger === sequence;
    assert.equal(
      absent.latest_close_time,
      whole ? (await over({ rpc: ['b'] }).stellar.latestLedger()).close_time : lagging.close_time,
    );
    const range = await stellar.readLedgersAfter(sequence - 1, null);
    assert.equal(range.read === 'ledgers' && range.through_ledger, sequence);
  }
});

test('one proof never mixes two sources: a source that fails between its two look-ups proves nothing', async (t) => {
  const { sandbox, faults, over } = await sandboxChains(t);
  for (let ledger = 1; ledger <= 15; ledger++) sandbox.closeLedger();
  const { sequence } = sandbox.closeLedger();
  const dying: Fault[] = [
    { on: 'getTransaction', kind: 'status', status: 502, skip: 1, times: null, node: 'a' },
    { on: 'horizon:transaction', kind: 'answer_lost', skip: 1, times: null, node: 'a' },
  ];
  for (const urls of [
    { rpc: ['a', 'b'] },
    { horizon: ['a', 'b'] },
    { rpc: ['a'], horizon: ['b'] },
    { rpc: ['b'], horizon: ['a'] },
  ]) {
    faults.clear();
    faults.setNode('a', { lag_ledgers: 10 });
    faults.setNode('b', { oldest_ledger: sequence - 2 });
    for (const fault of dying) faults.add(fault);
    const { stellar } = over(urls);
    const absent = await stellar.find('00'.repeat(32));
    assert(absent.found === 'absent');
    assert.equal(absent.latest_ledger, sequence);
    assert.equal(absent.oldest_ledger, sequence - 2);
  }
});

test('"absent" never covers ledgers that the source has lost, whatever another source has', async (t) => {
  const { sandbox, faults, over } = await sandboxChains(t);
  for (let ledger = 1; ledger <= 10; ledger++) sandbox.closeLedger();
  const { sequence } = sandbox.closeLedger();
  for (const [, urls] of KINDS) {
    const { stellar } = over(urls);
    faults.setNode('a', { oldest_ledger: sequence - 2 });
    const absent = await stellar.find('00'.repeat(32));
    assert.equal(absent.found === 'absent' && absent.oldest_ledger, sequence - 2);
    assert.deepEqual(await stellar.readLedgersAfter(2, null), { read: 'gap', oldest_ledger: sequence - 2 });
    faults.setNode('a', {});
  }
  // The other node has the ledgers.
  faults.setNode('a', { oldest_ledger: sequence - 2 });
  for (const urls of [{ rpc: ['a', 'b'] }, { rpc: ['a'], horizon: ['b'] }, { horizon: ['a', 'b'] }]) {
    assert.equal((await over(urls).stellar.readLedgersAfter(2, null)).read, 'ledgers');
  }
});

test('a source of another network is never asked about ours, whatever its kind', async (t) => {
  const { sandbox, faults, over } = await sandboxChains(t);
  sandbox.closeLedger();
  faults.add({ on: 'getNetwork', kind: 'wrong_network', times: null, node: 'a' });
  faults.add({ on: 'horizon:root', kind: 'wrong_network', times: null, node: 'a' });
  for (const [name, urls] of KINDS) {
    const { stellar, requests } = over(urls);
    assert.equal((await stellar.find('00'.repeat(32))).found, 'unknown');
    assert.equal((await stellar.submit('AAAA')).answer, 'no_answer');
    await assert.rejects(stellar.readLedgersAfter(1, null), /nothing was started/i);
    assert.deepEqual(await requests(), { [name === 'RPC' ? 'getNetwork' : 'horizon:root']: 3 });
  }
  // A node that changes its network between two look-ups proves nothing.
  faults.clear();
  const { stellar } = over({ horizon: ['a'] });
  await stellar.latestLedger();
  faults.add({ on: 'horizon:root', kind: 'wrong_network', skip: 1, times: null, node: 'a' });
  assert.equal((await stellar.find('00'.repeat(32))).found, 'unknown');
});

test('a stellar-core that is busy is asked again until it answers, and counts as away only after some seconds', async (t) => {
  const { faults, clock, from, overPassingTime } = await sandboxChains(t);
  const account = from.publicKey();
  const { stellar, requests } = overPassingTime({ rpc: ['a'] });
  faults.add({ on: 'getLedgerEntries', kind: 'core_busy', requests: 3, times: null });
  assert.ok((await stellar.readAccounts([account])).accounts.has(account));
  assert.equal((await requests()).getLedgerEntries, 4);
  faults.clear();
  const began_ms = clock.now().getTime();
  faults.add({ on: 'getLedgerEntries', kind: 'core_busy', requests: 1000, times: null });
  await assert.rejects(stellar.readAccounts([account]), /answer could not be used/);
  assert.ok(clock.now().getTime() - began_ms >= 6_000);
  assert.equal((await requests()).getLedgerEntries, 4 + 8);
});

test('a source whose stellar-core has been busy for a minute cannot be used until it gives entries again', async (t) => {
  const { faults, clock, from, overPassingTime } = await sandboxChains(t);
  const { stellar } = overPassingTime({ rpc: ['a'] });
  const read = () => stellar.readAccounts([from.publicKey()]);
  const report = async () => {
    const [of_a] = await stellar.sources();
    assert(of_a);
    return of_a.usable ? 'usable' : of_a.reason;
  };
  const began = clock.now().toISOString();
  faults.add({ on: 'getLedgerEntries', kind: 'core_busy', requests: 1000, times: null });
  await assert.rejects(read(), /answer could not be used/); // after six seconds
  await clock.advance(30_000);
  assert.equal(await report(), 'usable', 'as after its restart');
  await clock.advance(30_000);
  await stellar.latestLedger(); // it gives ledgers all the time
  assert.equal(await report(), `its stellar-core has been busy since ${began}, so it gives no entries`);
  faults.clear();
  assert.equal(await report(), 'usable', 'though nobody else has asked for entries');

  faults.add({ on: 'getLedgerEntries', kind: 'core_busy', requests: 1, times: null });
  await read();
  await clock.advance(90_000);
  faults.clear();
  faults.add({ on: 'getLedgerEntries', kind: 'core_busy', requests: 1000, times: null });
  await assert.rejects(read(), /answer could not be used/);
  assert.equal(await report(), 'usable', 'the moment before counts no longer');
});

test('while its stellar-core is busy another source answers at once, and the first one stays the preferred one', async (t) => {
  const { sandbox, faults, from, over } = await sandboxChains(t);
  const { stellar } = over({ rpc: ['a', 'b'] });
  const { sequence } = sandbox.closeLedger();
  const read = async () => (await stellar.readAccounts([from.publicKey()])).latest.sequence;
  faults.add({ on: 'getLedgerEntries', kind: 'core_busy', times: null, node: 'a' });
  assert.equal(await read(), sequence);
  faults.clear();
  faults.setNode('a', { lag_ledgers: 1 }); // its answers are known by that
  assert.equal(await read(), sequence - 1);
});
