/** Pure: the proof that a transfer by an asset's contract moved what was ordered. */
import { hash as digest } from 'node:crypto';
import { xdr } from '../protocol/sdk.ts';
import type { ContractTransfer } from '../stellar.ts';
import { transferPreimage } from '../transactions/asset-contract.ts';
import { innerTransaction } from '../transactions/envelope.ts';
import { contractTransferIn } from '../transactions/transfer-in.ts';

/** Reads the transfer that the transaction makes; null for any other transaction. `envelope_xdr`: base64, any envelope of it. */
export function transferInEnvelope(passphrase: string, envelope_xdr: string): ContractTransfer | null {
  return contractTransferIn(passphrase, transactionIn(envelope_xdr));
}

/**
 * Returns false when the ledger says that a contract call succeeded, and its result does not prove that it moved this amount of this
 * asset to this contract (asset-contract.ts, `transferPreimage`): then a person must look. `envelope_xdr`: as above. True for
 * every other transaction.
 */
export function provesOwnTransfer(
  passphrase: string,
  envelope_xdr: string,
  found: { successful: boolean; call_result: string | null },
): boolean {
  const transaction = transactionIn(envelope_xdr);
  if (!found.successful || transaction.operations[0]?.body.type !== 'invokeHostFunction') return true;
  const transfer = contractTransferIn(passphrase, transaction);
  if (!transfer) return false;
  return found.call_result === digest('sha256', transferPreimage(passphrase, transfer), 'hex');
}

function transactionIn(envelope_xdr: string): xdr.Transaction {
  return innerTransaction(xdr.TransactionEnvelope.fromXdr(envelope_xdr, 'base64'));
}
