import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { INT64_MAX } from './bytes.ts';
import type { Limits, Price, Rounding } from './offer-exchange.ts';
import { adjustedAmount, exchange, inverse, isAbove, liabilitiesOf } from './offer-exchange.ts';

const INT32_MAX = 2 ** 31 - 1;
const FREE: Limits = {
  maxWheatSend: INT64_MAX,
  maxWheatReceive: INT64_MAX,
  maxSheepSend: INT64_MAX,
  maxSheepReceive: INT64_MAX,
};

const price = (n: number, d: number): Price => ({ n, d });

describe('an exchange, calculated by hand', () => {
  const cases: [
    why: string,
    price: Price,
    limits: Partial<Limits>,
    Rounding,
    wheat: bigint,
    sheep: bigint,
    stays: boolean,
  ][] = [
    ['a whole offer is taken', price(3, 2), { maxWheatSend: 1000n }, 'normal', 1000n, 1500n, false],
    [
      'cheap wheat is rounded up with the sheep',
      price(2, 3),
      { maxWheatSend: 999n },
      'normal',
      999n,
      666n,
      false,
    ],
    ['a taker that wants less', price(3, 2), { maxWheatReceive: 100n }, 'normal', 100n, 150n, true],
    ['a taker that pays less', price(3, 2), { maxSheepSend: 151n }, 'normal', 100n, 150n, true],
    ['the book is favoured by 0.98 %', price(101, 100), { maxWheatReceive: 51n }, 'normal', 51n, 52n, true],
    ['1.03 % is too much', price(101, 100), { maxWheatReceive: 49n }, 'normal', 0n, 0n, true],
    [
      'the taker may not be favoured by more either',
      price(3, 2),
      { maxWheatSend: 1n },
      'normal',
      0n,
      0n,
      false,
    ],
    ['one stroop at a third over its price', price(3, 2), { maxWheatReceive: 1n }, 'normal', 0n, 0n, true],
    ['… which a path payment takes', price(3, 2), { maxWheatReceive: 1n }, 'strict_receive', 1n, 2n, true],
    ['normal rounding misses the amount', price(2, 3), { maxWheatReceive: 101n }, 'normal', 100n, 67n, true],
    [
      '… which a strict receive must not',
      price(2, 3),
      { maxWheatReceive: 101n },
      'strict_receive',
      101n,
      68n,
      true,
    ],
    ['a strict send leaves no change', price(3, 2), { maxSheepSend: 4n }, 'strict_send', 2n, 4n, true],
    ['even for nothing at all', price(7, 1), { maxSheepSend: 3n }, 'strict_send', 0n, 3n, true],
    ['nor does the book take too much', price(1, 1), { maxSheepReceive: 5n }, 'strict_send', 5n, 5n, false],
  ];
  for (const [why, at, limits, rounding, wheatReceived, sheepSent, wheatStays] of cases) {
    test(`${why}: ${at.n}/${at.d}, ${rounding}`, () => {
      const result = exchange(at, { ...FREE, maxWheatSend: 1_000_000n, ...limits }, rounding);
      assert.deepEqual(result, { wheatReceived, sheepSent, wheatStays });
    });
  }

  test('at the ends of int32 and int64', () => {
    const dearest = exchange(price(INT32_MAX, 1), FREE, 'normal');
    assert.deepEqual(dearest, { wheatReceived: 4294967298n, sheepSent: INT64_MAX - 1n, wheatStays: false });
    const cheapest = exchange(price(1, INT32_MAX), FREE, 'normal');
    assert.deepEqual(cheapest, { wheatReceived: INT64_MAX - 1n, sheepSent: 4294967298n, wheatStays: false });
    assert.deepEqual(liabilitiesOf(price(1, 1), { sells: INT64_MAX }), {
      buying: INT64_MAX,
      selling: INT64_MAX,
    });
    assert.deepEqual(liabilitiesOf(price(INT32_MAX, 1), { sells: INT64_MAX }), {
      buying: INT64_MAX - 1n,
      selling: 4294967298n,
    });
  });
});

test('an offer is cut to what trades at a fair price, and one worth less than a stroop to nothing', () => {
  assert.equal(adjustedAmount(price(2, 3), 1000n, INT64_MAX), 999n);
  assert.equal(adjustedAmount(price(3, 2), 1000n, 1000n), 666n);
  assert.equal(adjustedAmount(price(3, 2), 1n, INT64_MAX), 0n);
  assert.equal(adjustedAmount(price(1, 2), 1n, INT64_MAX), 0n);
  assert.equal(adjustedAmount(price(1, 1), 5n, 0n), 0n);
});

test('the liabilities of an order follow from its limits', () => {
  assert.deepEqual(liabilitiesOf(price(3, 2), { sells: 101n }), { buying: 151n, selling: 101n });
  assert.deepEqual(liabilitiesOf(price(3, 2), { buys: 151n }), { buying: 150n, selling: 100n });
});

test('prices compare exactly, also where doubles are equal', () => {
  const lower = price(INT32_MAX, INT32_MAX - 1);
  const higher = price(INT32_MAX - 1, INT32_MAX - 2);
  assert.equal(lower.n / lower.d, higher.n / higher.d);
  assert.deepEqual(
    [isAbove(higher, lower), isAbove(lower, higher), isAbove(lower, lower)],
    [true, false, false],
  );
  assert.deepEqual(inverse(price(3, 2)), price(2, 3));
});

const prices = fc.oneof(
  fc.record({ n: fc.integer({ min: 1, max: 200 }), d: fc.integer({ min: 1, max: 200 }) }),
  fc.record({ n: fc.integer({ min: 1, max: INT32_MAX }), d: fc.integer({ min: 1, max: INT32_MAX }) }),
);
const amounts = fc.oneof(fc.bigInt(1n, 1000n), fc.bigInt(1n, INT64_MAX), fc.constant(INT64_MAX));
const limitsOf = fc.record({
  maxWheatSend: amounts,
  maxWheatReceive: amounts,
  maxSheepSend: amounts,
  maxSheepReceive: amounts,
});
const RUNS = { numRuns: 2000 };

/** The real start of crossing: every offer in the book has been adjusted. */
function adjusted(at: Price, limits: Limits): Limits {
  return { ...limits, maxWheatSend: adjustedAmount(at, limits.maxWheatSend, limits.maxSheepReceive) };
}

describe('for any price and any limits', () => {
  test('both sides stay within their limits, and nobody loses more than 1 % to rounding', () => {
    fc.assert(
      fc.property(prices, limitsOf, (at, limits) => {
        const { wheatReceived, sheepSent, wheatStays } = exchange(at, limits, 'normal');
        assert.ok(wheatReceived <= limits.maxWheatReceive && wheatReceived <= limits.maxWheatSend);
        assert.ok(sheepSent <= limits.maxSheepReceive && sheepSent <= limits.maxSheepSend);
        assert.equal(wheatReceived === 0n, sheepSent === 0n);
        const [worth, paid] = [wheatReceived * BigInt(at.n), sheepSent * BigInt(at.d)];
        assert.ok(wheatStays ? paid >= worth : paid <= worth, 'rounding favours the one that stays');
        assert.ok((paid > worth ? paid - worth : worth - paid) * 100n <= worth);
      }),
      RUNS,
    );
  });

  test('an adjusted offer stays as it is, and its liabilities are its amount and what its seller can hold', () => {
    fc.assert(
      fc.property(prices, amounts, amounts, (at, maxWheatSend, maxSheepReceive) => {
        const amount = adjustedAmount(at, maxWheatSend, maxSheepReceive);
        assert.equal(adjustedAmount(at, amount, maxSheepReceive), amount);
        const { selling, buying } = liabilitiesOf(at, { sells: amount });
        assert.equal(selling, amount);
        assert.ok(buying <= maxSheepReceive);
      }),
      RUNS,
    );
  });

  test('an offer that is used up is taken to the last stroop', () => {
    fc.assert(
      fc.property(prices, limitsOf, (at, free) => {
        const limits = adjusted(at, free);
        fc.pre(limits.maxWheatSend > 0n);
        const { wheatReceived, wheatStays } = exchange(at, limits, 'strict_receive');
        if (!wheatStays) assert.equal(wheatReceived, limits.maxWheatSend);
      }),
      RUNS,
    );
  });

  test('a strict receive gets exactly its amount from an offer that stays, never below its price', () => {
    fc.assert(
      fc.property(prices, limitsOf, (at, free) => {
        const limits = { ...adjusted(at, free), maxSheepSend: INT64_MAX };
        fc.pre(limits.maxWheatSend > 0n);
        const { wheatReceived, sheepSent, wheatStays } = exchange(at, limits, 'strict_receive');
        if (!wheatStays) return;
        assert.equal(wheatReceived, limits.maxWheatReceive);
        assert.ok(sheepSent * BigInt(at.d) >= wheatReceived * BigInt(at.n));
      }),
      RUNS,
    );
  });

  test('a strict send pays exactly its amount to an offer that stays, never below its price', () => {
    fc.assert(
      fc.property(prices, limitsOf, (at, free) => {
        const limits = { ...adjusted(at, free), maxWheatReceive: INT64_MAX };
        fc.pre(limits.maxWheatSend > 0n);
        const { wheatReceived, sheepSent, wheatStays } = exchange(at, limits, 'strict_send');
        if (!wheatStays) return;
        assert.equal(sheepSent, limits.maxSheepSend);
        assert.ok(sheepSent * BigInt(at.d) >= wheatReceived * BigInt(at.n));
      }),
      RUNS,
    );
  });
});
