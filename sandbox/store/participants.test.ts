import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { xdr } from '@stellar/stellar-sdk/base';
import { Asset, Claimant, Keypair, Operation, StrKey } from '@stellar/stellar-sdk/base';
import { accountKey, publicKey } from '../ledger/entry.ts';
import { networkId, parseTransaction } from '../ledger/transaction.ts';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { pay, TestNetwork } from '../testing/test-network.ts';
import { operationParticipants } from './participants.ts';

const source = Keypair.random();
const other = Keypair.random();
const third = Keypair.random();
const NAMES = new Map([
  [source.publicKey(), 'source'],
  [other.publicKey(), 'other'],
  [third.publicKey(), 'third'],
]);
const destination = other.publicKey();
const asset = new Asset('USD', third.publicKey());
const balanceId = `00000000${'ab'.repeat(32)}`;
const network = new TestNetwork();

/** The participants of the last of these operations of a transaction of `source`, with these changes. */
function participants(operations: xdr.Operation[], changes?: xdr.LedgerEntryChangeWire[]) {
  const envelope = network.build(source, operations, { seqNum: 1n }).toEnvelope().toXdr();
  const { tx } = parseTransaction(envelope, networkId(SANDBOX_PASSPHRASE));
  const operation = tx.operations.at(-1);
  assert.ok(operation);
  const meta = changes === undefined ? null : { ext: { v: 0 } as const, changes, events: [] };
  const found = operationParticipants(tx, operation, meta);
  return [...new Set(found.map((account) => NAMES.get(StrKey.encodeEd25519PublicKey(account))))];
}

test('an operation concerns its source and the accounts that it names', () => {
  const amount = '1';
  const path = { sendAsset: asset, destination, destAsset: asset, path: [] };
  for (const operation of [
    pay(destination, 1n),
    Operation.createAccount({ destination, startingBalance: amount }),
    Operation.accountMerge({ destination }),
    Operation.pathPaymentStrictReceive({ ...path, sendMax: amount, destAmount: amount }),
    Operation.pathPaymentStrictSend({ ...path, sendAmount: amount, destMin: amount }),
    Operation.setTrustLineFlags({ trustor: destination, asset, flags: { authorized: true } }),
    Operation.allowTrust({ trustor: destination, assetCode: 'USD', authorize: true }),
    Operation.clawback({ asset, amount, from: destination }),
    Operation.createClaimableBalance({ asset, amount, claimants: [new Claimant(destination)] }),
    Operation.beginSponsoringFutureReserves({ sponsoredId: destination }),
    Operation.revokeAccountSponsorship({ account: destination }),
    Operation.revokeTrustlineSponsorship({ account: destination, asset }),
    Operation.revokeSignerSponsorship({
      account: destination,
      signer: { ed25519PublicKey: third.publicKey() },
    }),
  ]) {
    assert.deepEqual(participants([operation]), ['source', 'other'], `${operation.body.type}`);
  }
});

test('an operation that names nobody concerns its source alone, which may be another than the transaction has', () => {
  for (const operation of [
    Operation.manageData({ name: 'a', value: 'b' }),
    Operation.bumpSequence({ bumpTo: '5' }),
    Operation.changeTrust({ asset }),
    Operation.claimClaimableBalance({ balanceId }),
    Operation.manageSellOffer({ selling: asset, buying: Asset.native(), amount: '1', price: '1' }),
    Operation.endSponsoringFutureReserves({}),
  ]) {
    assert.deepEqual(participants([operation]), ['source'], `${operation.body.type}`);
  }
  assert.deepEqual(participants([pay(destination, 1n, third)]), ['third', 'other']);
});

test('ending a sponsorship concerns who began it', () => {
  const begin = Operation.beginSponsoringFutureReserves({
    sponsoredId: destination,
    source: third.publicKey(),
  });
  const end = Operation.endSponsoringFutureReserves({ source: destination });
  assert.deepEqual(participants([begin, end]), ['other', 'third']);
});

test('who newly pays a reserve takes part in what made the entry or the signer', () => {
  const entry = network.network.entry(accountKey(network.root.rawPublicKey()));
  assert.ok(entry);
  const ext = { v: 1, v1: { sponsoringId: publicKey(third.rawPublicKey()), ext: { v: 0 } } } as const;
  const created = [{ type: 0, created: { ...entry, ext } } as const];
  assert.deepEqual(participants([pay(destination, 1n)], created), ['source', 'other', 'third']);
  const kept = [{ type: 1, updated: { ...entry, ext } } as const];
  assert.deepEqual(participants([pay(destination, 1n)], kept), ['source', 'other']);
});
