import { xdr } from '@stellar/stellar-sdk/base';
import { base64 } from '../ledger/bytes.ts';
import { ttlKey } from '../ledger/entry.ts';
import type { RpcMethod } from './context.ts';
import { invalidParams } from './errors.ts';
import { getLedgerEntriesParams, parseParams } from './params.ts';

const MAX_KEYS = 200;
const TTL = 9;

export const getLedgerEntries: RpcMethod = (params, { node }) => {
  const { keys } = parseParams(getLedgerEntriesParams, params);
  if (keys.length > MAX_KEYS) {
    throw invalidParams(`key count (${keys.length}) exceeds maximum supported (${MAX_KEYS})`);
  }
  const wanted = keys.map(canonicalKey);
  const entries = wanted.flatMap((key) => {
    const entry = node.entry(key);
    if (entry === undefined) return [];
    const data = base64(xdr.LedgerEntryData.schema.encode(entry.data));
    const ttl = node.entry(ttlKey(key))?.data;
    const lifetime = ttl?.type === TTL ? { liveUntilLedgerSeq: ttl.ttl.liveUntilLedgerSeq } : {};
    return [{ key, xdr: data, lastModifiedLedgerSeq: entry.lastModifiedLedgerSeq, ...lifetime }];
  });
  return { entries, latestLedger: node.latest.header.ledgerSeq };
};

function canonicalKey(key: string, index: number): string {
  const ledgerKey = decodeKey(key, index);
  if (ledgerKey.type === TTL) throw invalidParams('ledger ttl entries cannot be queried directly');
  return base64(xdr.LedgerKey.schema.encode(ledgerKey));
}

function decodeKey(key: string, index: number): xdr.LedgerKeyWire {
  try {
    return xdr.LedgerKey.schema.decode(xdr.decodeBytes(key, 'base64'));
  } catch {
    throw invalidParams(`cannot unmarshal key value ${key} at index ${index}`);
  }
}
