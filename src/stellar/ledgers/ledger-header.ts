import { hash as digest } from 'node:crypto';
import { decoding, UnusableAnswer } from '../answers/answers.ts';
import { KNOWN_PROTOCOL } from '../protocol/known-protocol.ts';
import { closeTimeMsOf } from '../protocol/missing-arms.ts';
import { xdr } from '../protocol/sdk.ts';
import type { LedgerPosition } from '../stellar.ts';
import { fieldsFromEnds, type HeaderFields, headerInEntry, unknownArmOf } from './header-ends.ts';
import type { UnknownArm } from './xdr-parts.ts';

/** Parts of a closed ledger's header. `result_set_hash` covers the hash and result of every transaction. */
export type Header = LedgerPosition & {
  /** Hash of the ledger before it, hex. */
  previous_hash: string;
  tx_set_hash: Buffer;
  result_set_hash: Buffer;
  /** Null before protocol 30, whose headers have no milliseconds (CAP-88). */
  close_time_ms: bigint | null;
  /** An arm of a later protocol, around which the header was read. */
  unknown: UnknownArm | null;
};

/** The end of the year 9999. A later close time is refused. */
const LATEST_TIME = 253_402_300_799n;

/** Reads the XDR of a LedgerHeader. @throws UnusableAnswer when it is not the header of ledger `sequence` */
export function ledgerHeader(method: string, sequence: number, bytes: Buffer): Header {
  const hash = digest('sha256', bytes, 'hex');
  return headerOf(method, sequence, { ...decoding(method, () => readFields(bytes, sequence)), hash });
}

/** Reads the XDR of a LedgerHeaderHistoryEntry, which history archives and getLedgers give. @throws UnusableAnswer */
export function historyHeader(method: string, sequence: number, bytes: Buffer): Header {
  // The entry's own `ext`, which the hash does not cover, is its last word.
  const inside = bytes.subarray(HASH_BYTES, -4);
  const isWhole = digest('sha256', inside, 'hex') === bytes.toString('hex', 0, HASH_BYTES);
  const header = isWhole ? inside : headerInEntry(bytes);
  if (!header) throw new UnusableAnswer(method, `not the hash of ledger ${sequence}`);
  return ledgerHeader(method, sequence, header);
}

const HASH_BYTES = 32;

type Read = { fields: HeaderFields; unknown: UnknownArm | null };

/** @throws Error for bytes that are no header */
function readFields(bytes: Buffer, sequence: number): Read {
  const unknown = unknownArmOf(bytes);
  if (unknown) return { fields: ofUnknown(bytes, sequence, unknown), unknown };
  const header = xdr.LedgerHeader.fromXdr(bytes);
  const { txSetHash, closeTime, ext } = header.scpValue;
  const fields = {
    protocol_version: header.ledgerVersion,
    previous_hash: Buffer.from(header.previousLedgerHash.value),
    tx_set_hash: Buffer.from(txSetHash.value),
    close_time: closeTime,
    close_time_ms: closeTimeMsOf(ext),
    result_set_hash: Buffer.from(header.txSetResultHash.value),
    sequence: header.ledgerSeq,
    base_reserve: header.baseReserve,
    max_operations: header.maxTxSetSize,
  };
  return { fields, unknown };
}

function ofUnknown(bytes: Buffer, sequence: number, unknown: UnknownArm): HeaderFields {
  try {
    return fieldsFromEnds(bytes, sequence);
  } catch (error) {
    const version = `protocol ${bytes.readUInt32BE(0)}, and this version knows ${KNOWN_PROTOCOL}`;
    throw new Error(`a header of ${version}: ${unknown.message}, and ${(error as Error).message}`);
  }
}

function headerOf(
  method: string,
  sequence: number,
  { fields, unknown, hash }: Read & { hash: string },
): Header {
  const { close_time, close_time_ms, base_reserve, previous_hash, ...rest } = fields;
  if (rest.sequence !== sequence || close_time > LATEST_TIME)
    throw new UnusableAnswer(method, `the header is not one of ledger ${sequence}`);
  if (close_time_ms !== null && close_time_ms / 1000n !== close_time)
    throw new UnusableAnswer(method, `two close times of ledger ${sequence} that do not agree`);
  return {
    ...rest,
    close_time,
    close_time_ms,
    hash,
    unknown,
    base_reserve_stroops: BigInt(base_reserve),
    previous_hash: previous_hash.toString('hex'),
  };
}

export function positionOf(header: Header): LedgerPosition {
  const { sequence, hash, close_time, base_reserve_stroops, max_operations, protocol_version } = header;
  return { sequence, hash, close_time, base_reserve_stroops, max_operations, protocol_version };
}
