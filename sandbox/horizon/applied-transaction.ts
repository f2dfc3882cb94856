import { xdr } from '@stellar/stellar-sdk/base';
import { hex } from '../ledger/bytes.ts';
import type { StoredTransaction } from '../store/ledger-store.ts';
import type { AppliedOperation } from './applied-operation.ts';

/** A decoded transaction of a ledger, with the hash under which it is shown. */
export type AppliedTransaction = {
  row: StoredTransaction;
  envelope: xdr.TransactionEnvelopeWire;
  /** Hex. Of a fee-bump, the hash of the inner transaction when the client asked for that one. */
  hash: string;
};

/** V0 envelopes are converted before a ledger takes them. */
type InnerEnvelope = Extract<xdr.TransactionEnvelopeWire, { type: 2 }>['v1'];

/** The result of operations that were never tried, for example those of a transaction that came too late. */
const NOT_TRIED: xdr.OperationResultWire = { code: -1 };

export function appliedTransaction(row: StoredTransaction, hash = hex(row.hash)): AppliedTransaction {
  return { row, hash, envelope: xdr.TransactionEnvelope.schema.decode(row.envelope) };
}

/** The envelope whose operations were applied: of a fee-bump the inner one. */
export function innerEnvelope({ envelope }: AppliedTransaction): InnerEnvelope {
  if (envelope.type === 5) return envelope.feeBump.tx.innerTx.v1;
  if (envelope.type === 2) return envelope.v1;
  throw new Error('a V0 envelope cannot be in a ledger of this network');
}

/** The operations of the transaction, with everything that Horizon's records of them need. */
export function appliedOperations(applied: AppliedTransaction, passphrase: string): AppliedOperation[] {
  const { row } = applied;
  const { tx } = innerEnvelope(applied);
  const successful = row.successful === 1;
  const results = operationResults(row.result);
  const metas = successful ? operationMetas(row.meta) : [];
  return tx.operations.map((operation, index) => ({
    transaction: tx,
    index,
    operation,
    source: operation.sourceAccount ?? tx.sourceAccount,
    result: results[index] ?? NOT_TRIED,
    successful,
    meta: metas[index] ?? null,
    ledger: row.ledger,
    passphrase,
  }));
}

function operationResults(resultXdr: Uint8Array): xdr.OperationResultWire[] {
  const { result } = xdr.TransactionResult.schema.decode(resultXdr);
  const outcome = 'innerResultPair' in result ? result.innerResultPair.result.result : result;
  return 'results' in outcome ? outcome.results : [];
}

function operationMetas(metaXdr: Uint8Array): xdr.OperationMetaV2Wire[] {
  const meta = xdr.TransactionMeta.schema.decode(metaXdr);
  if (meta.v !== 4) throw new Error('ledgers of this network have TransactionMeta v4');
  return meta.v4.operations;
}
