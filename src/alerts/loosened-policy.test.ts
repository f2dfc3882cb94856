import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { isLoosened } from './loosened-policy.ts';

const ISSUER = 'GB2HHONBICW25FXNU2G44S3SHBGRL3ZTRCZMIVCJQXNBYC5ZG44MZXLG';
const limit = (max_withdrawal_stroops?: bigint, max_rolling_24h_stroops?: bigint, asset_code = 'native') => ({
  asset_code,
  ...(asset_code !== 'native' && { asset_issuer: ISSUER }),
  ...(max_withdrawal_stroops !== undefined && { max_withdrawal_stroops }),
  ...(max_rolling_24h_stroops !== undefined && { max_rolling_24h_stroops }),
});
/** As an entry has it: what is null is absent. */
const policy = (facts: object) => ({ frozen: false, pending: [], ...facts });

const STRICTER: [string, object, object][] = [
  ['the same', { limits: [limit(5n)] }, { limits: [limit(5n)] }],
  ['frozen', {}, { frozen: true }],
  ['a first limit', {}, { limits: [limit(5n)] }],
  ['a lower limit', { limits: [limit(5n)] }, { limits: [limit(4n)] }],
  ['a limit in the other field', { limits: [limit(5n)] }, { limits: [limit(5n, 9n)] }],
  ['an asset that goes', { limits: [limit(5n), limit(1n, 1n, 'USDC')] }, { limits: [limit(5n)] }],
  ['a first list', {}, { destinations: [] }],
  ['first approvals', {}, { approvals: { required: 2n } }],
  ['an address that goes', { destinations: ['a', 'b'] }, { destinations: ['b'] }],
  ['an announced change that goes', { pending: [{ id: 'pch_1' }] }, {}],
];
const LOOSER: [string, object, object][] = [
  ['the end of the freeze', { frozen: true }, {}],
  ['no limits', { limits: [limit(5n)] }, {}],
  ['a higher limit', { limits: [limit(5n)] }, { limits: [limit(6n)] }],
  ['a higher limit of 24 hours beside a lower one', { limits: [limit(5n, 5n)] }, { limits: [limit(1n, 6n)] }],
  ['a field without its limit', { limits: [limit(5n, 9n)] }, { limits: [limit(undefined, 9n)] }],
  ['an asset that comes', { limits: [limit(5n)] }, { limits: [limit(5n), limit(1n, 1n, 'USDC')] }],
  ['other approvals', { approvals: { required: 2n } }, { approvals: { required: 1n } }],
  ['no approvals', { approvals: { required: 2n } }, {}],
  ['everywhere', { destinations: ['a'] }, {}],
  ['an address that comes', { destinations: ['a'] }, { destinations: ['b'] }],
  ['an announced change', { pending: [{ id: 'pch_1' }] }, { pending: [{ id: 'pch_1' }, { id: 'pch_2' }] }],
  ['a rule that this version does not know', { cooling_hours: 3n }, { cooling_hours: 2n }],
  ['a rule that this version does not know, and that goes', { cooling_hours: 3n }, {}],
];

for (const [name, before, after] of STRICTER)
  test(`no loosening: ${name}`, () => assert.equal(isLoosened(policy(before), policy(after)), false));
for (const [name, before, after] of LOOSER)
  test(`a loosening: ${name}`, () => assert.equal(isLoosened(policy(before), policy(after)), true));
