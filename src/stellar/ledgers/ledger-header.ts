import { hash as digest } from 'node:crypto';
import { closeTimeMsOf } from '../protocol/missing-arms.ts';
import { xdr } from '../protocol/sdk.ts';
import { decoding, UnusableAnswer } from '../sources/answers.ts';
import type { LedgerPosition } from '../stellar.ts';

/** Parts of a closed ledger's header. `result_set_hash` covers the hash and result of every transaction. */
export type Header = LedgerPosition & {
  /** Hash of the ledger before it, hex. */
  previous_hash: string;
  result_set_hash: Buffer;
  /** Null before protocol 30, whose headers have no milliseconds (CAP-88). */
  close_time_ms: bigint | null;
};

/** The end of the year 9999. A later close time is refused. */
const LATEST_TIME = 253_402_300_799n;

/** From the XDR of a LedgerHeader. @throws UnusableAnswer when it is not the header of ledger `sequence` */
export function ledgerHeader(method: string, sequence: number, bytes: Buffer): Header {
  const header = decoding(method, () => xdr.LedgerHeader.fromXdr(bytes));
  return headerOf(method, sequence, header, digest('sha256', bytes, 'hex'));
}

/** From the XDR of a LedgerHeaderHistoryEntry, which history archives and getLedgers give. @throws UnusableAnswer */
export function historyHeader(method: string, sequence: number, bytes: Buffer): Header {
  const { header, hash } = decoding(method, () => xdr.LedgerHeaderHistoryEntry.fromXdr(bytes));
  const own_hash = digest('sha256', header.toXdr(), 'hex');
  if (Buffer.from(hash.value).toString('hex') !== own_hash)
    throw new UnusableAnswer(method, `not the hash of ledger ${sequence}`);
  return headerOf(method, sequence, header, own_hash);
}

function headerOf(method: string, sequence: number, header: xdr.LedgerHeader, hash: string): Header {
  const close_time = header.scpValue.closeTime;
  if (header.ledgerSeq !== sequence || close_time > LATEST_TIME)
    throw new UnusableAnswer(method, `the header is not one of ledger ${sequence}`);
  const close_time_ms = closeTimeMsOf(header.scpValue.ext);
  if (close_time_ms !== null && close_time_ms / 1000n !== close_time)
    throw new UnusableAnswer(method, `two close times of ledger ${sequence} that do not agree`);
  return {
    sequence,
    close_time,
    base_reserve_stroops: BigInt(header.baseReserve),
    protocol_version: header.ledgerVersion,
    hash,
    previous_hash: Buffer.from(header.previousLedgerHash.value).toString('hex'),
    result_set_hash: Buffer.from(header.txSetResultHash.value),
    close_time_ms,
  };
}

export function positionOf(header: Header): LedgerPosition {
  const { sequence, hash, close_time, base_reserve_stroops, protocol_version } = header;
  return { sequence, hash, close_time, base_reserve_stroops, protocol_version };
}
