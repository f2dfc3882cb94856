import { hash as digest } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { decoding, UnusableAnswer } from '../sources/answers.ts';
import type { LedgerPosition } from '../stellar.ts';

/** What we need of a closed ledger's header; `result_set_hash` is over all of its transactions and their results. */
export type Header = LedgerPosition & {
  /** Each ledger names the one before it, in hex. */
  previous_hash: string;
  result_set_hash: Buffer;
};

/** Close times beyond the year 9999 are no times. */
const LATEST_TIME = 253_402_300_799n;

/** Of a LedgerHeader's XDR. @throws UnusableAnswer when it is another ledger's, or none. */
export function ledgerHeader(method: string, sequence: number, bytes: Buffer): Header {
  const header = decoding(method, () => xdr.LedgerHeader.fromXdr(bytes));
  return headerOf(method, sequence, header, digest('sha256', bytes, 'hex'));
}

/** The same, of the form that history archives and getLedgers have. @throws UnusableAnswer */
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
  return {
    sequence,
    close_time,
    base_reserve_stroops: BigInt(header.baseReserve),
    hash,
    previous_hash: Buffer.from(header.previousLedgerHash.value).toString('hex'),
    result_set_hash: Buffer.from(header.txSetResultHash.value),
  };
}

export function positionOf({ sequence, hash, close_time, base_reserve_stroops }: Header): LedgerPosition {
  return { sequence, hash, close_time, base_reserve_stroops };
}
