import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { xdr } from '@stellar/stellar-sdk/base';
import { UNIT } from '../../testing/test-network.ts';
import {
  assetOf,
  buy,
  operation,
  PAR,
  pay,
  sell,
  sellPassively,
  TradeWorld,
  trust,
} from '../../testing/trade-world.ts';
import { NATIVE } from '../asset.ts';
import { INT64_MAX } from '../bytes.ts';
import { publicKey } from '../entry.ts';
import { lineLiabilities } from '../trust-line.ts';
import { manageSellOffer } from './manage-sell-offer.ts';

const MANY = 10_000_000n * UNIT;
const HALF = { n: 1, d: 2 };
const TWICE = { n: 2, d: 1 };

describe('manage_sell_offer refuses', () => {
  const malformed: [string, (world: TradeWorld) => xdr.Operation][] = [
    ['an asset for itself', ({ usd }) => sell(usd, usd, 1n)],
    ['a negative amount', ({ usd }) => sell(usd, NATIVE, -1n)],
    ['a price of nothing', ({ usd }) => sell(usd, NATIVE, 1n, { price: { n: 0, d: 1 } })],
    ['a price by nothing', ({ usd }) => sell(usd, NATIVE, 1n, { price: { n: 1, d: 0 } })],
    ['a negative price', ({ usd }) => sell(usd, NATIVE, 1n, { price: { n: -1, d: -1 } })],
    ['a negative offer id', ({ usd }) => sell(usd, NATIVE, 1n, { offerId: -1n })],
    ['to delete no offer', ({ usd }) => sell(usd, NATIVE, 0n)],
  ];
  for (const [what, build] of malformed) {
    test(`${what}, at submission`, () => {
      const world = new TradeWorld();
      const { error } = world.net.submit(world.net.build(world.maker, [build(world)]));
      assert.equal(error, 'txFailed(manageSellOfferMalformed)');
    });
  }

  test('an asset with an invalid code', () => {
    const { issuer, usd, net } = new TradeWorld();
    const body = sell(usd, assetOf('U$', issuer), 1n).toXdrObject().body;
    assert.ok(body.type === 3);
    const context = { header: net.network.latest.header, source: issuer.rawPublicKey() };
    const malformed = { code: 0, tr: { type: 3, manageSellOfferResult: { code: -1 } } };
    assert.deepEqual(manageSellOffer.check(body, context), malformed);
  });

  const failures: [string, string, (world: TradeWorld) => xdr.Operation][] = [
    ['SellNoTrust', 'what one cannot hold', ({ issuer }) => sell(assetOf('GBP', issuer), NATIVE, 1n)],
    ['BuyNoTrust', 'to buy what one cannot hold', ({ issuer }) => sell(NATIVE, assetOf('GBP', issuer), 1n)],
    ['Underfunded', 'more than one has', ({ usd }) => sell(usd, NATIVE, 1000n * UNIT + 1n)],
    ['Underfunded', 'the reserve', (world) => sell(NATIVE, world.usd, world.net.available(world.maker))],
    [
      'Underfunded',
      'an empty line, before it looks at authorization',
      (world) => {
        const gbp = assetOf('GBP', world.issuer);
        world.endow(world.maker, gbp, 0n);
        world.authorize(world.maker, gbp, { clear: 1 });
        return sell(gbp, NATIVE, 1n);
      },
    ],
    [
      'SellNotAuthorized',
      'without authorization to sell',
      (world) => unauthorized(world, sell(world.usd, NATIVE, 1n)),
    ],
    [
      'BuyNotAuthorized',
      'without authorization to buy',
      (world) => unauthorized(world, sell(NATIVE, world.usd, 1n)),
    ],
    [
      'LineFull',
      'to buy over the limit of the line',
      (world) => {
        world.must(world.maker, trust(world.usd, 1001n * UNIT));
        return sell(NATIVE, world.usd, UNIT + 1n);
      },
    ],
    [
      'NotFound',
      'to change an offer that is not there',
      ({ usd }) => sell(usd, NATIVE, 1n, { offerId: 77n }),
    ],
    ['NotFound', 'to delete one', ({ usd }) => sell(usd, NATIVE, 0n, { offerId: 77n })],
    [
      'NotFound',
      "to delete somebody else's",
      (world) => {
        world.must(world.taker, sell(world.usd, NATIVE, UNIT));
        return sell(world.usd, NATIVE, 0n, { offerId: world.lastOfferId });
      },
    ],
    [
      'CrossSelf',
      "to take one's own offer",
      (world) => {
        world.must(world.maker, sell(world.usd, world.eur, UNIT));
        return sell(world.eur, world.usd, UNIT);
      },
    ],
    [
      'LowReserve',
      'an offer whose reserve one lacks',
      (world) => {
        world.must(world.maker, pay(world.taker, NATIVE, world.net.available(world.maker) - 5_000_000n));
        return sell(world.usd, world.eur, 1n);
      },
    ],
  ];
  for (const [code, what, build] of failures) {
    test(`${what}: ${code}`, () => {
      const world = new TradeWorld();
      assert.equal(world.apply(world.maker, build(world)), `txFailed(manageSellOffer${code})`);
    });
  }

  test('an order that would have to take more than a thousand offers', () => {
    const world = new TradeWorld();
    const { maker, issuer, taker, usd, eur, net } = world;
    world.must(net.root, pay(maker, NATIVE, MANY), pay(issuer, NATIVE, MANY));
    for (const [owner, offers] of [
      [maker, 990],
      [issuer, 11],
    ] as const) {
      for (let made = 0; made < offers; made += 90) {
        const operations = Array.from({ length: Math.min(90, offers - made) }, () =>
          sell(usd, eur, UNIT / 2n),
        );
        assert.equal(world.apply(owner, ...operations), 'txSuccess');
      }
    }
    assert.equal(world.apply(taker, sell(eur, usd, 501n * UNIT)), 'txFailed(opExceededWorkLimit)');
    world.must(taker, sell(eur, usd, 500n * UNIT));
    assert.equal(world.balance(taker, usd), 1500n * UNIT);
  });
});

describe('an offer', () => {
  test('rests in the book with its liabilities, its reserve and the next id of the ledger', () => {
    const world = new TradeWorld();
    const { maker, usd } = world;
    const available = world.net.available(maker);
    const { result, events } = world.run(maker, sell(usd, NATIVE, 10n * UNIT, { price: HALF }));
    const offer = {
      sellerId: publicKey(maker.rawPublicKey()),
      offerId: 1n,
      selling: usd,
      buying: NATIVE,
      amount: 10n * UNIT,
      price: HALF,
      flags: 0,
      ext: { v: 0 },
    };
    assert.deepEqual(success(result), { offersClaimed: [], offer: { effect: 0, offer } });
    assert.equal(events, 0);
    assert.deepEqual(world.offer(maker, 1n), offer);
    assert.deepEqual(lineLiabilities(world.line(maker, usd)), { buying: 0n, selling: 10n * UNIT });
    assert.equal(world.net.available(maker), available - 100n - 5_000_000n);
    assert.equal(world.lastOfferId, 1n);
  });

  test('is taken in part, then to its end, which gives its reserve back', () => {
    const world = new TradeWorld();
    const { maker, taker, usd, eur } = world;
    world.must(maker, sell(usd, eur, 10n * UNIT));
    const before = world.net.account(maker).numSubEntries;
    const { result, events } = world.run(taker, sell(eur, usd, 4n * UNIT));
    const atom = {
      sellerId: publicKey(maker.rawPublicKey()),
      offerId: 1n,
      assetSold: usd,
      amountSold: 4n * UNIT,
      assetBought: eur,
      amountBought: 4n * UNIT,
    };
    assert.deepEqual(success(result), {
      offersClaimed: [{ type: 1, orderBook: atom }],
      offer: { effect: 2 },
    });
    assert.equal(events, 2);
    assert.equal(world.offer(maker, 1n)?.amount, 6n * UNIT);
    world.must(taker, sell(eur, usd, 8n * UNIT));
    assert.equal(world.offer(maker, 1n), undefined);
    assert.equal(world.net.account(maker).numSubEntries, before - 1);
    assert.equal(world.offer(taker, 2n)?.amount, 2n * UNIT);
    assert.deepEqual([world.balance(taker, usd), world.balance(taker, eur)], [1010n * UNIT, 990n * UNIT]);
  });

  test('is taken in order: the lower price first, of equal ones the older', () => {
    const world = new TradeWorld();
    const { maker, taker, usd, eur } = world;
    world.must(maker, ...[TWICE, PAR, { n: 2, d: 2 }, HALF].map((price) => sell(usd, eur, UNIT, { price })));
    const { result } = world.run(taker, sell(eur, usd, 3n * UNIT));
    const { offersClaimed, offer } = success(result);
    assert.deepEqual(
      offersClaimed.map((atom) => atom.type === 1 && atom.orderBook.offerId),
      [4n, 2n, 3n],
    );
    assert.equal(offer.effect !== 2 && offer.offer.amount, UNIT / 2n);
    assert.equal(world.offer(maker, 1n)?.amount, UNIT);
  });

  test('keeps its entry when it is changed, and may even swap its assets', () => {
    const world = new TradeWorld();
    const { maker, usd, eur } = world;
    world.must(maker, sell(usd, eur, UNIT));
    const { result } = world.run(maker, sell(eur, usd, 2n * UNIT, { price: TWICE, offerId: 1n }));
    assert.equal(success(result).offer.effect, 1);
    assert.deepEqual(lineLiabilities(world.line(maker, usd)), { buying: 4n * UNIT, selling: 0n });
    const deleted = world.run(maker, sell(eur, usd, 0n, { offerId: 1n }));
    assert.deepEqual(success(deleted.result), { offersClaimed: [], offer: { effect: 2 } });
    assert.deepEqual(lineLiabilities(world.line(maker, usd)), { buying: 0n, selling: 0n });
    assert.equal(world.lastOfferId, 1n);
  });

  test('can be deleted when its owner may no longer trade in it', () => {
    const world = new TradeWorld();
    const { maker, usd } = world;
    world.must(maker, sell(usd, NATIVE, UNIT));
    unauthorized(world, sell(usd, NATIVE, 1n));
    world.must(maker, sell(usd, NATIVE, 0n, { offerId: 1n }));
    assert.equal(world.offer(maker, 1n), undefined);
  });

  test('of a holder who lost every authorization leaves the book', () => {
    const world = new TradeWorld();
    const { maker, usd, eur } = world;
    world.must(
      maker,
      sell(usd, NATIVE, UNIT),
      sell(NATIVE, usd, UNIT, { price: TWICE }),
      sell(eur, NATIVE, UNIT),
    );
    world.authorize(maker, usd, { clear: 1 });
    assert.deepEqual(
      [1n, 2n, 3n].map((id) => world.offer(maker, id)?.amount),
      [undefined, undefined, UNIT],
    );
  });

  test('of a holder who may only maintain it is still taken', () => {
    const world = new TradeWorld();
    const { maker, taker, usd } = world;
    world.must(maker, sell(usd, NATIVE, UNIT));
    unauthorized(world, sell(usd, NATIVE, 1n));
    world.must(taker, sell(NATIVE, usd, UNIT));
    assert.equal(world.balance(maker, usd), 999n * UNIT);
  });

  test('holds back what it would sell and the room for what it would buy', () => {
    const world = new TradeWorld();
    const { maker, taker, issuer, usd, eur } = world;
    world.must(maker, trust(eur, 1100n * UNIT), sell(usd, eur, 100n * UNIT));
    assert.equal(world.apply(maker, pay(taker, usd, 900n * UNIT + 1n)), 'txFailed(paymentUnderfunded)');
    assert.equal(world.apply(issuer, pay(maker, eur, 1n)), 'txFailed(paymentLineFull)');
    assert.equal(world.apply(maker, trust(eur, 1099n * UNIT)), 'txFailed(changeTrustInvalidLimit)');
    assert.equal(
      world.apply(maker, sell(usd, NATIVE, 900n * UNIT + 1n)),
      'txFailed(manageSellOfferUnderfunded)',
    );
    world.must(maker, pay(taker, usd, 900n * UNIT));
    world.must(taker, sell(eur, usd, 100n * UNIT));
    assert.deepEqual([world.balance(maker, usd), world.balance(maker, eur)], [0n, 1100n * UNIT]);
  });

  test('of an issuer has no bound but int64', () => {
    const world = new TradeWorld();
    const { issuer, taker, usd, eur } = world;
    world.must(issuer, sell(usd, eur, INT64_MAX));
    world.must(taker, sell(eur, usd, 1000n * UNIT));
    assert.equal(world.offer(issuer, 1n)?.amount, INT64_MAX - 1000n * UNIT);
    assert.deepEqual([world.balance(taker, usd), world.balance(taker, eur)], [2000n * UNIT, 0n]);
  });

  test('too small for any exchange at its price is removed with an empty trade', () => {
    const world = new TradeWorld();
    const { maker, taker, usd, eur } = world;
    world.must(maker, sell(usd, eur, 10n, { price: { n: 3, d: 2 } }));
    const { result, events } = world.run(taker, sell(eur, usd, 1n, { price: HALF }));
    const [atom] = success(result).offersClaimed;
    assert.ok(atom?.type === 1);
    assert.deepEqual([atom.orderBook.amountSold, atom.orderBook.amountBought, events], [0n, 0n, 2]);
    assert.equal(world.offer(maker, 1n)?.amount, 10n);
  });

  test('is paid for by its sponsor, who gets the reserve back when it is taken', () => {
    const world = new TradeWorld();
    const { maker, taker, issuer, usd, eur } = world;
    const available = [maker, issuer].map((key) => world.net.available(key));
    const begin = operation({
      type: 16,
      beginSponsoringFutureReservesOp: { sponsoredId: publicKey(maker.rawPublicKey()) },
    });
    world.must(issuer, begin, sell(usd, eur, UNIT, { source: maker }), operation({ type: 17 }, maker));
    assert.equal(world.net.available(maker), available[0]);
    assert.equal(world.net.available(issuer), (available[1] ?? 0n) - 300n - 5_000_000n);
    world.must(maker, sell(usd, eur, 2n * UNIT, { offerId: 1n }));
    world.must(taker, sell(eur, usd, 2n * UNIT));
    assert.equal(world.net.available(issuer), (available[1] ?? 0n) - 300n);
    assert.equal(world.offer(maker, 1n), undefined);
  });
});

test('ids of offers whose transaction failed are given out again', () => {
  const world = new TradeWorld();
  const { maker, usd } = world;
  const failing = [sell(usd, NATIVE, UNIT), sell(usd, NATIVE, UNIT), sell(usd, NATIVE, MANY)];
  const result = 'txFailed(manageSellOfferSuccess,manageSellOfferSuccess,manageSellOfferUnderfunded)';
  assert.equal(world.apply(maker, ...failing), result);
  assert.equal(world.lastOfferId, 0n);
  world.must(maker, sell(usd, NATIVE, UNIT), sell(usd, NATIVE, UNIT));
  assert.equal(world.lastOfferId, 2n);
  assert.equal(world.offer(maker, 2n)?.amount, UNIT);
});

test('a passive offer does not take offers of the same price, and takes better ones', () => {
  const world = new TradeWorld();
  const { maker, taker, usd, eur } = world;
  world.must(maker, sell(usd, eur, UNIT));
  const { result } = world.run(taker, sellPassively(eur, usd, UNIT));
  assert.equal(result.type, 3, "core's result is that of a manage_sell_offer");
  assert.equal(world.offer(taker, 2n)?.flags, 1);
  assert.equal(world.offer(maker, 1n)?.amount, UNIT);
  world.must(maker, sell(eur, usd, 0n, { offerId: 1n }), sell(usd, eur, UNIT / 2n));
  assert.equal(world.offer(taker, 2n)?.amount, UNIT / 2n, 'an active one takes a passive one of its price');
  world.must(maker, sell(usd, eur, 2n * UNIT));
  assert.equal(world.offer(taker, 2n), undefined);
  world.must(taker, sellPassively(eur, usd, UNIT, { n: 99, d: 100 }));
  assert.equal(world.offer(maker, 3n)?.amount, UNIT / 2n, 'and a passive one takes what is cheaper');
});

describe('manage_buy_offer', () => {
  test('buys its amount to the stroop, at the price of what it buys', () => {
    const world = new TradeWorld();
    const { maker, taker, usd, eur } = world;
    world.must(maker, sell(usd, eur, 9n * UNIT, { price: { n: 2, d: 3 } }));
    const { result } = world.run(taker, buy(eur, usd, 3n * UNIT));
    assert.equal(result.type, 12);
    assert.deepEqual([world.balance(taker, usd), world.balance(taker, eur)], [1003n * UNIT, 998n * UNIT]);
    world.must(taker, buy(eur, usd, 9n * UNIT, { price: { n: 3, d: 2 } }));
    const rest = world.offer(taker, 2n);
    assert.deepEqual([rest?.amount, rest?.price], [45_000_000n, { n: 2, d: 3 }]);
  });

  test('has the same refusals under its own name', () => {
    const world = new TradeWorld();
    const { maker, usd, eur } = world;
    const submitted = world.net.submit(world.net.build(maker, [buy(usd, eur, -1n)]));
    assert.equal(submitted.error, 'txFailed(manageBuyOfferMalformed)');
    assert.equal(world.apply(maker, buy(usd, eur, MANY)), 'txFailed(manageBuyOfferUnderfunded)');
    assert.equal(world.apply(maker, buy(usd, eur, 0n, { offerId: 9n })), 'txFailed(manageBuyOfferNotFound)');
  });
});

test('operations that were never tried are in the result with the zeros of their type', () => {
  const world = new TradeWorld();
  const { maker, usd, eur } = world;
  const operations = [sell(usd, eur, 1n), sellPassively(usd, eur, 1n), buy(usd, eur, 1n), sell(usd, usd, 1n)];
  const success = ['manageSellOfferSuccess', 'manageSellOfferSuccess', 'manageBuyOfferSuccess'];
  const { error } = world.net.submit(world.net.build(maker, operations, { fee: '100' }));
  assert.equal(error, `txFailed(${success.join(',')},manageSellOfferMalformed)`);
});

function success(result: xdr.OperationResultTrWire): xdr.ManageOfferSuccessResultWire {
  assert.ok(result.type === 3 && result.manageSellOfferResult.code === 0);
  return result.manageSellOfferResult.success;
}

/** Reduces the maker's authorization for USD to keeping offers. */
function unauthorized(world: TradeWorld, then: xdr.Operation): xdr.Operation {
  world.authorize(world.maker, world.usd, { clear: 1, set: 2 });
  return then;
}
