import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { stringify } from './exact-json.ts';
import { JsonSyntaxError, parseBody, RawJson } from './read-json.ts';

/** Which doubles between 1e20 and 1e21 are written as. */
const LONG_INTEGER = /[0-9]{21}/;

test('an integer literal is exact', () => {
  const body = parseBody(
    '{"a":9223372036854775807,"b":18446744073709551615,"c":0,"d":-5,"e":9007199254740993}',
  );
  assert.deepEqual(
    { ...body },
    { a: 2n ** 63n - 1n, b: 2n ** 64n - 1n, c: 0n, d: -5n, e: 9007199254740993n },
  );
});

test('an integer of more than 20 digits is refused and becomes no number; metadata keeps it as text', () => {
  const most = '9'.repeat(20);
  assert.equal(parseBody(`{"a":${most}}`).a, BigInt(most));
  assert.equal(parseBody(`{"a":-${most}}`).a, -BigInt(most));
  for (const text of [`${most}0`, `-${most}0`, '9'.repeat(10_000)]) {
    assert.throws(() => parseBody(`{"a":${text}}`), /has an integer of more than 20 digits/);
    const { a } = parseBody(`{"a":[${text}]}`);
    assert(a instanceof RawJson);
    assert.equal(a.text, `[${text}]`);
    assert.throws(() => a.read(), /has an integer of more than 20 digits/);
  }
});

test('a number that is longer than metadata may be is refused wherever it is', () => {
  for (const digits of ['9', '1.', '1e', 'x'].map((begin) => begin.padEnd(1e6, '1')))
    for (const text of [`{"a":${digits}}`, `{"a":[${digits}]}`])
      assert.throws(() => parseBody(text), /has a number of more than 16384 characters/);
});

test('a string of millions of characters is read as JSON.parse does, wherever it is cut into pieces', () => {
  for (const piece of ['x', '\\n', '\\"', '\\\\', 'é', '\\u00e9', '😀', '\\ud83d\\ude00'])
    for (const begin of ['', '1', '22', '333', '4444', '55555']) {
      const text = `"${begin}${piece.repeat(50_000)}"`;
      assert.equal(parseBody(`{"a":${text}}`).a, JSON.parse(text));
      for (const wrong of [text.slice(0, -1), `${text.slice(0, -1)}\\"`, `${text.slice(0, -1)}\\u00"`])
        assert.throws(() => parseBody(`{"a":${wrong}}`), /is not valid JSON/);
    }
});

test('property: an object is refused exactly where JSON.parse refuses it, whatever a character was replaced by', () => {
  const isJson = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const refusalOf = (text: string) => {
    try {
      parseBody(text);
      return null;
    } catch (error) {
      assert(error instanceof JsonSyntaxError);
      return error.message;
    }
  };
  const bits = ['', '"', '\\', '{', '}', '[', ']', ',', ':', ' ', '0', '1', '-', '+', '.', 'e', 'n', 'true', 'null', '\n', '\0', '\u00a0', '\ud800']; // biome-ignore format: a table
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const change = fc.tuple(place, fc.integer({ min: 0, max: 2 }), fc.constantFrom(...bits));
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.array(change, { maxLength: 3 }), (value, changes) => {
      const text = changes.reduce(
        (changed, [part, taken, bit]) => {
          const at = 5 + Math.floor(part * (changed.length - 5));
          return changed.slice(0, at) + bit + changed.slice(at + taken);
        },
        JSON.stringify({ a: value }),
      );
      const refusal = refusalOf(text);
      if (refusal === null || refusal === 'is not valid JSON')
        assert.equal(refusal === null, isJson(text), text);
      else assert.match(refusal, /twice|NUL|20 digits/, text);
    }),
    { numRuns: 5000 },
  );
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
  return a.read();
};

test('a nested value that is read is as exact as the top level: integers, and only integers', () => {
  assert.deepEqual(nested('[ 9007199254740993 , [18446744073709551615,[]],1.0, -0,"1",true,null ]'), [
    9007199254740993n,
    [2n ** 64n - 1n, []],
    1,
    -0,
    '1',
    true,
    null,
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
      if (text.includes('\\u') || LONG_INTEGER.test(text)) return;
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

test('refuses more values than the largest body has', () => {
  const rows = (count: number) => `{"rows":[${Array(count).fill('1').join(',')}],"text":",,,"}`;
  assert.ok(parseBody(rows(99_999)));
  assert.throws(() => parseBody(rows(100_000)), /has more than 100000 values/);
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
      if (LONG_INTEGER.test(spaced)) return;
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
