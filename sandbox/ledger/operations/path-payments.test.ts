import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Keypair, type xdr } from '@stellar/stellar-sdk/base';
import { UNIT } from '../../testing/test-network.ts';
import {
  assetOf,
  operation,
  pay,
  receiveStrictly,
  sell,
  sendStrictly,
  TradeWorld,
  trust,
} from '../../testing/trade-world.ts';
import type { Asset } from '../asset.ts';
import { NATIVE } from '../asset.ts';
import { publicKey } from '../entry.ts';

const HALF = { n: 1, d: 2 };
const THIRD = { n: 1, d: 3 };

/** The taker pays the maker. Each case says what is wrong, for both operations. */
type Case = {
  from?: Asset;
  to?: Asset;
  path?: Asset[];
  destination?: Keypair;
  fixed?: bigint;
  bound?: bigint;
};
const failures: [code: string, why: string, (world: TradeWorld) => Case][] = [
  ['Malformed', 'amount', () => ({ fixed: 0n })],
  ['Malformed', 'bound', () => ({ bound: -1n })],
  ['NoDestination', 'destination', () => ({ destination: Keypair.random() })],
  [
    'SrcNoTrust',
    'line of the sender',
    ({ issuer }) => ({ from: assetOf('GBP', issuer), to: assetOf('GBP', issuer) }),
  ],
  ['NoTrust', 'line of the receiver', ({ issuer }) => ({ from: NATIVE, to: assetOf('GBP', issuer) })],
  ['Underfunded', 'means', ({ usd }) => ({ from: usd, to: usd, fixed: 1000n * UNIT + 1n })],
  ['TooFewOffers', 'book', () => ({})],
  [
    'TooFewOffers',
    'depth of the book',
    (world) => {
      world.must(world.issuer, sell(world.eur, world.usd, UNIT - 1n));
      return { fixed: UNIT };
    },
  ],
  [
    'OfferCrossSelf',
    "book of somebody else's",
    (world) => {
      world.must(world.taker, sell(world.eur, world.usd, UNIT));
      return {};
    },
  ],
  [
    'LineFull',
    'room',
    (world) => {
      world.must(world.maker, trust(world.eur, 1000n * UNIT));
      world.must(world.issuer, sell(world.eur, world.usd, UNIT));
      return {};
    },
  ],
];

const modes = [
  {
    name: 'pathPaymentStrictReceive',
    build: receiveStrictly,
    unmet: 'OverSendmax',
    generous: 10_000n * UNIT,
  },
  { name: 'pathPaymentStrictSend', build: sendStrictly, unmet: 'UnderDestmin', generous: 1n },
] as const;

for (const { name, build, unmet, generous } of modes) {
  describe(`${name} fails`, () => {
    for (const [code, why, caseOf] of failures) {
      test(`for want of ${why}: ${code}`, () => {
        const world = new TradeWorld();
        // A strict receive credits before it trades, a strict send afterwards.
        if (code === 'NoTrust' && name === 'pathPaymentStrictSend') {
          world.must(world.issuer, sell(assetOf('GBP', world.issuer), NATIVE, UNIT));
        }
        const { from = world.usd, to = world.eur, ...rest } = caseOf(world);
        if (code === 'SrcNoTrust') world.endow(world.maker, assetOf('GBP', world.issuer), 0n);
        const path = { from, to, destination: rest.destination ?? world.maker };
        const payment = build(path, rest.fixed ?? UNIT / 2n, rest.bound ?? generous);
        const transaction = world.net.build(world.taker, [payment]);
        const { status, error } = world.net.submit(transaction);
        const result = status === 'ERROR' ? error : world.net.resultOf(transaction, world.net.close());
        assert.equal(result, `txFailed(${name}${code})`);
        assert.equal(status, code === 'Malformed' ? 'ERROR' : 'PENDING');
      });
    }

    test('when the sender or the receiver is not authorized', () => {
      const world = new TradeWorld();
      const { taker, maker, usd } = world;
      const payment = build({ from: usd, to: usd, destination: maker }, 1n, generous);
      world.authorize(taker, usd, { clear: 1, set: 2 });
      assert.equal(world.apply(taker, payment), `txFailed(${name}SrcNotAuthorized)`);
      world.authorize(taker, usd, { clear: 2, set: 1 });
      world.authorize(maker, usd, { clear: 1, set: 2 });
      assert.equal(world.apply(taker, payment), `txFailed(${name}NotAuthorized)`);
    });

    test(`beyond its bound, by one stroop: ${unmet}`, () => {
      const world = new TradeWorld();
      const { issuer, taker, maker, usd, eur } = world;
      world.must(issuer, sell(eur, usd, 100n * UNIT, { price: HALF }));
      const [fixed, bound] = name === 'pathPaymentStrictReceive' ? [2n * UNIT, UNIT] : [UNIT, 2n * UNIT];
      const step = name === 'pathPaymentStrictReceive' ? -1n : 1n;
      const path = { from: usd, to: eur, destination: maker };
      assert.equal(world.apply(taker, build(path, fixed, bound + step)), `txFailed(${name}${unmet})`);
      world.must(taker, build(path, fixed, bound));
    });
  });
}

/** 2 USD buy 4 of the native asset, and these 12 EUR. */
function twoBooks(): TradeWorld {
  const world = new TradeWorld();
  const { issuer, maker, usd, eur } = world;
  world.must(maker, sell(NATIVE, usd, 100n * UNIT, { price: HALF }));
  world.must(issuer, sell(eur, NATIVE, 100n * UNIT, { price: THIRD }));
  return world;
}

describe('a path over two books', () => {
  for (const { name, build } of modes) {
    test(`${name}: the balances match, the trades are in the order of the path, and each is two events`, () => {
      const world = twoBooks();
      const { maker, taker, usd, eur } = world;
      const before = [world.balance(taker, usd), world.balance(maker, usd), world.balance(taker, eur)];
      const path = { from: usd, to: eur, path: [NATIVE], destination: taker };
      const [fixed, bound] = name === 'pathPaymentStrictReceive' ? [12n, 2n] : [2n, 12n];
      const { result, events } = world.run(taker, build(path, fixed * UNIT, bound * UNIT));
      const { offers, last } = success(result);
      assert.deepEqual(
        offers.map((atom) => atom.type === 1 && [atom.orderBook.offerId, atom.orderBook.amountBought]),
        [
          [1n, 2n * UNIT],
          [2n, 4n * UNIT],
        ],
      );
      assert.deepEqual(last, {
        destination: publicKey(taker.rawPublicKey()),
        asset: eur,
        amount: 12n * UNIT,
      });
      assert.equal(events, 5);
      const after = [world.balance(taker, usd), world.balance(maker, usd), world.balance(taker, eur)];
      const moved = after.map((balance, index) => balance - (before[index] ?? 0n));
      assert.deepEqual(moved, [-2n * UNIT, 2n * UNIT, 12n * UNIT]);
      assert.equal(world.offer(maker, 1n)?.amount, 96n * UNIT);
    });
  }

  test('takes as many offers as it needs, the dearer ones last', () => {
    const world = new TradeWorld();
    const { issuer, maker, taker, usd, eur } = world;
    const prices = [4, 2, 3].map((n) => sell(eur, usd, UNIT, { price: { n, d: 1 } }));
    world.must(issuer, ...prices);
    world.must(taker, receiveStrictly({ from: usd, to: eur, destination: maker }, 2n * UNIT + 1n, 6n * UNIT));
    assert.equal(world.balance(taker, usd), 1000n * UNIT - 5n * UNIT - 4n);
    assert.equal(world.offer(issuer, 1n)?.amount, UNIT - 1n);
  });

  test('rounds in favour of the book: a strict receive pays up, a strict send gets less', () => {
    const world = new TradeWorld();
    const { issuer, maker, taker, usd, eur } = world;
    world.must(issuer, sell(eur, usd, UNIT, { price: { n: 3, d: 2 } }));
    world.must(taker, receiveStrictly({ from: usd, to: eur, destination: maker }, 1n, 2n));
    assert.equal(world.balance(taker, usd), 1000n * UNIT - 2n);
    world.must(taker, sendStrictly({ from: usd, to: eur, destination: maker }, 4n, 2n));
    assert.deepEqual(
      [world.balance(taker, usd), world.balance(maker, eur)],
      [1000n * UNIT - 6n, 1000n * UNIT + 3n],
    );
  });

  test('may send something for nothing on the way, as long as enough arrives', () => {
    const world = new TradeWorld();
    const { issuer, maker, taker, usd, eur } = world;
    world.must(issuer, sell(eur, usd, UNIT, { price: { n: 7, d: 1 } }));
    const payment = sendStrictly({ from: usd, to: eur, destination: maker }, 6n, 1n);
    assert.equal(world.apply(taker, payment), 'txFailed(pathPaymentStrictSendUnderDestmin)');
    world.must(taker, sendStrictly({ from: usd, to: eur, destination: maker }, 13n, 1n));
    assert.equal(world.balance(maker, eur), 1000n * UNIT + 1n);
  });

  test('does not trade where an asset follows itself', () => {
    const world = twoBooks();
    const { maker, taker, usd } = world;
    const path = { from: usd, to: usd, path: [usd, usd, usd, usd, usd], destination: maker };
    const { result, events } = world.run(taker, receiveStrictly(path, UNIT, UNIT));
    assert.deepEqual([success(result).offers, events], [[], 1]);
  });
});

test('an asset can be paid back to an issuer whose account no longer exists, but not along a path', () => {
  const world = new TradeWorld();
  const { taker, usd } = world;
  const formerIssuer = Keypair.random();
  const own = assetOf('OLD', formerIssuer);
  world.must(
    world.net.root,
    operation({
      type: 0,
      createAccountOp: { destination: publicKey(formerIssuer.rawPublicKey()), startingBalance: 10n * UNIT },
    }),
  );
  world.must(taker, trust(own, 100n * UNIT));
  world.must(formerIssuer, pay(taker, own, 10n * UNIT));
  world.must(formerIssuer, operation({ type: 8, destination: { type: 0, ed25519: taker.rawPublicKey() } }));
  for (const { name, build } of modes) {
    const direct = { from: own, to: own, destination: formerIssuer };
    world.must(taker, build(direct, UNIT, UNIT));
    const result = world.apply(taker, build({ ...direct, path: [usd] }, UNIT, UNIT));
    assert.equal(result, `txFailed(${name}NoDestination)`);
  }
  assert.equal(world.balance(taker, own), 8n * UNIT);
});

function success(result: xdr.OperationResultTrWire): xdr.PathPaymentStrictSendResultSuccessWire {
  const inner = result.type === 2 ? result.pathPaymentStrictReceiveResult : undefined;
  const outcome = result.type === 13 ? result.pathPaymentStrictSendResult : inner;
  assert.ok(outcome?.code === 0);
  return outcome.success;
}
