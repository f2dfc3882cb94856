import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { stringifyExact } from '../../dashboard/src/api/exact-json.ts';
import { checkJson } from '../../dashboard/src/pages/addresses/json-check.ts';

function faultOf(text: string) {
  const checked = checkJson(text);
  return 'fault' in checked ? checked.fault : null;
}

test('numbers stay as they were typed, however large or long', () => {
  const text = '{"big":18446744073709551615,"one":1.0,"tiny":1e-400,"minus":-0,"memo_id":9007199254740993}';
  const checked = checkJson(text);
  assert('value' in checked);
  assert.equal(stringifyExact(checked.value), text);
});

test('a fault names its line and column', () => {
  const faults: [text: string, line: number, column: number, message: RegExp][] = [
    ['{\n  "a": 1\n  "b": 2\n}', 2, 9, /comma is missing/],
    ['{\n  "a": 1,\n}', 3, 1, /Remove the comma/],
    ['{\n  "a": [1,\n 2,\n]}', 4, 1, /Remove the comma/],
    ['{\n  a: 1\n}', 2, 3, /double quotes: a/],
    ['{\n  1: 1\n}', 2, 3, /name in double quotes/],
    ['{\n  "a" 1\n}', 2, 6, /colon/],
    ['{\n\n  "a": \'x\'\n}', 3, 8, /single/],
    ['{\n  "a": yes\n}', 2, 8, /double quotes: yes/],
    ['{\n  "a": 01\n}', 2, 9, /number/],
    ['{\n  "a": 1.\n}', 2, 8, /number/],
    ['{\n  "a": +1\n}', 2, 8, /Unexpected “\+”/],
    ['{\n  "a": -\n}', 2, 8, /Unexpected “-”/],
    ['{\n  "a": ,\n}', 2, 8, /value is missing before “,”/],
    ['{\n  "a": "x\n}', 2, 8, /closing double quote/],
    ['{\n  "a": "\\x"\n}', 2, 8, /After \\ one of/],
    ['{\n  "a": "\\u12"\n}', 2, 8, /four hexadecimal digits/],
    ['{\n  "a": "\t"\n}', 2, 8, /control character/],
    ['{\n  "a": 1, // one\n}', 2, 11, /no comments/],
    ['{\n  "a": 1,\n  "\\u0061": 2\n}', 3, 3, /“a” is used twice/],
    ['{"a": {"b": 1}', 1, 15, /closing }/],
    ['{"a": [1', 1, 9, /closing ]/],
    ['{"a":', 1, 6, /missing at the end/],
    ['[1]', 1, 1, /object/],
    ['"text"', 1, 1, /object/],
    ['{}\n{}', 2, 1, /after the end/],
  ];
  for (const [text, line, column, message] of faults) {
    const fault = faultOf(text);
    assert.deepEqual([fault?.line, fault?.column], [line, column], text);
    assert.match(fault?.message ?? '', message, text);
  }
});

test('31 levels are accepted and 32 are refused: the API counts the body around them', () => {
  const levels = (count: number) => `${'{"a":'.repeat(count - 1)}{}${'}'.repeat(count - 1)}`;
  assert.equal(faultOf(levels(31)), null);
  assert.match(faultOf(levels(32))?.message ?? '', /levels/);
});

test('a nesting that would overflow the stack is refused like any other that is too deep', () => {
  for (const open of ['[', '{"a":'])
    assert.match(faultOf(`{"a":${open.repeat(100_000)}`)?.message ?? '', /levels/);
});

test('a document of a megabyte keeps its numbers', () => {
  const members = Array.from({ length: 50_000 }, (_, index) => `"${index}":${2n ** 63n + BigInt(index)}`);
  const text = `{${members.join(',')}}`;
  const checked = checkJson(text);
  assert('value' in checked);
  assert.equal(stringifyExact(checked.value), text);
});

test('property: the check accepts exactly what JSON.parse accepts, except a name used twice', () => {
  const damaged = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', ']', '1', 'e', '\\', '\n', '-', '.'))
    .map(([json, at, put]) => {
      const text = `{"a":${json}}`;
      const cut = at % text.length;
      return text.slice(0, cut) + put + text.slice(cut + 1);
    });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json().map((json) => `{"a":${json}}`),
        damaged,
      ),
      (text) => {
        const fault = faultOf(text);
        if (fault && /twice|levels|must be an object/.test(fault.message)) return;
        assert.equal(fault === null, parses(text), text);
      },
    ),
    { numRuns: 3000 },
  );
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
