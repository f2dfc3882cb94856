import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Networks, xdr } from '@stellar/stellar-sdk/base';
import { parseAddress } from '../src/stellar/address.ts';
import { hex } from './ledger/bytes.ts';
import { networkId, parseTransaction } from './ledger/transaction.ts';
import { SANDBOX_PASSPHRASE } from './passphrase.ts';
import { DATA, envelopesOf, ledgersIn, missing, processingOf, read } from './testing/recorded-ledgers.ts';

const files = (pattern: string) => globSync(pattern, { cwd: DATA }).toSorted();
const readJson = (file: string): unknown => JSON.parse(read(file).toString());

describe('every recorded', { skip: missing() }, () => {
  test('ledger decodes, and its transactions have the hashes that its results name', () => {
    const counts = { files: 0, ledgers: 0, transactions: 0, hashed: 0 };
    for (const file of files('**/*.{xdr,gz,zst,zstd}')) {
      counts.files++;
      for (const meta of ledgersIn(file)) {
        counts.ledgers++;
        const processing = processingOf(meta);
        counts.transactions += processing.length;
        const network = NETWORKS.find(([folder]) => file.startsWith(folder))?.[1];
        if (network === undefined) continue;
        const named = processing.map(({ result }) => hex(result.transactionHash));
        const computed = envelopesOf(meta).map((wire) => hashOf(wire, network));
        assert.deepEqual(computed.toSorted(), named.toSorted(), file);
        counts.hashed += computed.length;
      }
    }
    console.log('  binary ledgers:', counts);
    assert.ok(counts.ledgers >= 366 && counts.hashed > 3000);
  });

  test('ledger in the JSON form of stellar-core reads as JSON, with as many results as transactions', () => {
    const counts = { files: 0, transactions: 0 };
    for (const file of files('stellar-core/*.json')) {
      const { LedgerCloseMeta: meta } = readJson(file) as { LedgerCloseMeta: Record<string, CoreMeta> };
      const version = Object.values(meta).find((value) => typeof value === 'object');
      assert.ok(version, file);
      assert.equal(version.txProcessing.length, envelopesInJson(version.txSet), file);
      counts.files++;
      counts.transactions += version.txProcessing.length;
    }
    console.log('  ledgers in JSON:', counts);
    assert.ok(counts.files > 30);
  });

  test('XDR in a JSON response decodes as what its field says, and encodes to the same bytes', () => {
    const broken: string[] = [];
    const counts = new Map<string, number>();
    for (const file of files('**/*.json')) {
      for (const { name, text, parent } of textsIn(readJson(file))) {
        const schema = schemaOf(name, parent);
        if (schema === undefined || text === '') continue;
        if (!survives(schema, text)) broken.push(`${file} ${name}`);
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    }
    console.log('  XDR in JSON:', Object.fromEntries(counts));
    assert.deepEqual(broken, BROKEN);
    assert.ok((counts.get('envelope_xdr') ?? 0) > 100 && (counts.get('resultMetaXdr') ?? 0) > 30);
  });

  test("envelope has the hash that is recorded beside it, by the sandbox's own parser", () => {
    const counts = { public: 0, standalone: 0 };
    const { records } = readJson('js-stellar-sdk/horizon-corpus/transactions.json') as {
      records: Recorded[];
    };
    for (const { hash, envelope_xdr } of records) {
      assert.equal(hex(parse(envelope_xdr, Networks.PUBLIC).hash), hash);
      counts.public++;
    }
    for (const file of files('horizon-2.26.1-live/*.json')) {
      for (const { hash, envelope_xdr } of objectsIn(readJson(file)).filter(isRecordedTransaction)) {
        const { hash: own, inner } = parse(envelope_xdr, SANDBOX_PASSPHRASE);
        assert.ok([hex(own), inner && hex(inner.hash)].includes(hash), file);
        counts.standalone++;
      }
    }
    console.log('  envelopes with their hash:', counts);
    assert.ok(counts.public === 50 && counts.standalone > 20);
  });

  test('address of SEP-23 is judged as published: only accounts, plain or muxed, can be paid', () => {
    const { valid, invalid } = readJson('sep-0023/vectors.json') as Vectors;
    for (const { strkey, type, id } of valid) {
      const address = parseAddress(strkey);
      const payable = type === 'KEY_TYPE_ED25519' || type === 'KEY_TYPE_MUXED_ED25519';
      assert.equal(address !== null, payable, strkey);
      if (address !== null) assert.equal(address.muxed_id, id === undefined ? null : BigInt(id), strkey);
    }
    for (const { strkey } of invalid) assert.equal(parseAddress(strkey), null, strkey);
    assert.deepEqual([valid.length, invalid.length], [8, 15]);
  });
});

/**
 * What is not the XDR that it is said to be: the submission that was malformed on purpose; two of java-stellar-sdk's files are of a preview before protocol 20; and
 * the documentation's example of getLatestLedger has a header with its hash (LedgerHeaderHistoryEntry) and a metadata
 * text that ends in words.
 */
const BROKEN = [
  'horizon-2.26.1-live/submit_err_malformed.json envelope_xdr',
  'java-stellar-sdk/soroban_server/get_contract_data.json key',
  'java-stellar-sdk/soroban_server/get_contract_data.json xdr',
  'java-stellar-sdk/soroban_server/get_transaction.json envelopeXdr',
  'stellar-docs/openrpc/stellar-rpc.openrpc.json headerXdr',
  'stellar-docs/openrpc/stellar-rpc.openrpc.json metadataXdr',
];

type CoreMeta = { txProcessing: unknown[]; txSet: unknown };
type Recorded = { hash: string; envelope_xdr: string };
type Vectors = { valid: { strkey: string; type: string; id?: string }[]; invalid: { strkey: string }[] };

/** Folders whose network is known, so that hashes can be computed. */
const NETWORKS: [folder: string, network: Buffer][] = [
  ['wallet-backend/', networkId(Networks.PUBLIC)],
  ['stellar-go/compressxdr/', networkId(Networks.PUBLIC)],
  ['replay-core-19/', networkId(SANDBOX_PASSPHRASE)],
];

function envelopesInJson(txSet: unknown): number {
  const envelopes = objectsIn(txSet).filter(
    (one) => one.type === 'ENVELOPE_TYPE_TX' || one.type === 'ENVELOPE_TYPE_TX_FEE_BUMP',
  );
  const inner = objectsIn(txSet).filter((one) => 'innerTx' in one).length;
  return envelopes.length - inner;
}

function hashOf(wire: xdr.TransactionEnvelopeWire, network: Buffer): string {
  return hex(parseTransaction(xdr.TransactionEnvelope.schema.encode(wire), network).hash);
}

function parse(envelope: string, passphrase: string) {
  return parseTransaction(Buffer.from(envelope, 'base64'), networkId(passphrase));
}

function isRecordedTransaction(one: Fields): one is Fields & Recorded {
  return typeof one.hash === 'string' && typeof one.envelope_xdr === 'string';
}

type Fields = Record<string, unknown>;
type Text = { name: string; text: string; parent: Fields };

/** Every object in a JSON value, outer ones first. */
function objectsIn(value: unknown): Fields[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? below : [value as Fields, ...below];
}

/** Every text that stands in a field, or in an array in a field. */
function textsIn(value: unknown): Text[] {
  return objectsIn(value).flatMap((parent) =>
    Object.entries(parent).flatMap(([name, field]) =>
      [field].flat(2).flatMap((text) => (typeof text === 'string' ? [{ name, text, parent }] : [])),
    ),
  );
}

type Schema = { decode(bytes: Uint8Array): unknown; encode(value: never): Uint8Array };

const SCHEMAS: Record<string, Schema> = {
  envelope_xdr: xdr.TransactionEnvelope.schema,
  envelopeXdr: xdr.TransactionEnvelope.schema,
  result_xdr: xdr.TransactionResult.schema,
  resultXdr: xdr.TransactionResult.schema,
  error_result_xdr: xdr.TransactionResult.schema,
  errorResultXdr: xdr.TransactionResult.schema,
  result_meta_xdr: xdr.TransactionMeta.schema,
  resultMetaXdr: xdr.TransactionMeta.schema,
  header_xdr: xdr.LedgerHeader.schema,
  metadataXdr: xdr.LedgerCloseMeta.schema,
  diagnosticEventsXdr: xdr.DiagnosticEvent.schema,
  transactionEventsXdr: xdr.TransactionEvent.schema,
  contractEventsXdr: xdr.ContractEvent.schema,
  topic: xdr.ScVal.schema,
  transactionData: xdr.SorobanTransactionData.schema,
  auth: xdr.SorobanAuthorizationEntry.schema,
};

function schemaOf(name: string, parent: Fields): Schema | undefined {
  if (name === 'headerXdr') {
    return 'ledgerCloseTime' in parent ? xdr.LedgerHeaderHistoryEntry.schema : xdr.LedgerHeader.schema;
  }
  if (name === 'value' && 'topic' in parent) return xdr.ScVal.schema;
  if (name === 'key' && 'lastModifiedLedgerSeq' in parent) return xdr.LedgerKey.schema;
  if (name === 'xdr' && 'lastModifiedLedgerSeq' in parent) return xdr.LedgerEntryData.schema;
  return SCHEMAS[name];
}

/** Whether it decodes, and encodes to the same bytes. */
function survives(schema: Schema, text: string): boolean {
  try {
    const value = schema.decode(Buffer.from(text, 'base64'));
    return Buffer.from(schema.encode(value as never)).toString('base64') === text;
  } catch (error) {
    if (error instanceof xdr.XdrError) return false;
    throw error;
  }
}
