import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Asset, StrKey, xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import {
  call,
  create,
  ledgerTransaction,
  type Made,
  merge,
  mintEvent,
  NETWORK,
  pay,
  type Step,
  strictReceive,
  strictSend,
  transferEvent,
} from '../../../test/support/paying.ts';
import { accountOf, muxedAddress, publicKeyOf } from '../address.ts';
import { createAccountFilter } from './account-filter.ts';
import { creditsOf } from './credits.ts';

function filterOf(...accounts: string[]) {
  const filter = createAccountFilter();
  for (const account of accounts) filter.add(account);
  return filter;
}

const account = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(accountOf);
const stroops = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n });
const id = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
/** G… and M… equally often. */
const destination = fc.oneof(
  account,
  fc.tuple(account, id).map(([to, muxed]) => muxedAddress(to, muxed)),
);
const issued = account.map((issuer) => new Asset('USD', issuer));
const asset = fc.oneof(fc.constant(Asset.native()), issued);

const classicStep: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(destination, stroops, asset, account).map((parts) => pay(...parts)),
  fc.tuple(account, stroops).map((parts) => create(...parts)),
  fc.tuple(destination, stroops, asset).map((parts) => strictSend(...parts)),
  fc.tuple(destination, stroops, asset).map((parts) => strictReceive(...parts)),
  fc.tuple(destination, stroops, account).map((parts) => merge(...parts)),
);
const event = fc.oneof(
  fc.tuple(account, account, stroops, asset).map((parts) => transferEvent(...parts)),
  fc.tuple(account, stroops, issued).map((parts) => mintEvent(...parts)),
);
const memo = fc.oneof(
  fc.constant(xdr.Memo.memoNone()),
  fc.uint8Array({ maxLength: 28 }).map((text) => xdr.Memo.memoText(text)),
);
const made: fc.Arbitrary<Made> = fc.oneof(
  fc.record({
    steps: fc.array(classicStep, { minLength: 1, maxLength: 20 }),
    memo,
    form: fc.constantFrom('plain', 'v0', 'fee_bump'),
  }),
  fc.record({
    steps: fc.array(event, { maxLength: 10 }).map((events) => [call(events)]),
    form: fc.constantFrom('plain', 'fee_bump'),
  }),
);

/** The same bytes inside a larger buffer, like the parts of a ledger. */
function within(bytes: Buffer, offset: number): Buffer {
  const memory = Buffer.alloc(offset + bytes.length, 0xff);
  bytes.copy(memory, offset);
  return memory.subarray(offset);
}

test('property: the envelope of a transaction mentions every account that it credits, at any position in memory', () => {
  let credited = 0;
  fc.assert(
    fc.property(made, fc.nat({ max: 7 }), fc.array(account), (built, offset, others) => {
      const transaction = ledgerTransaction(built);
      for (const credit of creditsOf(NETWORK, transaction)) {
        credited++;
        const envelope = within(transaction.envelope, offset);
        assert.ok(filterOf(credit.account).mentionedIn(envelope));
        assert.ok(filterOf(...others, credit.account).mentionedIn(envelope));
      }
    }),
  );
  assert.ok(credited > 100);
});

test('property: an account is mentioned where its key begins at a multiple of four bytes, and nowhere else', () => {
  const word = fc.constantFrom(
    Buffer.from('00000000', 'hex'),
    Buffer.from('00000001', 'hex'),
    Buffer.from('ffffffff', 'hex'),
  );
  const filler = fc.array(word, { maxLength: 20 }).map((words) => Buffer.concat(words));
  fc.assert(
    fc.property(
      filler,
      fc.nat({ max: 3 }),
      filler,
      account,
      account,
      (before, shift, after, watched, other) => {
        fc.pre(watched !== other);
        const bytes = Buffer.concat([before, Buffer.alloc(shift, 7), publicKeyOf(watched), after]);
        assert.equal(filterOf(watched).mentionedIn(bytes), shift === 0);
        assert.equal(filterOf(other).mentionedIn(bytes), false);
        assert.equal(filterOf(watched).mentionedIn(bytes.subarray(0, before.length + shift + 31)), false);
      },
    ),
  );
});

test('keys with the same beginning are distinguished by all of their bytes', () => {
  const key = (last: number) => accountOf(Buffer.concat([Buffer.alloc(31, 5), Buffer.of(last)]));
  const [first, second, third] = [key(1), key(2), key(3)];
  const filter = filterOf(first, second);
  const answers = [first, second, third].map((each) => filter.mentionedIn(publicKeyOf(each)));
  assert.deepEqual(answers, [true, true, false]);
});

test('keys that begin with words which are frequent in envelopes are found too', () => {
  for (const byte of [0, 0xff]) {
    const key = accountOf(Buffer.concat([Buffer.alloc(31, byte), Buffer.of(9)]));
    const bytes = Buffer.concat([Buffer.alloc(64, byte), publicKeyOf(key)]);
    assert.equal(filterOf(key).mentionedIn(bytes), true);
    assert.equal(filterOf(key).mentionedIn(bytes.subarray(0, -4)), false);
  }
});

test('ten thousand accounts: each is found, none of ten thousand others is', () => {
  const random = () => accountOf(randomBytes(32));
  const [watched, others] = [Array.from({ length: 10_000 }, random), Array.from({ length: 10_000 }, random)];
  const filter = filterOf(...watched, ...watched);
  assert.equal(filter.size(), 10_000);
  for (const each of watched) assert.ok(filter.has(each) && filter.mentionedIn(publicKeyOf(each)));
  for (const each of others) assert.ok(!filter.has(each) && !filter.mentionedIn(publicKeyOf(each)));
});

test('an empty filter finds nobody, and empty bytes mention nobody', () => {
  const { envelope } = ledgerTransaction({
    steps: [pay(StrKey.encodeEd25519PublicKey(Buffer.alloc(32)), 1n)],
  });
  assert.equal(createAccountFilter().mentionedIn(envelope), false);
  assert.equal(filterOf(accountOf(Buffer.alloc(32))).mentionedIn(Buffer.alloc(0)), false);
  assert.equal(filterOf(accountOf(Buffer.alloc(32))).mentionedIn(envelope), true);
});
