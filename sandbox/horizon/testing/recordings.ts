import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { Networks, xdr } from '@stellar/stellar-sdk/base';
import { hex } from '../../ledger/bytes.ts';
import { isSuccess } from '../../ledger/result.ts';
import { networkId, parseTransaction } from '../../ledger/transaction.ts';
import { SANDBOX_PASSPHRASE } from '../../passphrase.ts';
import { framesOf } from '../../replay/frames.ts';
import { DATA, envelopesOf } from '../../testing/recorded-ledgers.ts';
import type { AppliedOperation } from '../applied-operation.ts';

/** Recordings of our own, which are in the project. */
const OWN = join(import.meta.dirname, '../../testing/recordings');
const CORE_TESTS_PASSPHRASE = '(V) (;,,;) (V)';

/** The path of a recording, and the reason to skip a test when it is absent. */
export function recording(folder: string): { path: string; skip: string | false } {
  const own = join(OWN, folder);
  const path = existsSync(own) ? own : join(DATA, folder);
  return { path, skip: existsSync(path) ? false : `no recording at ${path}` };
}

/** Recordings of whole ledgers, each with a minimum of operations in successful transactions. */
export const RECORDINGS = [
  { folder: 'replay-core-19', read: coreReplay, atLeast: 1321 },
  { folder: 'wallet-backend', read: publicLedgers, atLeast: 1436 },
  { folder: 'stellar-horizon', read: coreUnitTests, atLeast: 299 },
  { folder: 'stellar-go/compressxdr', read: publicLedgerV3, atLeast: 169 },
  { folder: 'stellar-go/testdata', read: contractTransfers, atLeast: 400 },
].map(({ read, ...source }) => ({ ...source, skip: recording(source.folder).skip, operations: once(read) }));

/** Decoding takes most of a test's time. */
function once<T>(read: () => Iterable<T>): () => T[] {
  let all: T[] | null = null;
  return () => {
    all ??= [...read()];
    return all;
  };
}

/** Every transaction of a standalone core 19, from the first ledger after genesis on. */
function* coreReplay(): Generator<AppliedOperation> {
  const stream = gunzipSync(readFileSync(join(recording('replay-core-19').path, 'meta.xdr.gz')));
  for (const meta of framed(stream)) yield* operationsOf(meta, SANDBOX_PASSPHRASE);
}

/** Three ledgers of the public network. */
function* publicLedgers(): Generator<AppliedOperation> {
  const { path } = recording('wallet-backend');
  for (const file of readdirSync(path)) {
    const meta = gunzipSync(readFileSync(join(path, file)));
    yield* operationsOf(xdr.LedgerCloseMeta.schema.decode(meta), Networks.PUBLIC);
  }
}

/** One of the public network, protocol 21. */
function* publicLedgerV3(): Generator<AppliedOperation> {
  const { path } = recording('stellar-go/compressxdr');
  const batch = zstdDecompressSync(readFileSync(join(path, 'testdata/FCD285FF--53312000.xdr.zstd')));
  const { ledgerCloseMetas } = xdr.LedgerCloseMetaBatch.schema.decode(batch);
  for (const meta of ledgerCloseMetas) yield* operationsOf(meta, Networks.PUBLIC);
}

/** The transactions of stellar-core's own unit tests, protocol 26. */
function* coreUnitTests(): Generator<AppliedOperation> {
  const { path } = recording('stellar-horizon');
  for (const file of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.xdr')) continue;
    const stream = readFileSync(join(path, file));
    for (const meta of framed(stream)) yield* operationsOf(meta, CORE_TESTS_PASSPHRASE);
  }
}

/** Transfers of the native asset's contract, protocol 24 and 23. */
function* contractTransfers(): Generator<AppliedOperation> {
  const { path } = recording('stellar-go/testdata');
  const files = {
    'load-test-ledgers-v24': 'load test network',
    'load-test-ledgers-v23-standalone': SANDBOX_PASSPHRASE,
  };
  for (const [file, passphrase] of Object.entries(files)) {
    const stream = zstdDecompressSync(readFileSync(join(path, `${file}.xdr.zstd`)));
    for (const meta of framed(stream)) yield* operationsOf(meta, passphrase);
  }
}

function* framed(stream: Buffer): Generator<xdr.LedgerCloseMetaWire> {
  for (const frame of framesOf(stream)) yield xdr.LedgerCloseMeta.schema.decode(frame);
}

function* operationsOf(meta: xdr.LedgerCloseMetaWire, passphrase: string): Generator<AppliedOperation> {
  const network = networkId(passphrase);
  const { processed, ledger } = processedIn(meta);
  const byHash = new Map(
    envelopesOf(meta).map((envelope) => {
      const transaction = parseTransaction(xdr.TransactionEnvelope.schema.encode(envelope), network);
      return [hex(transaction.hash), transaction.tx];
    }),
  );
  for (const { result, txApplyProcessing } of processed) {
    const hash = hex(result.transactionHash);
    const transaction = byHash.get(hash);
    assert.ok(transaction, `the transaction set has ${hash}`);
    yield* appliedOperations(transaction, result.result, txApplyProcessing, ledger, passphrase);
  }
}

function processedIn(meta: xdr.LedgerCloseMetaWire) {
  const { ledgerHeader, txProcessing } = meta.v === 0 ? meta.v0 : meta.v === 1 ? meta.v1 : meta.v2;
  return { processed: txProcessing, ledger: ledgerHeader.header.ledgerSeq };
}

export function appliedOperations(
  transaction: xdr.TransactionWire,
  result: xdr.TransactionResultWire,
  meta: xdr.TransactionMetaWire,
  ledger: number,
  passphrase: string,
): AppliedOperation[] {
  const successful = isSuccess(result);
  const inner =
    'innerResultPair' in result.result ? result.result.innerResultPair.result.result : result.result;
  const results = 'results' in inner ? inner.results : [];
  const metas = successful ? operationMetas(meta) : [];
  return transaction.operations.map((operation, index) => ({
    transaction,
    index,
    operation,
    source: operation.sourceAccount ?? transaction.sourceAccount,
    result: results[index] ?? { code: -1 },
    successful,
    meta: metas[index] ?? null,
    ledger,
    passphrase,
  }));
}

/** Before protocol 23 only contracts had events, and a transaction with one has no other operation. */
function operationMetas(meta: xdr.TransactionMetaWire): xdr.OperationMetaV2Wire[] {
  if (meta.v === 4) return meta.v4.operations;
  assert.ok(meta.v === 2 || meta.v === 3);
  const operations = meta.v === 2 ? meta.v2.operations : meta.v3.operations;
  const events = meta.v === 3 ? (meta.v3.sorobanMeta?.events ?? []) : [];
  return operations.map(({ changes }) => ({ ext: { v: 0 }, changes, events }));
}
