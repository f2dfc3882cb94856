/**
 * Pure: writes a closed ledger of an earlier protocol as protocol 30 would have (CAP-88). It writes the new arms of the
 * header byte by byte and does not import those of `src/`, so that a reader of `src/` meets another implementation.
 */
import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk/base';

export type Ledger30 = {
  sequence: number;
  previous_hash: Buffer;
  hash: Buffer;
  /** Unix seconds, as the new header has it. */
  close_time: bigint;
  /** Null in the ledger of the upgrade, whose header still has the arm before. */
  close_time_ms: bigint | null;
  /** XDR of the LedgerHeader, the LedgerHeaderHistoryEntry and the LedgerCloseMeta. */
  header: Buffer;
  entry: Buffer;
  meta: Buffer;
};

export type Place30 = {
  /** The hash of the ledger before it, as protocol 30 has that ledger. */
  previous_hash: Buffer;
  /** Null: this ledger applies the upgrade. */
  close_time_ms: bigint | null;
};

type Body = xdr.LedgerCloseMetaV0Wire | xdr.LedgerCloseMetaV1Wire | xdr.LedgerCloseMetaV2Wire;
type TransactionSet = Body['txSet'];

const PROTOCOL = 30;

export function readLedger(meta_xdr: string): { wire: xdr.LedgerCloseMetaWire; body: Body } {
  const wire = xdr.LedgerCloseMeta.schema.decode(Buffer.from(meta_xdr, 'base64'));
  return { wire, body: wire.v === 0 ? wire.v0 : wire.v === 1 ? wire.v1 : wire.v2 };
}

/** The same transactions, results and metas, in a ledger that follows `previous_hash`. */
export function asProtocol30(meta_xdr: string, { previous_hash, close_time_ms }: Place30): Ledger30 {
  const { wire, body } = readLedger(meta_xdr);
  const { header } = body.ledgerHeader;
  const { scpValue } = header;
  if (close_time_ms === null) addUpgrade(body);
  else scpValue.closeTime = close_time_ms / 1000n;
  header.ledgerVersion = PROTOCOL;
  header.previousLedgerHash = previous_hash;
  // The set that was agreed on; a dropped set's ledger has zeros in place of its hash (CAP-83).
  setOf(body.txSet).previousLedgerHash = previous_hash;
  if (scpValue.ext.v !== 2) scpValue.txSetHash = setHash(body.txSet);

  const before = xdr.LedgerHeader.schema.encode(header);
  const header_bytes = close_time_ms === null ? Buffer.from(before) : withArm(before, header, close_time_ms);
  const hash = sha256(header_bytes);
  body.ledgerHeader.hash = hash;
  const meta = Buffer.from(xdr.LedgerCloseMeta.schema.encode(wire));
  const at = meta.indexOf(before);
  return {
    sequence: header.ledgerSeq,
    previous_hash,
    hash,
    close_time: scpValue.closeTime,
    close_time_ms,
    header: header_bytes,
    entry: Buffer.concat([hash, header_bytes, Buffer.alloc(4)]),
    meta: Buffer.concat([meta.subarray(0, at), header_bytes, meta.subarray(at + before.length)]),
  };
}

/** Replaces the header's arm (0, 1 or 2) by that with milliseconds (3; 4 for a dropped set). */
function withArm(bytes: Uint8Array, { scpValue }: xdr.LedgerHeaderWire, close_time_ms: bigint): Buffer {
  const upgrades = scpValue.upgrades.reduce((sum, upgrade) => sum + 4 + Math.ceil(upgrade.length / 4) * 4, 0);
  // Version, previous hash, hash of the set, close time, and the number of upgrades come before the upgrades.
  const start = 4 + 32 + 32 + 8 + 4 + upgrades;
  const old = xdr.StellarValueExt.schema.encode(scpValue.ext);
  const arm = Buffer.alloc(4 + 8);
  arm.writeInt32BE(scpValue.ext.v === 2 ? 4 : 3);
  arm.writeBigUInt64BE(close_time_ms, 4);
  const signed = scpValue.ext.v === 0 ? NO_SIGNATURE : old.subarray(4);
  return Buffer.concat([bytes.subarray(0, start), arm, signed, bytes.subarray(start + old.length)]);
}

/** LedgerCloseValueSignature of nobody: a key type, a key, and 64 bytes. */
const NO_SIGNATURE = Buffer.concat([Buffer.alloc(4 + 32), Buffer.from([0, 0, 0, 64]), Buffer.alloc(64)]);

function addUpgrade({ ledgerHeader, upgradesProcessing }: Body): void {
  const upgrade: xdr.LedgerUpgradeWire = { type: 1, newLedgerVersion: PROTOCOL };
  ledgerHeader.header.scpValue.upgrades.push(xdr.LedgerUpgrade.schema.encode(upgrade));
  upgradesProcessing.push({ upgrade, changes: [] });
}

const setOf = (set: TransactionSet) => ('v' in set ? set.v1TxSet : set);

/** As stellar-core hashes a set: a generalized one as it is encoded, an older one without the number of envelopes. */
export function setHash(set: TransactionSet): Buffer {
  if ('v' in set) return sha256(xdr.GeneralizedTransactionSet.schema.encode(set));
  return sha256(set.previousLedgerHash, ...set.txs.map((tx) => xdr.TransactionEnvelope.schema.encode(tx)));
}

/** The latest second before which one of the set's transactions may not be applied; 0 when there is none. */
export function latestMinTime(part: unknown): bigint {
  if (typeof part !== 'object' || part === null || part instanceof Uint8Array) return 0n;
  const own = 'minTime' in part ? (part.minTime as bigint) : 0n;
  return Object.values(part)
    .map(latestMinTime)
    .reduce((latest, time) => (time > latest ? time : latest), own);
}

function sha256(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
