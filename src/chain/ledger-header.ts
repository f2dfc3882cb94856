import { xdr } from '@stellar/stellar-sdk';
import { decoding, UnusableAnswer } from './answers.ts';
import type { LedgerPosition } from './chain.ts';

/** What we need of a closed ledger's header; `result_set_hash` is over all of its transactions and their results. */
export type Header = LedgerPosition & { result_set_hash: Buffer };

/** Close times beyond the year 9999 are no times. */
const LATEST_TIME = 253_402_300_799n;

/** @throws UnusableAnswer when it is another ledger's header. */
export function headerOf(method: string, sequence: number, header: xdr.LedgerHeader): Header {
  const close_time = header.scpValue.closeTime;
  if (header.ledgerSeq !== sequence || close_time > LATEST_TIME)
    throw new UnusableAnswer(method, `the header is not one of ledger ${sequence}`);
  return {
    sequence,
    close_time,
    base_reserve_stroops: BigInt(header.baseReserve),
    result_set_hash: Buffer.from(header.txSetResultHash.value),
  };
}

/** Of base64 XDR. @throws UnusableAnswer */
export function decodeHeader(method: string, sequence: number, header_xdr: string): Header {
  return headerOf(
    method,
    sequence,
    decoding(method, () => xdr.LedgerHeader.fromXdr(header_xdr, 'base64')),
  );
}

/** The same, of the form that history archives and getLedgers have. @throws UnusableAnswer */
export function decodeHistoryHeader(method: string, sequence: number, entry_xdr: string): Header {
  const entry = decoding(method, () => xdr.LedgerHeaderHistoryEntry.fromXdr(entry_xdr, 'base64'));
  return headerOf(method, sequence, entry.header);
}

export function positionOf({ sequence, close_time, base_reserve_stroops }: Header): LedgerPosition {
  return { sequence, close_time, base_reserve_stroops };
}
