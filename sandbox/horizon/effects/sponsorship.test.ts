import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Asset, Operation } from '@stellar/stellar-sdk/base';
import { effectsOf } from '../effects.ts';
import { accountEntry, applied, change, party, trustLineEntry } from '../testing/applied.ts';

const alice = party(1);
const bob = party(2);
const issuer = party(3);
const usd = new Asset('USD', issuer.address);
const USD_WIRE = usd.toXdrObject().toXdrObject();

test('a sponsorship moves from one sponsor to another: entry and signers, in the order of ledger keys', () => {
  const lineBefore = trustLineEntry(bob, USD_WIRE, alice);
  const lineAfter = trustLineEntry(bob, USD_WIRE, issuer);
  const signers: [typeof alice, number][] = [[party(4), 1]];
  const accountBefore = accountEntry(bob, { signers }, alice, [alice]);
  const accountAfter = accountEntry(bob, { signers }, issuer, [issuer]);
  const changes = [...change(lineBefore, lineAfter), ...change(accountBefore, accountAfter)];
  const operation = Operation.revokeAccountSponsorship({ account: bob.address });
  const moved = { former_sponsor: alice.address, new_sponsor: issuer.address };
  assert.deepEqual(effectsOf(applied(operation, { source: alice, changes })), [
    { account: bob.address, type: 'account_sponsorship_updated', type_i: 61, ...moved },
    {
      account: bob.address,
      type: 'signer_sponsorship_updated',
      type_i: 73,
      signer: party(4).address,
      ...moved,
    },
    {
      account: bob.address,
      type: 'trustline_sponsorship_updated',
      type_i: 64,
      asset_type: 'credit_alphanum4',
      asset: `USD:${issuer.address}`,
      ...moved,
    },
  ]);
});
