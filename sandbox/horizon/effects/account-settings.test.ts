import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { xdr } from '@stellar/stellar-sdk/base';
import { Operation } from '@stellar/stellar-sdk/base';
import { effectsOf } from '../effects.ts';
import { accountEntry, applied, change, dataEntry, party } from '../testing/applied.ts';

const alice = party(1);
const bob = party(2);
const issuer = party(3);

test('set_options tells what it set in a fixed order; thresholds left alone show as 0', () => {
  const operation = Operation.setOptions({
    homeDomain: 'example.com',
    medThreshold: 2,
    setFlags: 1,
    inflationDest: bob.address,
  });
  const changes = change(accountEntry(alice, {}), accountEntry(alice, { homeDomain: 'example.com' }));
  assert.deepEqual(effectsOf(applied(operation, { source: alice, changes })), [
    { account: alice.address, type: 'account_home_domain_updated', type_i: 5, home_domain: 'example.com' },
    {
      account: alice.address,
      type: 'account_thresholds_updated',
      type_i: 4,
      low_threshold: 0,
      med_threshold: 2,
      high_threshold: 0,
    },
    { account: alice.address, type: 'account_flags_updated', type_i: 6, auth_required_flag: true },
    { account: alice.address, type: 'account_inflation_destination_updated', type_i: 7 },
  ]);
});

test('signers, the master key among them, are removed, reweighted, then added, by address', () => {
  const [carol, dave] = [party(4), party(5)];
  const before = accountEntry(alice, {
    masterWeight: 1,
    signers: [
      [bob, 1],
      [carol, 2],
    ],
  });
  const after = accountEntry(
    alice,
    {
      masterWeight: 0,
      signers: [
        [carol, 3],
        [dave, 4],
      ],
    },
    null,
    [null, issuer],
  );
  const operation = Operation.setOptions({ signer: { ed25519PublicKey: dave.address, weight: 4 } });
  const seen = effectsOf(applied(operation, { source: alice, changes: change(before, after) }));
  const lost = [
    { type: 'signer_removed', type_i: 11, weight: 0, public_key: alice.address },
    { type: 'signer_removed', type_i: 11, weight: 0, public_key: bob.address },
    { type: 'signer_updated', type_i: 12, weight: 3, public_key: carol.address },
  ].sort((a, b) => (a.public_key < b.public_key ? -1 : 1));
  assert.deepEqual(seen, [
    ...lost.map((fields) => ({ account: alice.address, ...fields, key: '' })),
    {
      account: alice.address,
      type: 'signer_created',
      type_i: 10,
      weight: 4,
      public_key: dave.address,
      key: '',
    },
    {
      account: alice.address,
      type: 'signer_sponsorship_created',
      type_i: 72,
      signer: dave.address,
      sponsor: issuer.address,
    },
  ]);
});

test('bump_sequence has an effect only when the number changes', () => {
  const operation = Operation.bumpSequence({ bumpTo: '9' });
  const at = (seqNum: bigint) => accountEntry(alice, { seqNum });
  assert.deepEqual(effectsOf(applied(operation, { source: alice, changes: change(at(8n), at(9n)) })), [
    { account: alice.address, type: 'sequence_bumped', type_i: 43, new_seq: '9' },
  ]);
  assert.deepEqual(effectsOf(applied(operation, { source: alice, changes: change(at(9n), at(9n)) })), []);
});

test('manage_data tells the value, but not of what it removed', () => {
  const operation = Operation.manageData({ name: 'color', value: 'blue' });
  const shown = (changes: xdr.LedgerEntryChangeWire[]) =>
    effectsOf(applied(operation, { source: alice, changes }));
  const [red, blue] = [dataEntry(alice, 'color', 'red'), dataEntry(alice, 'color', 'blue', bob)];
  const named = { account: alice.address, name: 'color' };
  assert.deepEqual(shown(change(red, dataEntry(alice, 'color', 'blue'))), [
    { ...named, type: 'data_updated', type_i: 42, value: 'Ymx1ZQ==' },
  ]);
  assert.deepEqual(shown(change(red, null)), [{ ...named, type: 'data_removed', type_i: 41 }]);
  assert.deepEqual(shown(change(null, blue)), [
    { ...named, type: 'data_created', type_i: 40, value: 'Ymx1ZQ==' },
    {
      account: alice.address,
      type: 'data_sponsorship_created',
      type_i: 66,
      data_name: 'color',
      sponsor: bob.address,
    },
  ]);
});
