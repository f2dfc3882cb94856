/** Pure: the transfer by an asset's contract that a withdrawal makes. */
import { strict as assert } from 'node:assert';
import { issuedAsset } from '../../stellar/asset.ts';
import { MUXED_CONTRACT_PROTOCOL } from '../../stellar/contract-address.ts';
import { paidContract } from '../../stellar/recipient.ts';
import type { ContractTransfer } from '../../stellar/stellar.ts';
import type { Withdrawal } from './store.ts';

type Row = Pick<
  Withdrawal,
  'operation' | 'asset_code' | 'asset_issuer' | 'destination' | 'amount_stroops' | 'memo_id'
>;

/** Returns the contract transfer that the row asks for. `from`: the account of the row's wallet. */
export function transferOf(row: Row, from: string): ContractTransfer {
  const paid = paidContract(row);
  assert(row.operation === 'contract_transfer' && paid);
  const { contract: to, muxed_id: to_muxed_id } = paid;
  assert(row.memo_id === null || row.memo_id === to_muxed_id);
  return { asset: issuedAsset(row), from, to, to_muxed_id, amount_stroops: row.amount_stroops };
}

/** Returns the first protocol that knows the operation of the row. */
export function leastProtocolOf(row: Pick<Row, 'operation' | 'destination' | 'memo_id'>): number {
  const isMuxed = row.operation === 'contract_transfer' && paidContract(row)?.muxed_id !== null;
  return isMuxed ? MUXED_CONTRACT_PROTOCOL : 0;
}
