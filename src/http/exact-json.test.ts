import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { parseForStringify } from './exact-json.ts';

test('what is read for JSON.stringify comes out as it was', () => {
  const text =
    '{"a":9223372036854775807,"b":[-18446744073709551615,1.50,1e7,{"c":"12345678901234567890"}],"d":null,"e":true}';
  assert.equal(JSON.stringify(parseForStringify(text)), text);
});
