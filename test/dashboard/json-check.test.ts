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

test('a fault is told at its line', () => {
  const faults: [text: string, line: number, message: RegExp][] = [
    ['{\n  "a": 1\n  "b": 2\n}', 2, /comma/],
    ['{\n  "a": 1,\n}', 3, /one too many/],
    ['{\n  "a": [1,\n 2,\n]}', 4, /one too many/],
    ['{\n  a: 1\n}', 2, /name in double quotes/],
    ['{\n  "a" 1\n}', 2, /colon/],
    ['{\n\n  "a": \'x\'\n}', 3, /single/],
    ['{\n  "a": yes\n}', 2, /double quotes/],
    ['{\n  "a": 01\n}', 2, /number/],
    ['{\n  "a": +1\n}', 2, /does not belong/],
    ['{\n  "a": "x\n}', 2, /closing double quote/],
    ['{\n  "a": "\\x"\n}', 2, /means nothing/],
    ['{\n  "a": 1,\n  "\\u0061": 2\n}', 3, /twice/],
    ['{"a": {"b": 1}', 1, /closing }/],
    ['{"a":', 1, /missing at the end/],
    ['[1]', 1, /object/],
    ['"text"', 1, /object/],
    ['{}\n{}', 2, /after the end/],
  ];
  for (const [text, line, message] of faults) {
    const fault = faultOf(text);
    assert.equal(fault?.line, line, text);
    assert.match(fault.message, message, text);
  }
});

test('31 levels are taken and 32 are not: the API counts the body around them', () => {
  const levels = (count: number) => `${'{"a":'.repeat(count - 1)}{}${'}'.repeat(count - 1)}`;
  assert.equal(faultOf(levels(31)), null);
  assert.match(faultOf(levels(32))?.message ?? '', /levels/);
});

test('what JSON.parse takes is taken, what it refuses is refused, but for members of one name', () => {
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
        if (fault && /twice|levels|whole must be/.test(fault.message)) return;
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
