/** Pure: the transfer by an asset's contract that a withdrawal makes, and the proof that the ledger has made it. */
import { strict as assert } from 'node:assert';
import { hash as digest } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { isContract } from '../../stellar/address.ts';
import { issuedAsset } from '../../stellar/asset.ts';
import { transferPreimage } from '../../stellar/contracts/asset-contract.ts';
import { contractTransferIn } from '../../stellar/contracts/transfer-in.ts';
import type { ContractTransfer } from '../../stellar/stellar.ts';
import { innerTransaction } from '../../stellar/transactions/envelope.ts';
import type { Withdrawal } from './store.ts';

type Row = Pick<Withdrawal, 'operation' | 'asset_code' | 'asset_issuer' | 'destination' | 'amount_stroops'>;

/** `from`: the account of the row's wallet. */
export function transferOf(row: Row, from: string): ContractTransfer {
  assert(row.operation === 'contract_transfer' && isContract(row.destination));
  return { asset: issuedAsset(row), from, to: row.destination, amount_stroops: row.amount_stroops };
}

/**
 * False when the ledger says that a contract transfer succeeded, and its result does not prove that it moved this amount of this
 * asset to this contract (asset-contract.ts, `transferPreimage`): then a person must look. `envelope_xdr`: any envelope of the
 * transaction. True for every other transaction.
 */
export function provesOwnTransfer(
  passphrase: string,
  envelope_xdr: string,
  found: { successful: boolean; call_result: string | null },
): boolean {
  if (!found.successful) return true;
  const transaction = innerTransaction(xdr.TransactionEnvelope.fromXdr(envelope_xdr, 'base64'));
  if (transaction.operations[0]?.body.type !== 'invokeHostFunction') return true;
  const transfer = contractTransferIn(passphrase, transaction);
  if (!transfer) return false;
  return found.call_result === digest('sha256', transferPreimage(passphrase, transfer), 'hex');
}
