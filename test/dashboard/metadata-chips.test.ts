import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExact } from '../../dashboard/src/api/exact-json.ts';
import { metadataChips } from '../../dashboard/src/pages/addresses/metadata-chips.ts';

test('metadata is its first keys, with values that are short, exactly', () => {
  assert.deepEqual(metadataChips({}), { chips: [], more: 0 });
  const metadata = '{"customer":18446744073709551615,"plan":{"tier":"gold"},"vip":true,"a":1,"b":2}';
  assert.deepEqual(metadataChips(parseExact(metadata) as Record<string, unknown>), {
    chips: ['customer: 18446744073709551615', 'plan', 'vip: true'],
    more: 2,
  });
  const long = 'x'.repeat(25);
  assert.deepEqual(metadataChips({ long, empty: '', none: null }).chips, ['long', 'empty', 'none']);
});
