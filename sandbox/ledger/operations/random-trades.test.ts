import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Keypair, xdr } from '@stellar/stellar-sdk/base';
import fc from 'fast-check';
import { assertConsistent, heldByAsset } from '../../testing/ledger-invariants.ts';
import { UNIT } from '../../testing/test-network.ts';
import {
  buy,
  receiveStrictly,
  sell,
  sellPassively,
  sendStrictly,
  TradeWorld,
} from '../../testing/trade-world.ts';
import type { Asset } from '../asset.ts';
import { NATIVE, sameAsset } from '../asset.ts';
import type { Offer } from '../offer-book.ts';

const KINDS = ['sell', 'buy', 'passive', 'change', 'receive', 'send'] as const;

const trade = fc.record({
  kind: fc.constantFrom(...KINDS),
  byMaker: fc.boolean(),
  selling: fc.nat(2),
  buying: fc.nat(2),
  between: fc.nat(2),
  amount: fc.oneof(fc.bigInt(0n, 20n), fc.bigInt(1n, 400n * UNIT)),
  price: fc.record({ n: fc.integer({ min: 1, max: 12 }), d: fc.integer({ min: 1, max: 12 }) }),
  which: fc.nat(11),
});
type Trade = typeof trade extends fc.Arbitrary<infer T> ? T : never;

test('after any trades of two traders: no asset is created or lost, liabilities match the offers, the book is not crossed', () => {
  const results = new Map<string, number>();
  fc.assert(
    fc.property(fc.array(trade, { minLength: 20, maxLength: 40 }), (trades) => {
      const world = new TradeWorld();
      const before = issued(world);
      for (const one of trades) {
        const trader = one.byMaker ? world.maker : world.taker;
        const transaction = world.net.build(trader, [operationOf(one, world, trader)]);
        const { status, error } = world.net.submit(transaction);
        const result = status === 'ERROR' ? `${error}` : world.net.resultOf(transaction, world.net.close());
        results.set(`${one.kind} ${result}`, (results.get(`${one.kind} ${result}`) ?? 0) + 1);
        assertConsistent(world.net.network);
        assert.deepEqual(issued(world), before);
        assertNotCrossed(world.offers());
      }
    }),
    { numRuns: 30 },
  );
  for (const kind of KINDS) assert.ok(results.has(`${kind} txSuccess`), `no ${kind} came to anything`);
});

function operationOf(one: Trade, world: TradeWorld, trader: Keypair): xdr.Operation {
  const assets = [NATIVE, world.usd, world.eur];
  const [from, to, middle] = [one.selling, one.buying, one.between].map(
    (index) => assets[index] ?? NATIVE,
  ) as [Asset, Asset, Asset];
  const { kind, amount, price, which } = one;
  const destination = trader === world.maker ? world.taker : world.maker;
  const path = { from, to, path: [middle], destination };
  if (kind === 'sell') return sell(from, to, amount, { price });
  if (kind === 'buy') return buy(from, to, amount, { price });
  if (kind === 'passive') return sellPassively(from, to, amount, price);
  if (kind === 'change') return sell(from, to, amount, { price, offerId: offerOf(trader, which, world) });
  return kind === 'receive'
    ? receiveStrictly(path, amount, 4n * amount)
    : sendStrictly(path, amount, 1n + amount / 4n);
}

/**
 * An open offer of the trader, if there is one. A random number would nearly always name no offer, or one of
 * somebody else.
 */
function offerOf(trader: Keypair, which: number, world: TradeWorld): bigint {
  const seller = Buffer.from(trader.rawPublicKey());
  const own = world.offers().filter(({ sellerId }) => seller.equals(sellerId.ed25519));
  return own[which % own.length]?.offerId ?? 1n;
}

function issued(world: TradeWorld): [string, bigint][] {
  const entries = [...world.net.network.store.entries()].map(([, entry]) => entry);
  return [...heldByAsset(entries)].filter(([asset]) => asset !== 'native');
}

function assertNotCrossed(offers: Offer[]): void {
  for (const a of offers) {
    for (const b of offers) {
      if (!sameAsset(a.selling, b.buying) || !sameAsset(a.buying, b.selling)) continue;
      assert.ok(a.price.n * b.price.n >= a.price.d * b.price.d, `${a.offerId} and ${b.offerId} could trade`);
    }
  }
}
