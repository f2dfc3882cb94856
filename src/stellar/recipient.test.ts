import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { StrKey } from '@stellar/stellar-sdk';
import { accountOf, muxedAddress } from './address.ts';
import { contractAddress } from './contract-address.ts';
import { isSameRecipient, recipientOf, spellingsOf, wholeOf } from './recipient.ts';

const C = StrKey.encodeContract(Buffer.alloc(32, 1));
const [W7, W8] = [7n, 8n].map((muxed_id) => contractAddress({ contract: C, muxed_id })) as [string, string];
const G = accountOf(Buffer.alloc(32, 1));
const to = (destination: string, memo_id: bigint | null = null) => ({ destination, memo_id });

test('a contract with a memo id and its W… are one recipient; the contract alone and another id are others', () => {
  for (const same of [to(C, 7n), to(W7), to(W7, 7n)]) {
    assert.deepEqual(recipientOf(same), to(W7));
    assert(isSameRecipient(same, to(C, 7n)));
    for (const other of [to(C), to(C, 8n), to(C, 0n), to(W8)]) assert(!isSameRecipient(same, other));
  }
  assert.deepEqual(recipientOf(to(C)), to(C));
});

test('an account with a memo id is not its M…: the ledger shows them differently', () => {
  const M7 = muxedAddress(G, 7n);
  assert.deepEqual(recipientOf(to(G, 7n)), to(G, 7n));
  assert(!isSameRecipient(to(G, 7n), to(M7)));
  assert(isSameRecipient(to(M7), to(M7)));
});

test('an M… address with its own id beside it is the same recipient', () => {
  const M7 = muxedAddress(G, 7n);
  assert.deepEqual(recipientOf(to(M7, 7n)), to(M7));
  assert(isSameRecipient(to(M7, 7n), to(M7)));
});

test('an account with a memo id and its M… are one recipient for people, as a contract with an id and its W…', () => {
  const M7 = muxedAddress(G, 7n);
  for (const same of [to(G, 7n), to(M7), to(M7, 7n)])
    assert.deepEqual(spellingsOf(same), [to(G, 7n), to(M7), to(M7, 7n)]);
  for (const same of [to(C, 7n), to(W7), to(W7, 7n)])
    assert.deepEqual(spellingsOf(same), [to(C, 7n), to(W7), to(W7, 7n)]);
  for (const whole of [to(G), to(C)]) assert.deepEqual(spellingsOf(whole), [whole]);
  assert.deepEqual([G, M7, C, W7].map(wholeOf), [G, G, C, C]);
});
