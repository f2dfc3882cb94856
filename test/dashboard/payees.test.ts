import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { StrKey } from '@stellar/stellar-sdk';
import type { Payee } from '../../dashboard/src/api/contract.ts';
import { payeeFinder } from '../../dashboard/src/text/payees.ts';
import { accountOf, muxedAddress } from '../../src/stellar/address.ts';

const [ONE, OTHER] = [1, 2].map((byte) => accountOf(Buffer.alloc(32, byte))) as [string, string];
const CONTRACT = StrKey.encodeContract(Buffer.alloc(32, 3));
const payee = (name: string, destination: string, memo_id: bigint | null = null) =>
  ({ name, destination, memo_id }) as Payee;

test('a payment is to the payee that is its recipient, by whatever address, else to that of its account', () => {
  const find = payeeFinder([
    payee('any memo', ONE),
    payee('memo 7', ONE, 7n),
    payee('M 8', muxedAddress(OTHER, 8n)),
    payee('contract', CONTRACT),
  ]);
  const named = (destination: string, memo_id: bigint | null = null) => find({ destination, memo_id })?.name;
  for (const [name, found] of [
    ['any memo', [named(ONE), named(ONE, 1n), named(muxedAddress(ONE, 1n))]],
    ['memo 7', [named(ONE, 7n), named(muxedAddress(ONE, 7n)), named(muxedAddress(ONE, 7n), 7n)]],
    ['M 8', [named(muxedAddress(OTHER, 8n)), named(OTHER, 8n)]],
    ['contract', [named(CONTRACT)]],
    [undefined, [named(OTHER), named(OTHER, 9n), named(CONTRACT, 7n)]],
  ] as const)
    for (const each of found) assert.equal(each, name);
});
