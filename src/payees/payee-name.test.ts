import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { accountOf } from '../stellar/address.ts';
import { faultOfName, foldName, plainName } from './payee-name.ts';

test('two names that look the same are one: spaces, case and composed letters', () => {
  const names = ['Zoë  &\u00a0Co', ' Zoe\u0308 & Co ', 'ZOë & CO'];
  assert.equal(new Set(names.map(foldName)).size, 1);
  assert.equal(plainName(names[0] ?? ''), 'Zoë & Co');
});

test('a name has no characters that nobody sees, and is no address and no id', () => {
  for (const unseen of ['a\u0007b', 'Ada\u200b', '\u202eadA', '\u2800', '\u3164'])
    assert.match(faultOfName(unseen) ?? '', /nobody sees/);
  const account = accountOf(Buffer.alloc(32, 1));
  for (const other of [account, account.toLowerCase(), `pye_${'0'.repeat(26)}`])
    assert.match(faultOfName(other) ?? '', /address or an id/);
  for (const good of ['Ada Lovelace', 'Zoë & Co', '株式会社', 'Gesellschaft', '🏦 Bank'])
    assert.equal(faultOfName(good), null);
});
