/** Pure: decodes a transaction of a ledger, and checks that its envelope and result belong together. */
import { accountOf, addressOf } from '../address.ts';
import { xdr } from '../protocol/sdk.ts';
import type { LedgerTransaction } from '../stellar.ts';
import { envelopeHashes, innerTransaction } from './envelope.ts';
import {
  type EffectiveResult,
  effectiveResult,
  operationCode,
  outcomeOf,
  type TransactionOutcome,
} from './result-codes.ts';

export type AppliedTransaction = TransactionOutcome & {
  ledger: number;
  /** Its id in the ledger; of a fee-bump, the outer hash. */
  hash: string;
  /** Hash of the transaction inside a fee-bump; without a fee-bump the same as `hash`. */
  inner_hash: string;
  /** G… whose sequence number it used. A failed transaction uses it too. */
  source_account: string;
  sequence: bigint;
  /** G… that paid the fee. */
  fee_account: string;
};

/**
 * Reads the outcome of a transaction, from its envelope and result. `unusable`: XDR that does not decode, the result of another
 * transaction, or a fee above the offered one. Then the outcome is unknown.
 */
export function appliedTransaction(
  passphrase: string,
  transaction: Pick<LedgerTransaction, 'ledger' | 'envelope' | 'result'>,
): AppliedTransaction | { unusable: string } {
  try {
    const { hash, inner_hash, inner, fee_account, outcome } = decodedTransaction(passphrase, transaction);
    return {
      ledger: transaction.ledger,
      hash,
      inner_hash,
      fee_account,
      source_account: addressOf(inner.sourceAccount).account,
      sequence: inner.seqNum,
      ...outcome,
    };
  } catch (error) {
    return { unusable: (error as Error).message };
  }
}

export type DecodedTransaction = {
  hash: string;
  inner_hash: string;
  fee_bump: boolean;
  fee_account: string;
  /** The transaction that has the operations and the memo. */
  inner: xdr.Transaction;
  /** One result per operation, of the operation's type; empty when no operation was tried. */
  operation_results: readonly xdr.OperationResult[];
  outcome: TransactionOutcome;
};

/** @throws Error when envelope or result does not decode, or they do not belong together. */
export function decodedTransaction(
  passphrase: string,
  transaction: Pick<LedgerTransaction, 'envelope' | 'result'>,
): DecodedTransaction {
  const envelope = xdr.TransactionEnvelope.fromXdr(transaction.envelope);
  const result = xdr.TransactionResult.fromXdr(transaction.result);
  const hashes = envelopeHashes(passphrase, envelope);
  const unusable = contradiction(envelope, result, hashes.inner_hash);
  if (unusable) throw new Error(unusable);
  const effective = effectiveResult(result);
  return {
    ...hashes,
    fee_bump: envelope.type === 'envelopeTypeTxFeeBump',
    fee_account: addressOf(feeOf(envelope).source).account,
    inner: innerTransaction(envelope),
    operation_results:
      effective.type === 'txSuccess' || effective.type === 'txFailed' ? effective.results : [],
    outcome: outcomeOf(result),
  };
}

function feeOf(envelope: xdr.TransactionEnvelope): { source: xdr.MuxedAccount; offered: bigint } {
  if (envelope.type === 'envelopeTypeTxFeeBump') {
    const { feeSource, fee } = envelope.feeBump.tx;
    return { source: feeSource, offered: fee };
  }
  const { sourceAccount, fee } = innerTransaction(envelope);
  return { source: sourceAccount, offered: BigInt(fee) };
}

/** Says why envelope and result do not belong together; null when they can. */
function contradiction(
  envelope: xdr.TransactionEnvelope,
  result: xdr.TransactionResult,
  inner_hash: string,
): string | null {
  const { offered } = feeOf(envelope);
  if (result.feeCharged < 0n || result.feeCharged > offered)
    return `a fee of ${result.feeCharged}, but the offer was ${offered}`;
  const { operations } = innerTransaction(envelope);
  const outer = result.result;
  const isPair = outer.type === 'txFeeBumpInnerSuccess' || outer.type === 'txFeeBumpInnerFailed';
  if (isPair !== (envelope.type === 'envelopeTypeTxFeeBump')) return 'a fee-bump in envelope or result only';
  if (!isPair) return resultMismatch(operations, outer);
  const { transactionHash, result: inner } = outer.innerResultPair;
  const named = Buffer.from(transactionHash.value).toString('hex');
  if (named !== inner_hash) return `the result of ${named}, not of ${inner_hash}`;
  if ((inner.result.type === 'txSuccess') !== (outer.type === 'txFeeBumpInnerSuccess'))
    return 'inner and outer result differ';
  return resultMismatch(operations, inner.result);
}

/** Checks that every operation has a result of its type. The transaction must have failed exactly when an operation failed. */
function resultMismatch(operations: readonly xdr.Operation[], result: EffectiveResult): string | null {
  if (result.type !== 'txSuccess' && result.type !== 'txFailed') return null; // no operation was tried
  const { results } = result;
  if (results.length !== operations.length)
    return `${results.length} results for ${operations.length} operations`;
  for (const [index, { body }] of operations.entries()) {
    const operationResult = results[index];
    if (operationResult?.type !== 'opInner') continue;
    const { type } = operationResult.tr;
    // stellar-core stores the result of a passive offer as manageSellOffer (Horizon: "known issue").
    const passive = body.type === 'createPassiveSellOffer' && type === 'manageSellOffer';
    if (type !== body.type && !passive) return `the result of ${type} for ${body.type}`;
  }
  const all = results.every((operationResult) => operationCode(operationResult) === null);
  return all === (result.type === 'txSuccess') ? null : 'results of operations and transaction differ';
}

/** EnvelopeType and CryptoKeyType of Stellar-ledger-entries.x and Stellar-types.x. */
const TX_V0 = 0;
const TX = 2;
const TX_FEE_BUMP = 5;
const KEY_ED25519 = 0;
const KEY_MUXED_ED25519 = 0x100;

/**
 * Reads the account that pays the fee and the account whose sequence number is used, both as G…, read without decoding the
 * envelope. Null when the bytes are too short or of an unknown type.
 */
export function sourcesOf(bytes: Buffer): { fee_account: string; source_account: string } | null {
  if (bytes.length < 4) return null;
  const type = bytes.readUInt32BE(0);
  if (type !== TX_FEE_BUMP) {
    const source = type === TX ? keyAt(bytes, 4) : type === TX_V0 ? slice(bytes, 4) : null;
    if (!source) return null;
    const source_account = accountOf(source);
    return { fee_account: source_account, source_account };
  }
  const feeSource = keyAt(bytes, 4);
  if (!feeSource) return null;
  const inner = feeSource.byteOffset - bytes.byteOffset + 32 + 8;
  if (bytes.length < inner + 4 || bytes.readUInt32BE(inner) !== TX) return null;
  const source = keyAt(bytes, inner + 4);
  return source && { fee_account: accountOf(feeSource), source_account: accountOf(source) };
}

const PRECOND_TIME = 1;

/**
 * Reads `timeBounds.minTime` of a transaction, or of the one inside a fee-bump, without decoding; null without time bounds, and for an
 * envelope of version 0.
 */
export function minTimeOf(bytes: Buffer): bigint | null {
  if (bytes.length < 4) return null;
  const type = bytes.readUInt32BE(0);
  if (type !== TX && type !== TX_FEE_BUMP) return null;
  const first = keyAt(bytes, 4);
  if (!first) return null;
  const source = type === TX ? first : keyAt(bytes, first.byteOffset - bytes.byteOffset + 32 + 8 + 4);
  if (!source) return null;
  const condition = source.byteOffset - bytes.byteOffset + 32 + 4 + 8; // after the fee and the sequence number
  if (bytes.length < condition + 12 || bytes.readUInt32BE(condition) !== PRECOND_TIME) return null;
  return bytes.readBigUInt64BE(condition + 4);
}

/** Reads the key of the MuxedAccount at `offset`. */
function keyAt(bytes: Buffer, offset: number): Buffer | null {
  if (bytes.length < offset + 4) return null;
  const type = bytes.readUInt32BE(offset);
  if (type === KEY_ED25519) return slice(bytes, offset + 4);
  return type === KEY_MUXED_ED25519 ? slice(bytes, offset + 4 + 8) : null;
}

function slice(bytes: Buffer, start: number): Buffer | null {
  return bytes.length < start + 32 ? null : bytes.subarray(start, start + 32);
}
