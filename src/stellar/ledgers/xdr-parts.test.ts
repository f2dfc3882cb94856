import { strict as assert } from 'node:assert';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import {
  DATA,
  envelopesOf,
  ledgersIn,
  missing,
  processingOf,
} from '../../../sandbox/testing/recorded-ledgers.ts';
import {
  ledgerChain,
  ledgerCloseMeta,
  ledgerTransactions,
  type TestLedger,
} from '../../../test/support/ledger-xdr.ts';
import { partsOf, type XdrSchema } from './xdr-parts.ts';

const { LedgerCloseMeta, LedgerHeaderHistoryEntry, TransactionEnvelope, TransactionMeta } = xdr;
const TYPES = {
  LedgerHeaderHistoryEntry,
  TransactionEnvelope,
  TransactionResultPair: xdr.TransactionResultPair,
  TransactionMeta,
};
type Parts = Record<keyof typeof TYPES, Buffer[]>;

const visitParts = partsOf(
  LedgerCloseMeta.schema,
  Object.values(TYPES).map(({ schema }) => schema),
);

function found(bytes: Buffer): Parts {
  const parts: Parts = {
    LedgerHeaderHistoryEntry: [],
    TransactionEnvelope: [],
    TransactionResultPair: [],
    TransactionMeta: [],
  };
  visitParts(bytes, ({ name }, start, end) => parts[name as keyof Parts].push(bytes.subarray(start, end)));
  return parts;
}

/** The same parts, decoded completely by the SDK. */
function decoded(meta: xdr.LedgerCloseMetaWire): Parts {
  const { ledgerHeader } = meta.v === 0 ? meta.v0 : meta.v === 1 ? meta.v1 : meta.v2;
  const processing = processingOf(meta) as xdr.TransactionResultMetaWire[];
  return {
    LedgerHeaderHistoryEntry: [Buffer.from(LedgerHeaderHistoryEntry.schema.encode(ledgerHeader))],
    TransactionEnvelope: envelopesOf(meta).map((one) => Buffer.from(TransactionEnvelope.schema.encode(one))),
    TransactionResultPair: processing.map(({ result }) =>
      Buffer.from(xdr.TransactionResultPair.schema.encode(result)),
    ),
    TransactionMeta: processing.map(({ txApplyProcessing }) =>
      Buffer.from(TransactionMeta.schema.encode(txApplyProcessing)),
    ),
  };
}

test('in every recorded ledger of any version and protocol, the parts equal those that the SDK decodes', {
  skip: missing(),
}, () => {
  const counts = { ledgers: 0, transactions: 0 };
  for (const file of globSync('**/*.{xdr,gz,zst,zstd}', { cwd: DATA })) {
    for (const meta of ledgersIn(file)) {
      const parts = found(Buffer.from(LedgerCloseMeta.schema.encode(meta)));
      assert.deepEqual(parts, decoded(meta), file);
      counts.ledgers++;
      counts.transactions += parts.TransactionMeta.length;
    }
  }
  console.log('  recorded ledgers:', counts);
  assert.ok(counts.ledgers > 300 && counts.transactions > 3000);
});

const closed = ledgerChain(3, { 3: ledgerTransactions(3, 4) }).get(3) as TestLedger;
const whole = ledgerCloseMeta(closed);

test('in a ledger of the sandbox too', () => {
  assert.deepEqual(found(whole), decoded(LedgerCloseMeta.schema.decode(whole)));
});

/** Either finds parts or refuses the bytes, with little work. */
function look(bytes: Buffer): Parts | null {
  const began = process.cpuUsage();
  try {
    return found(bytes);
  } catch (error) {
    assert(error instanceof Error);
    return null;
  } finally {
    const { user, system } = process.cpuUsage(began);
    assert.ok(user + system < 2_000_000, `${user + system} µs`);
  }
}

test('property: bytes that are too short or too long are refused', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: whole.length - 1 }),
      fc.uint8Array({ minLength: 1, maxLength: 64 }),
      (length, more) => {
        assert.equal(look(whole.subarray(0, length)), null);
        assert.equal(look(Buffer.concat([whole, more])), null);
      },
    ),
  );
});

test('property: whatever bytes are changed, the search ends, and its parts are within the bytes', () => {
  const change = fc.tuple(fc.nat({ max: whole.length / 4 - 1 }), fc.oneof(fc.nat(0xffffffff), fc.nat(40)));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const changed = Buffer.from(whole);
      for (const [word, value] of changes) changed.writeUInt32BE(value, word * 4);
      const parts = look(changed);
      if (parts)
        assert.ok(
          Object.values(parts)
            .flat()
            .every(({ length }) => length > 0),
        );
    }),
    { numRuns: 2_000 },
  );
});

test('property: in any bytes at all the search ends', () => {
  const word = fc.oneof(fc.nat(0xffffffff), fc.nat(8), fc.constant(0xffffffff));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 2_000 }), (words) => {
      const bytes = Buffer.alloc(words.length * 4);
      for (const [index, value] of words.entries()) bytes.writeUInt32BE(value, index * 4);
      look(bytes);
    }),
    { numRuns: 1_000 },
  );
  for (const filling of [0, 1, 0x7f, 0x80, 0xff]) look(Buffer.alloc(4 * 1024 * 1024, filling));
});

/** Encoded length of a value of the type, whatever bytes follow. */
const endOf = (type: XdrSchema, bytes: Buffer) => {
  let end = -1;
  partsOf(type, [type])(bytes, (_, __, at) => {
    end = at;
  });
  return end;
};

test('every kind of type has the length of its encoding, padded to four bytes', () => {
  const texts = ['', 'a', 'ab', 'abc', 'abcd', 'abcde'];
  const values: { schema: XdrSchema; bytes: Uint8Array }[] = [
    ...texts.map((text) => ({ schema: xdr.Memo.schema, bytes: xdr.Memo.memoText(text).toXdr() })),
    { schema: xdr.Memo.schema, bytes: xdr.Memo.memoNone().toXdr() },
    { schema: xdr.Memo.schema, bytes: xdr.Memo.memoId(7n).toXdr() },
    ...texts.map((text) => ({
      schema: xdr.ScVal.schema,
      bytes: xdr.ScVal.scvBytes(Buffer.from(text)).toXdr(),
    })),
    { schema: xdr.ScVal.schema, bytes: vec(3) },
    { schema: xdr.ScVal.schema, bytes: xdr.ScVal.scvVec(null).toXdr() },
    { schema: xdr.ScVal.schema, bytes: xdr.ScVal.scvBool(true).toXdr() },
  ];
  for (const { schema, bytes } of values) assert.equal(endOf(schema, Buffer.from(bytes)), bytes.length);
});

/** XDR of lists nested this deep. */
function vec(depth: number): Buffer {
  const [LIST, PRESENT, VOID] = [16, 1, 1];
  const bytes = Buffer.alloc(depth * 12 + 4);
  for (let level = 0; level < depth; level++) {
    for (const [index, value] of [LIST, PRESENT, 1].entries())
      bytes.writeUInt32BE(value, level * 12 + index * 4);
  }
  bytes.writeUInt32BE(VOID, depth * 12);
  return bytes;
}

test('values nested too deep are an error, and do not end the process', () => {
  assert.equal(endOf(xdr.ScVal.schema, vec(200)), 200 * 12 + 4);
  assert.throws(() => endOf(xdr.ScVal.schema, vec(1_000_000)), RangeError);
});
