/** Sources of two networks with one passphrase: ledgers come only from the network with the known chain. */
import { strict as assert } from 'node:assert';
import { after, before, beforeEach, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import {
  closingLedgers,
  type InProcessService,
  startNetwork,
} from '../../../test/support/in-process-service.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLog } from '../../lib/log.ts';
import { createMetrics } from '../../lib/metrics.ts';
import type { Anchor } from '../stellar.ts';
import { createStellar } from './create-stellar.ts';

let ours: InProcessService['sandbox'];
let other: InProcessService['sandbox'];
let anchor: Anchor;
/** The ledger of the other chain with the same number. */
let theirs: Anchor;
const closes: (() => Promise<void>)[] = [];

before(async () => {
  [ours, other] = await Promise.all([startNetwork({ faults: true }), startNetwork({ faults: true })]);
  const funded = fetch(`${other.friendbot_url}?addr=${Keypair.random().publicKey()}`);
  await closingLedgers(other, funded); // from here on each of its ledgers is another one
});
beforeEach(() => {
  for (const network of [ours, other]) network.faults?.clear();
  let [one, two] = [ours.closeLedger(), other.closeLedger()];
  while (one.sequence < two.sequence) one = ours.closeLedger();
  while (two.sequence < one.sequence) two = other.closeLedger();
  anchor = { ledger: one.sequence, hash: one.hash };
  theirs = { ledger: two.sequence, hash: two.hash };
  for (let closed = 0; closed < 3; closed++) for (const network of [ours, other]) network.closeLedger();
});
after(async () => {
  for (const close of closes) await close();
  await Promise.all([ours.stop(), other.stop()]);
});

type Kind = 'rpc' | 'horizon';
const URLS = {
  rpc: (sandbox: InProcessService['sandbox']) => `${sandbox.url}nodes/a/rpc`,
  horizon: (sandbox: InProcessService['sandbox']) => `${sandbox.url}nodes/a`,
};

/** A Stellar with one node of each of these networks. */
function over(...sources: [Kind, InProcessService['sandbox']][]) {
  const metrics = createMetrics();
  const of = (kind: Kind) => sources.filter(([each]) => each === kind).map(([, at]) => URLS[kind](at));
  const stellar = createStellar({
    rpc_urls: of('rpc'),
    horizon_urls: of('horizon'),
    passphrase: ours.passphrase,
    clock: systemClock,
    log: createLog('silent', false),
    metrics,
  });
  closes.push(() => stellar.close());
  const unusable = async () => {
    const { values } = await metrics.unusable_answers.get();
    return Object.fromEntries(values.map(({ labels, value }) => [`${labels.method}`, value]));
  };
  return { stellar, unusable };
}

test('a source on another chain is counted, and a source with the known ledger is read instead', async () => {
  const pairs: [Kind, Kind, string][] = [
    ['rpc', 'rpc', 'getLedgers'],
    ['rpc', 'horizon', 'getLedgers'],
    ['horizon', 'horizon', 'horizon:ledgers'],
  ];
  for (const [liar, honest, counted] of pairs) {
    const { stellar, unusable } = over([liar, other], [honest, ours]);
    const range = await stellar.readLedgersAfter(anchor.ledger, anchor);
    assert(range.read === 'ledgers');
    assert.equal(range.hashes[0], anchor.hash);
    assert.deepEqual(await unusable(), { [counted]: 1 });
    const next = { ledger: range.through_ledger, hash: range.through_hash };
    ours.closeLedger();
    assert.equal((await stellar.readLedgersAfter(next.ledger, next)).read, 'ledgers');
    assert.deepEqual(await unusable(), { [counted]: 1 }, 'whoever was right is asked first from then on');
  }
});

test('"other chain" is the answer only when every source that answers is on another chain', async () => {
  const { ledger } = anchor;
  const lonely = over(['rpc', other], ['horizon', other]);
  assert.deepEqual(await lonely.stellar.readLedgersAfter(ledger, anchor), { read: 'other_chain' });
  assert.deepEqual(await lonely.unusable(), { getLedgers: 1, 'horizon:ledgers': 1 });

  const { stellar } = over(['rpc', other], ['rpc', ours]);
  ours.faults?.setNode('a', { oldest_ledger: ledger + 3 });
  assert.deepEqual(await stellar.readLedgersAfter(ledger, anchor), {
    read: 'gap',
    oldest_ledger: ledger + 3,
  });
  ours.faults?.setNode('a', {});
  ours.faults?.add({ on: '*', kind: 'status', status: 500, times: null });
  assert.deepEqual(await stellar.readLedgersAfter(ledger, anchor), { read: 'other_chain' });
  other.faults?.add({ on: '*', kind: 'status', status: 500, times: null });
  await assert.rejects(
    stellar.readLedgersAfter(ledger, anchor),
    /nothing was started/i,
    'nobody has answered',
  );
});

test('ledgers before or after the known one come from a source that has shown the known one', async () => {
  for (const kind of ['rpc', 'horizon'] as const) {
    for (const after_ledger of [anchor.ledger - 4, anchor.ledger + 1]) {
      const { stellar } = over([kind, other], [kind, ours]);
      const range = await stellar.readLedgersAfter(after_ledger, anchor);
      const honest = await over([kind, ours]).stellar.readLedgersAfter(after_ledger, null);
      assert(range.read === 'ledgers' && honest.read === 'ledgers');
      assert.deepEqual(range.hashes.slice(0, 2), honest.hashes.slice(0, 2));
      const { stellar: elsewhere } = over([kind, other]);
      assert.deepEqual(await elsewhere.readLedgersAfter(after_ledger, anchor), { read: 'other_chain' });
    }
    const ahead = { ledger: anchor.ledger + 500, hash: anchor.hash };
    await assert.rejects(over([kind, ours]).stellar.readLedgersAfter(2, ahead), /nothing was started/i);
  }
});

test('a reader on one chain never gets ledgers that another reader read on the other chain', async () => {
  const { stellar } = over(['rpc', ours], ['rpc', other]);
  const { ledger } = anchor;
  const [mine, yours] = await Promise.all([
    stellar.readLedgersAfter(ledger, anchor),
    stellar.readLedgersAfter(ledger, theirs),
  ]);
  assert(mine.read === 'ledgers' && yours.read === 'ledgers');
  assert.deepEqual([mine.hashes[0], yours.hashes[0]], [anchor.hash, theirs.hash]);
  for (const each of [anchor, theirs]) {
    const again = await stellar.readLedgersAfter(ledger, each);
    assert.equal(again.read === 'ledgers' && again.hashes[0], each.hash, 'also a moment later');
  }
});
