/**
 * Pure: reads a ledger's header from its two ends, around an arm of a later protocol. Before `scpValue.ext` and behind it all
 * fields have a known length, up to the header's own `ext`, which is its end (Stellar-ledger.x, LedgerHeader).
 *
 * | unknown                                   | the fields behind `scpValue.ext` are found                  |
 * |-------------------------------------------|-------------------------------------------------------------|
 * | the arm of the header's own `ext`         | from the front                                              |
 * | the arm of `scpValue.ext`                 | from the end                                                |
 * | both                                      | by the ledger's number, if one place only has it            |
 */
import { createHash } from 'node:crypto';
import { closeTimeMsOf } from '../protocol/missing-arms.ts';
import { xdr } from '../protocol/sdk.ts';
import { endOf, partsOf, UnknownArm } from './xdr-parts.ts';

/** The fields of a header that we use. */
export type HeaderFields = {
  protocol_version: number;
  previous_hash: Buffer;
  tx_set_hash: Buffer;
  close_time: bigint;
  close_time_ms: bigint | null;
  result_set_hash: Buffer;
  sequence: number;
  base_reserve: number;
  /** maxTxSetSize: from protocol 11 on it counts operations (CAP-5). */
  max_operations: number;
};

const walkHeader = partsOf(xdr.LedgerHeader.schema, []);
const endOfExt = endOf(xdr.LedgerHeaderExt.schema);
const endOfValueExt = endOf(xdr.StellarValueExt.schema);

/** Finds the arm of a later protocol in these bytes of a LedgerHeader; null when there is none, or they are no header. */
export function unknownArmOf(bytes: Buffer): UnknownArm | null {
  try {
    walkHeader(bytes, () => undefined);
    return null;
  } catch (error) {
    return error instanceof UnknownArm ? error : null;
  }
}

const HASH_BYTES = 32;
/** Many times as long as any header. A source that lies must not keep the process busy with a search. */
const MAX_HEADER_BYTES = 16 * 1024;
const [PREVIOUS, SET, TIME, UPGRADES] = [4, 36, 68, 76];
const [MAX_UPGRADES, MAX_UPGRADE_BYTES] = [6, 128];
/** Places in the fixed part behind `scpValue.ext`, and its length. */
const [SEQUENCE, BASE_RESERVE, MAX_OPERATIONS, FIXED_BYTES] = [64, 100, 104, 236];

/** Reads fields from the bytes of a LedgerHeader with an arm that we do not know. @throws Error when it does not show where fields are */
export function fieldsFromEnds(bytes: Buffer, sequence: number): HeaderFields {
  if (bytes.length > MAX_HEADER_BYTES) throw new Error(`a header of ${bytes.length} bytes`);
  const ext = endOfUpgrades(bytes);
  const fixed = fixedPart(bytes, ext, sequence);
  return {
    protocol_version: bytes.readUInt32BE(0),
    previous_hash: bytes.subarray(PREVIOUS, SET),
    tx_set_hash: bytes.subarray(SET, TIME),
    close_time: bytes.readBigUInt64BE(TIME),
    close_time_ms: closeTimeMs(bytes, ext),
    result_set_hash: bytes.subarray(fixed, fixed + HASH_BYTES),
    sequence: bytes.readUInt32BE(fixed + SEQUENCE),
    base_reserve: bytes.readUInt32BE(fixed + BASE_RESERVE),
    max_operations: bytes.readUInt32BE(fixed + MAX_OPERATIONS),
  };
}

function endOfUpgrades(bytes: Buffer): number {
  let at = UPGRADES + 4;
  const count = bytes.readUInt32BE(UPGRADES);
  if (count > MAX_UPGRADES) throw new Error(`${count} upgrades in one header`);
  for (let left = count; left > 0; left--) {
    const length = bytes.readUInt32BE(at);
    if (length > MAX_UPGRADE_BYTES) throw new Error(`an upgrade of ${length} bytes`);
    at += 4 + ((length + 3) & ~3);
  }
  return at;
}

function fixedPart(bytes: Buffer, ext: number, sequence: number): number {
  const known = endOfKnown(bytes, ext);
  if (known !== null) return known;
  const isPlace = (at: number) => at >= ext + 4 && bytes.readUInt32BE(at + SEQUENCE) === sequence;
  const last = bytes.length - FIXED_BYTES - 4;
  const places: number[] = [];
  for (let at = ext + 4; at <= last; at += 4) if (isPlace(at)) places.push(at);
  const fromEnd = places.filter((at) => endsWithExt(bytes, at + FIXED_BYTES));
  const [place, another] = fromEnd.length > 0 ? fromEnd : places;
  if (place === undefined || another !== undefined)
    throw new Error(`${places.length} places of the number ${sequence} in a header`);
  return place;
}

/** Returns the end of `scpValue.ext`; null when its arm is not known. */
function endOfKnown(bytes: Buffer, ext: number): number | null {
  try {
    return endOfValueExt(bytes, ext);
  } catch (error) {
    if (error instanceof UnknownArm) return null;
    throw error;
  }
}

function endsWithExt(bytes: Buffer, at: number): boolean {
  try {
    return endOfExt(bytes, at) === bytes.length;
  } catch {
    return false; // no arm that we know
  }
}

function closeTimeMs(bytes: Buffer, ext: number): bigint | null {
  const end = endOfKnown(bytes, ext);
  return end === null ? null : closeTimeMsOf(xdr.StellarValueExt.fromXdr(bytes.subarray(ext, end)));
}

/**
 * Finds the LedgerHeader in the bytes of a LedgerHeaderHistoryEntry, which begin with its hash; null when no part has this hash.
 * So the header is found without decoding.
 */
export function headerInEntry(entry: Buffer): Buffer | null {
  const stated = entry.subarray(0, HASH_BYTES);
  const hashed = createHash('sha256');
  let [from, found] = [HASH_BYTES, null as Buffer | null];
  const last = Math.min(entry.length, HASH_BYTES + MAX_HEADER_BYTES);
  for (let end = HASH_BYTES + 4; end <= last && !found; end += 4) {
    hashed.update(entry.subarray(from, end));
    from = end;
    if (hashed.copy().digest().equals(stated)) found = entry.subarray(HASH_BYTES, end);
  }
  return found;
}
