/** Pure: the transfer by an asset's contract that a withdrawal makes. */
import { strict as assert } from 'node:assert';
import { isContract } from '../../stellar/address.ts';
import { issuedAsset } from '../../stellar/asset.ts';
import type { ContractTransfer } from '../../stellar/stellar.ts';
import type { Withdrawal } from './store.ts';

type Row = Pick<Withdrawal, 'operation' | 'asset_code' | 'asset_issuer' | 'destination' | 'amount_stroops'>;

/** `from`: the account of the row's wallet. */
export function transferOf(row: Row, from: string): ContractTransfer {
  assert(row.operation === 'contract_transfer' && isContract(row.destination));
  return { asset: issuedAsset(row), from, to: row.destination, amount_stroops: row.amount_stroops };
}
