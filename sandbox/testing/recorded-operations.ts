import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from '../ledger/account.ts';
import { hex, sameBytes } from '../ledger/bytes.ts';
import { sourceOf } from '../ledger/operation.ts';
import type { Body, OperationResult } from '../ledger/operations/rules.ts';
import type { Transaction } from '../ledger/transaction.ts';
import { networkId, parseTransaction } from '../ledger/transaction.ts';
import { framesOf } from '../replay/frames.ts';
import { DATA, envelopesOf } from './recorded-ledgers.ts';

/** One operation that took effect in a ledger of a real stellar-core. */
export type RecordedOperation = {
  name: string;
  header: Header;
  /** Of a fee-bump, the inner transaction. */
  tx: Transaction;
  index: number;
  source: Uint8Array;
  body: Body;
  result: OperationResult;
  meta: xdr.OperationMetaV2Wire;
};

/** The folder of recorded ledgers, or the reason why it is absent. */
export function recording(name: string): { folder: string; skip: string | false } {
  const folder = join(DATA, name);
  return { folder, skip: existsSync(folder) ? false : `no recording at ${folder}` };
}

/**
 * Operations of these types from every file of the folder: LedgerCloseMeta, alone in gzip or a stream of frames.
 * The meta must be v4.
 */
export function* recordedOperations(
  folder: string,
  passphrase: string,
  types: number[],
): Generator<RecordedOperation> {
  for (const file of readdirSync(folder)) {
    if (!/\.xdr(\.gz)?$/.test(file)) continue;
    const bytes = readFileSync(join(folder, file));
    const ledgers = file.endsWith('.gz') ? [gunzipSync(bytes)] : [...framesOf(bytes)];
    for (const ledger of ledgers) yield* operationsIn(ledger, networkId(passphrase), types);
  }
}

function* operationsIn(bytes: Buffer, network: Buffer, types: number[]): Generator<RecordedOperation> {
  const ledger = xdr.LedgerCloseMeta.schema.decode(bytes);
  assert.ok(ledger.v !== 0);
  const { txProcessing, ledgerHeader } = ledger.v === 1 ? ledger.v1 : ledger.v2;
  const transactions = transactionsIn(ledger, network);
  const isAlone = transactions.length === 1;
  for (const { result, txApplyProcessing } of txProcessing) {
    // A single transaction is not looked up by hash, because that needs the passphrase, and stellar-core's own
    // tests do not tell theirs.
    const tx = isAlone
      ? transactions[0]
      : transactions.find(({ hash }) => sameBytes(hash, result.transactionHash));
    const results = operationResults(result.result);
    if (results === undefined) continue;
    assert.ok(tx && txApplyProcessing.v === 4);
    for (const [index, operation] of tx.tx.operations.entries()) {
      if (!types.includes(operation.body.type)) continue;
      const [opResult, meta] = [results[index], txApplyProcessing.v4.operations[index]];
      assert.ok(opResult && meta);
      const { header } = ledgerHeader;
      const name = `ledger ${header.ledgerSeq}, transaction ${hex(tx.hash)}, operation ${index}`;
      const content = tx.inner ?? tx;
      const source = sourceOf(content, operation);
      yield { name, header, tx: content, index, source, body: operation.body, result: opResult, meta };
    }
  }
}

/** Undefined when the transaction did not take effect: the meta then has no operations. */
function operationResults({ result }: xdr.TransactionResultWire): OperationResult[] | undefined {
  const outcome = result.code === 1 ? result.innerResultPair.result.result : result;
  return outcome.code === 0 ? outcome.results : undefined;
}

function transactionsIn(ledger: xdr.LedgerCloseMetaWire, network: Buffer): Transaction[] {
  return envelopesOf(ledger).map((envelope) =>
    parseTransaction(xdr.TransactionEnvelope.schema.encode(envelope), network),
  );
}
