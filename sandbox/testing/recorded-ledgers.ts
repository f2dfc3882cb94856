import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { xdr } from '@stellar/stellar-sdk/base';
import { framesOf } from '../replay/frames.ts';

/**
 * Responses, envelopes and ledgers of real networks and servers. SOURCES.md in that folder names the origin of
 * each.
 */
export const DATA = process.env.STELLAR_DATA_DIR ?? join(import.meta.dirname, '../../../shared/data');

/** For `skip` of a test: a message when the recorded data is absent on this machine, else false. */
export function missing(path = ''): string | false {
  return existsSync(join(DATA, path)) ? false : `no recorded data at ${join(DATA, path)}`;
}

export function read(file: string): Buffer {
  return readFileSync(join(DATA, file));
}

/** Every ledger in a binary file of the recorded data, compressed, batched or streamed. */
export function* ledgersIn(file: string): Generator<xdr.LedgerCloseMetaWire> {
  // A settings upgrade of a load test in base64, not a ledger.
  if (file.endsWith('unlimited-config.xdr'))
    return void xdr.ConfigUpgradeSet.schema.decode(Buffer.from(`${read(file)}`, 'base64'));
  for (const bytes of partsOf(bytesIn(file))) {
    if (/compressxdr|testbucket/.test(file)) {
      yield* xdr.LedgerCloseMetaBatch.schema.decode(bytes).ledgerCloseMetas;
    } else {
      yield xdr.LedgerCloseMeta.schema.decode(bytes);
    }
  }
}

/** Bytes of a file of the recorded data, decompressed. */
export function bytesIn(file: string): Buffer {
  if (file.endsWith('.gz')) return gunzipSync(read(file));
  return /\.zstd?$/.test(file) ? zstdDecompressSync(read(file)) : read(file);
}

/** The parts of a stream; any other file is one part. */
function partsOf(bytes: Buffer): Iterable<Buffer> {
  return bytes.readUInt32BE(0) < 0x80000000 ? [bytes] : framesOf(bytes);
}

export function processingOf(meta: xdr.LedgerCloseMetaWire): { result: xdr.TransactionResultPairWire }[] {
  if (meta.v === 0) return meta.v0.txProcessing;
  return meta.v === 1 ? meta.v1.txProcessing : meta.v2.txProcessing;
}

export function envelopesOf(meta: xdr.LedgerCloseMetaWire): xdr.TransactionEnvelopeWire[] {
  if (meta.v === 0) return meta.v0.txSet.txs;
  const { phases } = (meta.v === 1 ? meta.v1 : meta.v2).txSet.v1TxSet;
  return phases.flatMap((phase) =>
    phase.v === 0
      ? phase.v0Components.flatMap(({ txsMaybeDiscountedFee }) => txsMaybeDiscountedFee.txs)
      : phase.parallelTxsComponent.executionStages.flat(2),
  );
}
