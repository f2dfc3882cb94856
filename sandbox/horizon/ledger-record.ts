import { xdr } from '@stellar/stellar-sdk/base';
import { base64, hex } from '../ledger/bytes.ts';
import type { LedgerCounts } from '../store/history-query.ts';
import type { StoredLedger } from '../store/ledger-store.ts';
import { timeText } from '../time-text.ts';
import { amountText } from './amounts.ts';
import type { Links } from './links.ts';
import { toid } from './toid.ts';

/** Horizon's ledger resource. */
export function ledgerRecord(ledger: StoredLedger, counts: LedgerCounts, links: Links) {
  const header = xdr.LedgerHeader.schema.decode(ledger.header);
  const self = `/ledgers/${ledger.sequence}`;
  return {
    _links: {
      self: links.to(self),
      transactions: links.paged(`${self}/transactions`),
      operations: links.paged(`${self}/operations`),
      payments: links.paged(`${self}/payments`),
      effects: links.paged(`${self}/effects`),
    },
    id: hex(ledger.hash),
    paging_token: `${toid(ledger.sequence)}`,
    hash: hex(ledger.hash),
    prev_hash: hex(header.previousLedgerHash),
    sequence: ledger.sequence,
    successful_transaction_count: counts.successful,
    failed_transaction_count: counts.failed,
    operation_count: counts.successful_operations,
    tx_set_operation_count: counts.operations,
    closed_at: timeText(ledger.close_time),
    total_coins: amountText(header.totalCoins),
    fee_pool: amountText(header.feePool),
    base_fee_in_stroops: header.baseFee,
    base_reserve_in_stroops: header.baseReserve,
    max_tx_set_size: header.maxTxSetSize,
    protocol_version: header.ledgerVersion,
    header_xdr: base64(ledger.header),
  };
}
