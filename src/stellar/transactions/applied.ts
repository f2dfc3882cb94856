/** Pure: what one entry of a ledger says, believed only when it agrees with itself. */
import { xdr } from '@stellar/stellar-sdk';
import { accountOf, addressOf } from '../address.ts';
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
  /** The ledger's name for it: the outer one of a fee-bump. */
  hash: string;
  /** Of the transaction inside a fee-bump; the same as `hash` without one. */
  inner_hash: string;
  /** G… whose sequence number it used, whether it succeeded or not. */
  source_account: string;
  sequence: bigint;
  /** G… that paid the fee. */
  fee_account: string;
};

/**
 * What became of a transaction by its envelope and its result. `unusable` when they are not one transaction's: another
 * one's result, XDR that does not decode, a fee above what was offered. Then nothing is known.
 */
export function appliedTransaction(
  passphrase: string,
  transaction: Pick<LedgerTransaction, 'ledger' | 'envelope' | 'result'>,
): AppliedTransaction | { unusable: string } {
  try {
    const { hash, inner_hash, inner, fee_account, outcome } = decodedTransaction(passphrase, transaction);
    return {
      ledger: transaction.ledger,
      ...{ hash, inner_hash, fee_account },
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
  /** The transaction that carries operations and memo. */
  inner: xdr.Transaction;
  /** One for each operation, of its kind; none at all when no operation was tried. */
  operation_results: readonly xdr.OperationResult[];
  outcome: TransactionOutcome;
};

/** @throws Error when envelope or result does not decode, or they are not one transaction's. */
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

/** Why the result cannot be that of the envelope; null when it can. */
function contradiction(
  envelope: xdr.TransactionEnvelope,
  result: xdr.TransactionResult,
  inner_hash: string,
): string | null {
  const { offered } = feeOf(envelope);
  if (result.feeCharged < 0n || result.feeCharged > offered)
    return `a fee of ${result.feeCharged}, ${offered} were offered`;
  const { operations } = innerTransaction(envelope);
  const outer = result.result;
  const isPair = outer.type === 'txFeeBumpInnerSuccess' || outer.type === 'txFeeBumpInnerFailed';
  if (isPair !== (envelope.type === 'envelopeTypeTxFeeBump')) return 'a fee-bump on one side only';
  if (!isPair) return misfit(operations, outer);
  const { transactionHash, result: inner } = outer.innerResultPair;
  const named = Buffer.from(transactionHash.value).toString('hex');
  if (named !== inner_hash) return `the result of ${named}, not of ${inner_hash}`;
  if ((inner.result.type === 'txSuccess') !== (outer.type === 'txFeeBumpInnerSuccess'))
    return 'inside and outside ended differently';
  return misfit(operations, inner.result);
}

/** Every operation has a result of its kind, and the transaction failed if and only if one of them did. */
function misfit(operations: readonly xdr.Operation[], result: EffectiveResult): string | null {
  if (result.type !== 'txSuccess' && result.type !== 'txFailed') return null; // no operation was tried
  const { results } = result;
  if (results.length !== operations.length)
    return `${results.length} results for ${operations.length} operations`;
  for (const [index, { body }] of operations.entries()) {
    const operationResult = results[index];
    if (operationResult?.type !== 'opInner') continue;
    const { type } = operationResult.tr;
    // stellar-core has put the results of passive offers under manageSellOffer (Horizon: "known issue").
    const passive = body.type === 'createPassiveSellOffer' && type === 'manageSellOffer';
    if (type !== body.type && !passive) return `the result of ${type} for ${body.type}`;
  }
  const all = results.every((operationResult) => operationCode(operationResult) === null);
  return all === (result.type === 'txSuccess') ? null : 'operations and transaction ended differently';
}

/** EnvelopeType and CryptoKeyType of Stellar-ledger-entries.x and Stellar-types.x. */
const TX_V0 = 0;
const TX = 2;
const TX_FEE_BUMP = 5;
const KEY_ED25519 = 0;
const KEY_MUXED_ED25519 = 0x100;

/**
 * Who pays the fee of a transaction and whose sequence number it uses, as G…, muxed or not; null when the envelope
 * cannot be read that far.
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

/** The key in a MuxedAccount that begins at `offset`. */
function keyAt(bytes: Buffer, offset: number): Buffer | null {
  if (bytes.length < offset + 4) return null;
  const type = bytes.readUInt32BE(offset);
  if (type === KEY_ED25519) return slice(bytes, offset + 4);
  return type === KEY_MUXED_ED25519 ? slice(bytes, offset + 4 + 8) : null;
}

function slice(bytes: Buffer, start: number): Buffer | null {
  return bytes.length < start + 32 ? null : bytes.subarray(start, start + 32);
}
