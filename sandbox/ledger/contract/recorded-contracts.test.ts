import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { Networks, Asset as SdkAsset, xdr } from '@stellar/stellar-sdk/base';
import { framesOf } from '../../replay/frames.ts';
import { DATA } from '../../testing/recorded-ledgers.ts';
import type { Asset } from '../asset.ts';
import { issuerOf } from '../asset.ts';
import { sameBytes, sha256 } from '../bytes.ts';
import type { Entry, EntryKey } from '../entry.ts';
import { keyOf, ttlKey } from '../entry.ts';
import type { Party } from '../events.ts';
import { AssetContracts, EventSink } from '../events.ts';
import { feeToCharge } from '../fees.ts';
import type { ScVal } from '../sc-val.ts';
import { fieldsOf, i128Of } from '../sc-val.ts';
import type { ContractTransaction } from '../transaction.ts';
import { isContractTransaction, networkId, parseTransaction } from '../transaction.ts';
import { setMember, transactionSetXdr } from '../transaction-set.ts';
import { bytesOf } from './contract-storage.ts';
import type { RentChange } from './resource-fee.ts';
import { eventsFee, nonRefundableFee, rentFee } from './resource-fee.ts';

const FOLDER = join(DATA, 'wallet-backend');
const skip = existsSync(FOLDER) ? false : `no recording at ${FOLDER}`;
const NETWORK = networkId(Networks.PUBLIC);

type Ledger = xdr.LedgerCloseMetaV2Wire;
type Recorded = {
  tx: ContractTransaction;
  header: xdr.LedgerHeaderWire;
  result: xdr.TransactionResultWire;
  meta: xdr.TransactionMetaV4Wire;
  fees: xdr.SorobanTransactionMetaExtV1Wire;
};

suite('contract transactions of the public network, June 2026', { skip }, () => {
  const ledgers = skip === false ? ['63092990', '63092996'].map(read) : [];
  const all = ledgers.flatMap(contractTransactions);

  test('were charged exactly the computed fee for their resources', () => {
    assert.ok(all.length > 30);
    for (const { tx, header, result, fees } of all) {
      const content = tx.inner ?? tx;
      const nonRefundable = nonRefundableFee(tx.soroban.resources, content.envelopeXdr.length);
      assert.equal(nonRefundable, fees.totalNonRefundableResourceFeeCharged);
      const refund = tx.soroban.resourceFee - nonRefundable - fees.totalRefundableResourceFeeCharged;
      assert.equal(feeToCharge(tx, BigInt(header.baseFee)) - refund, result.feeCharged);
    }
  });

  test('were charged exactly the computed fee for events, return value and rent', () => {
    const paid = all.filter(({ meta }) => meta.operations.length > 0);
    const withRent = paid.filter(({ fees }) => fees.rentFeeCharged > 0n);
    assert.ok(withRent.length > 5);
    for (const { header, meta, fees } of paid) {
      const [operation] = meta.operations;
      const parts = (operation?.events ?? []).map((event) => xdr.ContractEvent.schema.encode(event));
      const returned = meta.sorobanMeta?.returnValue;
      if (returned) parts.push(xdr.ScVal.schema.encode(returned));
      const rent = rentFee(rentChangesOf(operation?.changes ?? []), header.ledgerSeq);
      assert.equal(rent, fees.rentFeeCharged);
      assert.equal(eventsFee(Buffer.concat(parts).length) + rent, fees.totalRefundableResourceFeeCharged);
    }
  });

  test('have the hash of return value and events as their result', () => {
    for (const { result, meta } of all) {
      const returnValue = meta.sorobanMeta?.returnValue;
      if (!returnValue || result.result.code !== 0) continue;
      const preimage = { returnValue, events: meta.operations[0]?.events ?? [] };
      const hash = sha256(xdr.InvokeHostFunctionSuccessPreImage.schema.encode(preimage));
      const [operation] = result.result.results;
      assert.ok(operation?.code === 0 && operation.tr.type === 24);
      assert.deepEqual(operation.tr.invokeHostFunctionResult, { code: 0, success: new Uint8Array(hash) });
    }
  });

  test('are in a parallel phase whose bytes are reproduced', () => {
    for (const ledger of ledgers) {
      if (ledger.txSet.v !== 1) throw new Error('not a generalized set');
      const recorded = ledger.txSet.v1TxSet.phases[1];
      assert.ok(recorded?.v === 1);
      const { baseFee } = recorded.parallelTxsComponent;
      const members = contractTransactions(ledger).map(({ tx }) => setMember(tx));
      const ours = transactionSetXdr(new Uint8Array(32), baseFee ?? 0n, members);
      const bytes = Buffer.from(xdr.TransactionPhase.schema.encode(recorded));
      assert.ok(ours.subarray(-bytes.length).equals(bytes));
    }
  });

  test('have events of asset movements whose bytes are reproduced', () => {
    const events = all.flatMap(({ meta }) => meta.operations.flatMap((operation) => operation.events));
    assert.ok(assertSameEvents(new AssetContracts(Networks.PUBLIC), events) > 10);
  });
});

const LOAD_TEST = join(DATA, 'stellar-go/testdata/load-test-ledgers-v24.xdr.zstd');
const skipLoadTest = existsSync(LOAD_TEST) ? false : `no recording at ${LOAD_TEST}`;

test("the events of transfers in stellar-core's load test are reproduced", { skip: skipLoadTest }, () => {
  const events = [...framesOf(zstdDecompressSync(readFileSync(LOAD_TEST)))]
    .map((record) => xdr.LedgerCloseMeta.schema.decode(record))
    .flatMap((meta) => (meta.v === 2 ? meta.v2.txProcessing : []))
    .map(({ txApplyProcessing }) => txApplyProcessing)
    .flatMap((meta) => (meta.v === 4 ? meta.v4.operations : []))
    .flatMap((operation) => operation.events);
  assert.ok(assertSameEvents(new AssetContracts('load test network'), events) >= 400);
});

/** Encodes each event of an asset's contract again from its decoded content. @returns how many there are */
function assertSameEvents(contracts: AssetContracts, events: xdr.ContractEventWire[]): number {
  const ofAssets = events.filter((event) => isAssetEvent(contracts, event));
  for (const event of ofAssets) {
    const { asset, from, to, amount } = movementOf(event);
    const sink = new EventSink(contracts, { type: 0 });
    sink.transfer(asset, from, to, amount, 'with_muxed_id');
    assert.deepEqual(sink.events.map(encoded), [encoded(event)]);
  }
  return ofAssets.length;
}

function read(sequence: string): Ledger {
  const bytes = gunzipSync(readFileSync(join(FOLDER, `ledger-${sequence}.xdr.gz`)));
  const meta = xdr.LedgerCloseMeta.schema.decode(bytes);
  if (meta.v !== 2) throw new Error('not a ledger of protocol 23 or later');
  return meta.v2;
}

function contractTransactions({ txSet, txProcessing, ledgerHeader: { header } }: Ledger): Recorded[] {
  const phase = txSet.v === 1 ? txSet.v1TxSet.phases[1] : undefined;
  const envelopes = phase?.v === 1 ? phase.parallelTxsComponent.executionStages.flat(2) : [];
  return envelopes.map((envelope) => {
    const tx = parseTransaction(xdr.TransactionEnvelope.schema.encode(envelope), NETWORK);
    const processed = txProcessing.find(({ result }) => sameBytes(result.transactionHash, tx.hash));
    const meta = processed?.txApplyProcessing;
    if (!isContractTransaction(tx) || processed === undefined || meta?.v !== 4) throw new Error('no meta');
    const ext = meta.v4.sorobanMeta?.ext;
    if (ext?.v !== 1) throw new Error('no fees in meta');
    return { tx, header, result: processed.result.result, meta: meta.v4, fees: ext.v1 };
  });
}

/** Rent of entries that the operation created or changed. Entries whose lifetime alone changed are not in meta. */
function rentChangesOf(changes: xdr.LedgerEntryChangeWire[]): RentChange[] {
  const before = new Map<EntryKey, Entry>();
  const after = new Map<EntryKey, Entry>();
  for (const change of changes) {
    if (change.type === 3) before.set(keyOf(change.state), change.state);
    if (change.type === 0) after.set(keyOf(change.created), change.created);
    if (change.type === 1) after.set(keyOf(change.updated), change.updated);
  }
  return [...after].flatMap(([key, entry]): RentChange[] => {
    const lifetime = after.get(ttlKey(key));
    if (entry.data.type !== 6 || lifetime === undefined) return [];
    const old = before.get(key);
    return [
      {
        persistent: entry.data.contractData.durability === 1,
        before: old && { bytes: bytesOf(old), liveUntil: lastLedgerOf(before.get(ttlKey(key))) },
        after: { bytes: bytesOf(entry), liveUntil: lastLedgerOf(lifetime) },
      },
    ];
  });
}

function lastLedgerOf(entry: Entry | undefined): number {
  if (entry?.data.type !== 9) throw new Error('not a lifetime');
  return entry.data.ttl.liveUntilLedgerSeq;
}

function isAssetEvent(contracts: AssetContracts, { contractId, body }: xdr.ContractEventWire): boolean {
  const [name] = body.v0.topics;
  const last = body.v0.topics.at(-1);
  if (name?.type !== 15 || !['transfer', 'mint', 'burn'].includes(name.sym.toString())) return false;
  if (last?.type !== 14 || contractId === null) return false;
  return sameBytes(contracts.idOf(assetNamed(last)), contractId);
}

function movementOf({ body }: xdr.ContractEventWire) {
  const [name, ...topics] = body.v0.topics;
  const asset = assetNamed(topics.at(-1));
  const [first, second] = topics.map(partyOf);
  const fields = fieldsOf(body.v0.data, 'amount', 'to_muxed_id');
  const amount = i128Of(fields?.amount ?? body.v0.data);
  if (name?.type !== 15 || first === undefined || amount === undefined) throw new Error('no movement');
  if (second !== undefined) return { asset, from: first, to: second, amount };
  if (asset.type === 0) throw new Error('nobody issues the native asset');
  const issuer: Party = { type: 0, ed25519: issuerOf(asset) };
  const minted = name.sym.toString() === 'mint';
  return { asset, from: minted ? issuer : first, to: minted ? first : issuer, amount };
}

/** `native` or `CODE:ISSUER`. */
function assetNamed(value: ScVal | undefined): Asset {
  if (value?.type !== 14) throw new Error('not the name of an asset');
  const [code = '', issuer] = value.str.toString().split(':');
  const asset = issuer === undefined ? SdkAsset.native() : new SdkAsset(code, issuer);
  return asset.toXdrObject().toXdrObject();
}

function partyOf(value: ScVal): Party | undefined {
  if (value.type !== 18) return undefined;
  const { address } = value;
  return address.type === 0 ? { type: 0, ed25519: address.accountId.ed25519 } : { address };
}

function encoded(event: xdr.ContractEventWire): string {
  return Buffer.from(xdr.ContractEvent.schema.encode(event)).toString('base64');
}
