import { Asset, StrKey, type xdr } from '@stellar/stellar-sdk/base';
import { sameBytes } from '../ledger/bytes.ts';
import { accountAddress } from './addresses.ts';
import type { AppliedOperation } from './applied-operation.ts';

/** A movement of balances that a Stellar Asset Contract reported (CAP-46-6, data as of CAP-67). */
export type AssetEvent = {
  type: 'transfer' | 'mint' | 'clawback' | 'burn';
  asset: xdr.AssetWire;
  /** G… or C…; null where this type of event names none. */
  from: string | null;
  to: string | null;
  amount: bigint;
  toMuxedId: bigint | null;
};

/**
 * The events of the operation that really come from contracts of assets. Any contract can emit an event of the same
 * form, so an event counts only if its contract follows from the asset and the network (Horizon,
 * contractevents/events.go).
 */
export function assetEvents({ meta, passphrase }: AppliedOperation): AssetEvent[] {
  return (meta?.events ?? []).map((event) => assetEvent(event, passphrase)).filter((event) => event !== null);
}

function assetEvent(event: xdr.ContractEventWire, passphrase: string): AssetEvent | null {
  const { topics, data } = event.body.v0;
  const asset = assetOf(topics.at(-1));
  if (event.type !== 1 || event.contractId === null || asset === null) return null;
  if (!sameBytes(StrKey.decodeContract(asset.contractId(passphrase)), event.contractId)) return null;
  const parties = partiesOf(topics);
  const moved = movedOf(data);
  if (parties === null || moved === null) return null;
  return { ...parties, ...moved, asset: asset.toXdrObject().toXdrObject() };
}

/** The asset, from its SEP-11 name in the last topic. */
function assetOf(topic: xdr.ScValWire | undefined): Asset | null {
  const name = topic?.type === 14 ? topic.str.toString() : '';
  if (name === 'native') return Asset.native();
  const [code = '', issuer = '', ...rest] = name.split(':');
  const valid = /^[A-Za-z0-9]{1,12}$/.test(code) && StrKey.isValidEd25519PublicKey(issuer);
  return valid && rest.length === 0 ? new Asset(code, issuer) : null;
}

/** [transfer, from, to, asset], [mint, to, asset], [clawback, from, asset], [burn, from, asset] */
function partiesOf(topics: xdr.ScValWire[]): Pick<AssetEvent, 'type' | 'from' | 'to'> | null {
  const [first, ...others] = topics;
  const type = symbolOf(first);
  const [one, two] = others.slice(0, -1).map(holderAddress);
  if (one === undefined || one === null) return null;
  if (type === 'transfer') return others.length === 3 && two ? { type, from: one, to: two } : null;
  if (others.length !== 2) return null;
  if (type === 'mint') return { type, from: null, to: one };
  return type === 'clawback' || type === 'burn' ? { type, from: one, to: null } : null;
}

/** An i128, or {amount: i128, to_muxed_id: u64}. Contracts of assets emit no other kind of id. */
function movedOf(data: xdr.ScValWire): Pick<AssetEvent, 'amount' | 'toMuxedId'> | null {
  if (data.type === 10) return { amount: i128(data.i128), toMuxedId: null };
  if (data.type !== 17 || data.map?.length !== 2) return null;
  const entries = new Map(data.map.map(({ key, val }) => [symbolOf(key), val]));
  const amount = entries.get('amount');
  const id = entries.get('to_muxed_id');
  return amount?.type === 10 && id?.type === 5 ? { amount: i128(amount.i128), toMuxedId: id.u64 } : null;
}

function symbolOf(value: xdr.ScValWire | undefined): string | null {
  return value?.type === 15 ? value.sym.toString() : null;
}

/** G… or C…; null for an address for which asset contracts keep no balance. */
function holderAddress(value: xdr.ScValWire): string | null {
  if (value.type !== 18) return null;
  if (value.address.type === 0) return accountAddress(value.address.accountId);
  return value.address.type === 1 ? StrKey.encodeContract(value.address.contractId) : null;
}

function i128({ hi, lo }: xdr.Int128PartsWire): bigint {
  return (hi << 64n) + lo;
}
