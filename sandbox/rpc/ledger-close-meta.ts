import { xdr } from '@stellar/stellar-sdk/base';
import { transactionSetXdr } from '../ledger/transaction-set.ts';
import { int64, uint32 } from '../ledger/wire.ts';
import type { StoredLedger, StoredTransaction } from '../store/ledger-store.ts';

/** Offset of the previous hash in an encoded LedgerHeader, after the ledger version. */
const PREVIOUS_HASH = { start: 4, end: 36 };

const NO_EXTENSION = uint32(0);
const NO_CHANGES = uint32(0);
const NO_SCP_MESSAGES = uint32(0);
const NO_CONTRACT_STATE = int64(0n);
const NO_EVICTED_KEYS = uint32(0);

type EncodedLedger = Pick<StoredLedger, 'hash' | 'header' | 'base_fee'>;
type EncodedTransaction = Pick<
  StoredTransaction,
  'hash' | 'envelope' | 'result' | 'fee_changes' | 'meta' | 'refund_changes' | 'resource_fee_charged'
>;

/** LedgerCloseMeta v2 of a stored ledger, built from its stored encoded parts. */
export function ledgerCloseMetaXdr(ledger: EncodedLedger, transactions: EncodedTransaction[]): Buffer {
  const previousHash = ledger.header.subarray(PREVIOUS_HASH.start, PREVIOUS_HASH.end);
  const members = transactions.map(({ envelope, resource_fee_charged }) => ({
    envelope,
    contract: resource_fee_charged !== null,
  }));
  return Buffer.concat([
    uint32(2),
    NO_EXTENSION,
    headerHistoryEntryXdr(ledger),
    transactionSetXdr(previousHash, ledger.base_fee, members),
    uint32(transactions.length),
    ...transactions.flatMap(resultMeta),
    upgradesProcessing(ledger.header),
    NO_SCP_MESSAGES,
    NO_CONTRACT_STATE,
    NO_EVICTED_KEYS,
  ]);
}

/** Offset of the upgrades in an encoded LedgerHeader, after hashes and close time. */
const UPGRADES = 76;

/** UpgradeEntryMeta of each upgrade. An upgrade of the protocol changes no entry. */
function upgradesProcessing(header: Uint8Array): Buffer {
  const count = Buffer.from(header.subarray(UPGRADES, UPGRADES + 4));
  if (count.readUInt32BE() === 0) return count;
  const { upgrades } = xdr.LedgerHeader.schema.decode(header).scpValue;
  return Buffer.concat([count, ...upgrades.flatMap((upgrade) => [upgrade, NO_CHANGES])]);
}

/** LedgerHeaderHistoryEntry: the header with its hash. */
export function headerHistoryEntryXdr({ hash, header }: Pick<EncodedLedger, 'hash' | 'header'>): Buffer {
  return Buffer.concat([hash, header, NO_EXTENSION]);
}

/** TransactionResultMetaV1. */
function resultMeta({ hash, result, fee_changes, meta, refund_changes }: EncodedTransaction): Uint8Array[] {
  return [NO_EXTENSION, hash, result, fee_changes, meta, refund_changes];
}
