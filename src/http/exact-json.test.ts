import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  JsonSyntaxError,
  parseBody,
  parseForStringify,
  parseNested,
  RawJson,
  stringify,
} from './exact-json.ts';

test('an integer literal is exact at any size', () => {
  const body = parseBody(
    '{"a":9223372036854775807,"b":18446744073709551615,"c":0,"d":-5,"e":9007199254740993}',
  );
  assert.deepEqual(
    { ...body },
    { a: 2n ** 63n - 1n, b: 2n ** 64n - 1n, c: 0n, d: -5n, e: 9007199254740993n },
  );
});

test('what is read for JSON.stringify comes out as it was', () => {
  const text =
    '{"a":9223372036854775807,"b":[-18446744073709551615,1.50,1e7,{"c":"12345678901234567890"}],"d":null,"e":true}';
  assert.equal(JSON.stringify(parseForStringify(text)), text);
});

test('what only looks like an integer is no bigint', () => {
  for (const text of ['1.0', '1e7', '1E0', '-0', '10.00', '1e-1']) {
    assert.equal(typeof parseBody(`{"a":${text}}`).a, 'number', text);
  }
  assert.equal(parseBody('{"a":"1"}').a, '1');
});

test('null means absent', () => {
  assert.deepEqual({ ...parseBody('{"a":null,"b":1}') }, { b: 1n });
});

test('a nested object keeps its text: key order, big integers, spacing, duplicate keys', () => {
  const metadata = '{"2":1, "1" : 18446744073709551615,"x":[1.0,1e400,"}]\\""], "x":null}';
  const { metadata: raw } = parseBody(`{"label":"l","metadata": ${metadata} }`);
  assert(raw instanceof RawJson);
  assert.equal(raw.text, metadata);
  assert.equal(stringify({ metadata: raw }), `{"metadata":${metadata}}`);
});

const nested = (text: string) => {
  const { a } = parseBody(`{"a":${text}}`);
  assert(a instanceof RawJson);
  return parseNested(a);
};

test('a nested value that is read is as exact as the top level: integers of any size, and only integers', () => {
  assert.deepEqual(nested('[ 9007199254740993 , [18446744073709551615,[]],1.0, -0,"1",true,null ]'), [
    9007199254740993n,
    [2n ** 64n - 1n, []],
    ...[1, -0, '1', true, null],
  ]);
  const [entry] = nested('[{"max":9007199254740993, "none":null,"in":{"\\u0061":"]}"}}]') as [object];
  assert.deepEqual(Object.entries(entry), [
    ['max', 9007199254740993n],
    ['in', Object.assign(Object.create(null), { a: ']}' })],
  ]);
});

test('a nested value that is read has no member twice, and no string that a database cannot keep', () => {
  assert.throws(() => nested('[{"a":1,"\\u0061":2}]'), /"a" twice/);
  assert.throws(() => nested('["x\\u0000"]'), JsonSyntaxError);
});

test('property: reading a nested value is JSON.parse, but for integers and nulls of objects', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (value) => {
      const text = JSON.stringify(value, null, 1);
      if (text.includes('\\u')) return;
      const expected = JSON.parse(text, (_key, item, { source }: { source?: string } = {}) => {
        if (typeof item === 'number' && /^-?[1-9]\d*$|^0$/.test(source ?? '')) return BigInt(source ?? '');
        if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
        const kept = Object.entries(item).filter(([, member]) => member !== null);
        return Object.assign(Object.create(null), Object.fromEntries(kept));
      });
      assert.deepEqual(nested(text), expected);
    }),
  );
});

test('refuses what is not one JSON object', () => {
  for (const text of [
    '[]',
    '1',
    '"a"',
    'null',
    'true',
    '{',
    '{"a":}',
    '{"a":01}',
    '{"a":+1}',
    "{'a':1}",
    '{"a":1}x',
    '{"a":NaN}',
  ]) {
    assert.throws(() => parseBody(text), JsonSyntaxError, text);
  }
});

test('refuses more values than the largest body has, before it reads one of them', () => {
  const rows = (count: number) => `{"rows":[${Array(count).fill('1').join(',')}],"text":",,,"}`;
  assert.ok(parseBody(rows(99_999)));
  assert.throws(() => parseBody(rows(100_000)), /has more than 100000 values/);
  assert.throws(() => parseBody(`{${',"a":1'.repeat(1e6)}}`), /has more than 100000 values/);
});

test('refuses a repeated member, however it is spelt', () => {
  assert.throws(() => parseBody('{"amount_stroops":1,"amount_stroops":2}'), /twice/);
  assert.throws(() => parseBody('{"a":1,"\\u0061":2}'), /twice/);
});

test('refuses strings that a database cannot keep', () => {
  assert.throws(() => parseBody('{"a":"x\\u0000"}'), JsonSyntaxError);
  assert.throws(() => parseBody('{"a":"\\ud800"}'), JsonSyntaxError);
});

test('refuses deep nesting before it is parsed', () => {
  assert.throws(() => parseBody(`{"a":${'['.repeat(60_000)}`), /nested/);
  assert.throws(() => parseBody(`{"a":${'['.repeat(32)}${']'.repeat(32)}}`), /nested/);
  assert(parseBody(`{"a":${'['.repeat(31)}${']'.repeat(31)}}`).a instanceof RawJson);
});

test('__proto__ is a member like any other', () => {
  const body = parseBody('{"__proto__":{"admin":true},"constructor":1}');
  assert.deepEqual(Object.keys(body), ['__proto__', 'constructor']);
  assert.equal((body as { admin?: boolean }).admin, undefined);
});

test('property: any JSON object is read and written back to the same value', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 5 })), (object) => {
      const kept = Object.fromEntries(
        Object.entries(object).filter(([name, value]) => value !== null && name !== '__proto__'),
      );
      const spaced = JSON.stringify(kept, null, 1);
      assert.deepEqual(JSON.parse(stringify(parseBody(spaced))), JSON.parse(JSON.stringify(kept)));
    }),
    { numRuns: 2000, examples: [[{ a: 'b\\"{}[],:' }], [{ '': [] }]] },
  );
});

test('property: every int64 and uint64 survives', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }), (integer) => {
      assert.equal(stringify({ ...parseBody(`{"a":${integer}}`) }), `{"a":${integer}}`);
    }),
    { numRuns: 5000 },
  );
});
