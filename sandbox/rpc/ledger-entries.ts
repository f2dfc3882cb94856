import { xdr } from '@stellar/stellar-sdk/base';
import { base64 } from '../ledger/bytes.ts';
import { ttlKey } from '../ledger/entry.ts';
import type { StellarNode } from '../node.ts';
import { contractInstance } from '../test-contracts.ts';
import { configSetting as settingOf } from './config-setting.ts';
import type { RpcMethod } from './context.ts';
import { INTERNAL_ERROR, invalidParams, RpcError } from './errors.ts';
import { getLedgerEntriesParams, parseParams } from './params.ts';

const MAX_KEYS = 200;
const CONFIG_SETTING = 8;
const TTL = 9;
const NO_SPONSOR = base64(xdr.LedgerEntryExt.schema.encode({ v: 0 }));

export const getLedgerEntries: RpcMethod = (params, { node }) => {
  const { keys } = parseParams(getLedgerEntriesParams, params);
  if (keys.length > MAX_KEYS) {
    throw invalidParams(`key count (${keys.length}) exceeds maximum supported (${MAX_KEYS})`);
  }
  const wanted = keys.map(canonicalKey);
  // stellar-rpc asks stellar-core, which refuses these two.
  if (wanted.length === 0) throw ofCore('no keys specified in request');
  if (new Set(wanted).size < wanted.length)
    throw ofCore('http request failed with non-200 status code (400)');
  const entries = wanted.flatMap((key) => {
    const decoded = xdr.LedgerKey.schema.decode(xdr.decodeBytes(key, 'base64'));
    if (decoded.type === CONFIG_SETTING)
      return settingEntry(node, key, decoded.configSetting.configSettingId);
    const instance = contractInstance(node, decoded);
    if (instance !== undefined) {
      const { data, ...dates } = instance;
      return [{ key, xdr: base64(xdr.LedgerEntryData.schema.encode(data)), ...dates, extXdr: NO_SPONSOR }];
    }
    const entry = node.entry(key);
    if (entry === undefined) return [];
    const data = base64(xdr.LedgerEntryData.schema.encode(entry.data));
    const ttl = node.entry(ttlKey(key))?.data;
    const lifetime = ttl?.type === TTL ? { liveUntilLedgerSeq: ttl.ttl.liveUntilLedgerSeq } : {};
    const extXdr = base64(xdr.LedgerEntryExt.schema.encode(entry.ext));
    return [{ key, xdr: data, lastModifiedLedgerSeq: entry.lastModifiedLedgerSeq, ...lifetime, extXdr }];
  });
  return { entries, latestLedger: node.latest.header.ledgerSeq };
};

function settingEntry(node: StellarNode, key: string, id: number) {
  const configSetting = settingOf(node, id);
  if (configSetting === undefined) return [];
  const data = base64(xdr.LedgerEntryData.schema.encode({ type: CONFIG_SETTING, configSetting }));
  return [{ key, xdr: data, lastModifiedLedgerSeq: 1, extXdr: NO_SPONSOR }];
}

function ofCore(reason: string): RpcError {
  return new RpcError(INTERNAL_ERROR, `could not query captive core: ${reason}`);
}

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
