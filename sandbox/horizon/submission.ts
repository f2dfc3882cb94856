import { xdr } from '@stellar/stellar-sdk/base';
import { base64, hex } from '../ledger/bytes.ts';
import type { Transaction } from '../ledger/transaction.ts';
import { laterProtocol } from '../ledger/transaction.ts';
import type { StellarNode } from '../node.ts';
import type { StoredTransaction } from '../store/ledger-store.ts';
import { appliedTransaction } from './applied-transaction.ts';
import type { LedgerWaiters } from './ledger-waiters.ts';
import type { Links } from './links.ts';
import { serviceUnavailable, submissionTimeout, transactionFailed, transactionMalformed } from './problem.ts';
import type { ResultCodes } from './result-codes.ts';
import { transactionCode } from './result-codes.ts';
import { transactionRecord } from './transaction-record.ts';

/** Horizon's SubmissionTimeout: below the 60 s after which clients give up. */
const SUBMISSION_TIMEOUT_MS = 30_000;

type Place = { node: StellarNode; links: Links; waiters: LedgerWaiters };

/**
 * POST /transactions: submits the envelope and waits for its ledger. An envelope that is in a ledger is answered from
 * history, so sending it again is safe. It waits after TRY_AGAIN_LATER too, so a transaction that was not accepted ends
 * in the same timeout as a slow one: the timeout proves nothing (Horizon, txsub/system.go).
 * @param disconnected aborts when the client closes the connection
 * @throws Problem 400 when it is malformed, refused or failed, 504 when no ledger had it in time
 */
export async function submitAndWait(raw: string, { node, links, waiters }: Place, disconnected: AbortSignal) {
  const { hash } = parse(raw, node);
  const known = node.transaction(hash);
  if (known !== undefined) return outcome(known, hash, raw, links);
  const { status, error_result_xdr } = node.submit(xdr.decodeBytes(raw, 'base64'));
  if (status === 'ERROR' && error_result_xdr !== null) throw failed(error_result_xdr, hash, raw);

  const row = await inLedger(hash, { node, waiters }, disconnected);
  if (row !== undefined) return outcome(row, hash, raw, links);
  if (waiters.stopped.aborted) throw serviceUnavailable();
  throw submissionTimeout({ hash: hex(hash), envelope_xdr: raw });
}

async function inLedger(
  hash: Buffer,
  { node, waiters }: Pick<Place, 'node' | 'waiters'>,
  disconnected: AbortSignal,
): Promise<StoredTransaction | undefined> {
  const over = new AbortController();
  const ending = AbortSignal.any([disconnected, over.signal, waiters.stopped]);
  const timeout = node.options.clock.sleep(SUBMISSION_TIMEOUT_MS, ending).then(() => over.abort());
  let row = node.transaction(hash);
  while (row === undefined && !ending.aborted) {
    await waiters.next(ending);
    row = node.transaction(hash);
  }
  over.abort();
  await timeout;
  return row;
}

const ASYNC_STATUS_CODES = { PENDING: 201, DUPLICATE: 409, TRY_AGAIN_LATER: 503, ERROR: 400 } as const;

/** POST /transactions_async: the immediate answer of the network to the envelope, with its HTTP status. */
export function submitAsync(raw: string, node: StellarNode) {
  const { hash } = parse(raw, node, { error: {} });
  const { status, error_result_xdr } = node.submit(xdr.decodeBytes(raw, 'base64'));
  const body = {
    ...(error_result_xdr === null ? {} : { error_result_xdr: base64(error_result_xdr) }),
    tx_status: status,
    hash: hex(hash),
  };
  return { status_code: ASYNC_STATUS_CODES[status], body };
}

function parse(raw: string, node: StellarNode, malformed: { error?: object } = {}): Transaction {
  try {
    return node.parse(xdr.decodeBytes(raw, 'base64'));
  } catch (error) {
    if (error instanceof xdr.XdrError) {
      const reason = laterProtocol(error);
      throw transactionMalformed(raw, { ...malformed, ...(reason === undefined ? {} : { reason }) });
    }
    throw error;
  }
}

function outcome(row: StoredTransaction, hash: Buffer, raw: string, links: Links) {
  if (row.successful === 0) throw failed(row.result, hash, raw);
  return transactionRecord(appliedTransaction(row, hex(hash)), links);
}

function failed(resultXdr: Uint8Array, hash: Buffer, raw: string) {
  const result = xdr.TransactionResult.schema.decode(resultXdr);
  const result_codes = codesFor(hash, result);
  return transactionFailed({ envelope_xdr: raw, result_codes, result_xdr: base64(resultXdr) });
}

/** A client that submitted the inner transaction of a fee-bump by itself gets the result of that one. */
function codesFor(hash: Buffer, result: xdr.TransactionResultWire): ResultCodes {
  const codes = transactionCode(result);
  const { result: outcome } = result;
  const asInner = 'innerResultPair' in outcome && hash.equals(outcome.innerResultPair.transactionHash);
  if (!asInner || codes.inner_transaction === undefined) return codes;
  const { inner_transaction: transaction, operations } = codes;
  return { transaction, ...(operations === undefined ? {} : { operations }) };
}
