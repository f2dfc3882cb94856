/**
 * Pure: transfers in the events of a contract call. Any contract can write any event, so an event counts only if the
 * result proves the events, and the contract is the asset's own.
 * Source: CAP-46-6 (Stellar Asset Contract), CAP-67 (its events since protocol 23).
 */
import { strict as assert } from 'node:assert';
import { hash as digest } from 'node:crypto';
import { contractAddress } from '../contract-address.ts';
import { readMuxedContract } from '../protocol/missing-arms.ts';
import { Address, Asset, StrKey, xdr } from '../protocol/sdk.ts';
import type { Movement } from './credit.ts';

/** The source has no meta of a transaction whose credits would be in its events. */
export class MetaMissing extends Error {
  constructor() {
    super('the meta with the contract events is missing');
  }
}

/**
 * Returns the events of a successful invoke_host_function. Its result is the hash of its return value and events
 * (InvokeHostFunctionSuccessPreImage). Events of failed inner calls are not included.
 * @throws MetaMissing; Error when the events do not match the result. A node with BACKFILL_STELLAR_ASSET_EVENTS rewrites
 * the events of old ledgers, so they do not match.
 */
export function provenEvents(
  result: xdr.OperationResult | undefined,
  meta: Buffer | null,
  operation_index: number,
): xdr.ContractEvent[] {
  assert(result?.type === 'opInner' && result.tr.type === 'invokeHostFunction');
  const { invokeHostFunctionResult: invoked } = result.tr;
  assert(invoked.type === 'invokeHostFunctionSuccess');
  if (!meta) throw new MetaMissing();
  const { events, returnValue } = eventsIn(xdr.TransactionMeta.fromXdr(meta), operation_index);
  const preimage = new xdr.InvokeHostFunctionSuccessPreImage({ returnValue, events }).toXdr();
  if (!digest('sha256', preimage, 'buffer').equals(invoked.success.value))
    throw new Error('the events in the meta are not those of the result');
  return events;
}

function eventsIn(
  meta: xdr.TransactionMeta,
  operation_index: number,
): { events: xdr.ContractEvent[]; returnValue: xdr.ScVal } {
  if (meta.type === 'v3' && meta.v3.sorobanMeta) return meta.v3.sorobanMeta;
  if (meta.type === 'v4') {
    const events = meta.v4.operations[operation_index]?.events;
    const returnValue = meta.v4.sorobanMeta?.returnValue;
    if (events && returnValue) return { events, returnValue };
  }
  throw new Error('the meta of the contract call has no events or no return value');
}

/** An event in the form of a transfer or mint. */
export type TransferEvent = {
  event_index: number;
  kind: 'contract_transfer' | 'contract_mint';
  /** G… or C…; null in a mint. */
  from: string | null;
  to: string;
  /** Null when the contract is not the contract of the asset that the event names: then ignore the event. */
  asset: { asset_code: string; asset_issuer: string | null } | null;
  data: xdr.ScVal;
};

/**
 * Returns every event in the form of a transfer or mint, by any contract.
 * @throws Error for an unknown form from an asset's own contract: ignoring it could lose a deposit.
 */
export function transferEvents(passphrase: string, events: readonly xdr.ContractEvent[]): TransferEvent[] {
  return events.flatMap((event, event_index) => {
    const { topics, data } = event.body.v0;
    const kind = kindOf(topics[0]);
    const addresses = topics.flatMap((topic) => (topic.type === 'scvAddress' ? [topic.address] : []));
    const to = addresses.at(-1);
    if (event.type !== xdr.ContractEventType.contract || !kind || !to) return [];
    const asset = assetOfContract(passphrase, event.contractId, topics);
    const form = topics.map(({ type }) => type.slice('scv'.length)).join(' ');
    if (asset && !FORMS[kind].includes(form)) throw new Error(`an event of ${asset.asset_code} with ${form}`);
    const from = kind === 'contract_transfer' ? addresses.at(-2) : undefined;
    return [{ event_index, kind, from: from ? textOf(from) : null, to: textOf(to), asset, data }];
  });
}

/** Types of the topics: name; from and to, or admin (before protocol 23) and to, or to; the asset's name (SEP-11). */
const FORMS = {
  contract_transfer: ['Symbol Address Address String'],
  contract_mint: ['Symbol Address Address String', 'Symbol Address String'],
};

function kindOf(name: xdr.ScVal | undefined): TransferEvent['kind'] | null {
  if (name?.type !== 'scvSymbol') return null;
  const text = name.sym.toString();
  if (text === 'transfer') return 'contract_transfer';
  return text === 'mint' ? 'contract_mint' : null;
}

/** Writes an address: G…, M…, C… or W…, or the address of another kind that an event can name. */
export function textOf(address: xdr.ScAddress): string {
  const muxed = readMuxedContract(address);
  if (muxed)
    return contractAddress({ contract: StrKey.encodeContract(muxed.contract_id), muxed_id: muxed.muxed_id });
  return Address.fromScAddress(address).toString();
}

/** Returns the asset that a topic names, if this is its contract on this network; else null. */
export function assetOfContract(
  passphrase: string,
  contract_id: xdr.ContractId | null,
  topics: readonly xdr.ScVal[],
): TransferEvent['asset'] {
  if (!contract_id) return null;
  const contract = StrKey.encodeContract(contract_id.value);
  for (const topic of topics) {
    const named = topic.type === 'scvString' ? assetNamed(topic.str.toString()) : null;
    if (named?.contractId(passphrase) !== contract) continue;
    if (named.isNative()) return { asset_code: 'native', asset_issuer: null };
    return { asset_code: named.getCode(), asset_issuer: named.getIssuer() ?? null };
  }
  return null;
}

function assetNamed(text: string): Asset | null {
  if (text === 'native') return Asset.native();
  const [, code, issuer] = /^([a-zA-Z0-9]{1,12}):(G[A-Z2-7]{55})$/.exec(text) ?? [];
  return code && issuer && StrKey.isValidEd25519PublicKey(issuer) ? new Asset(code, issuer) : null;
}

/**
 * Returns the movements to accounts by the contracts of assets. `events`: proven by `provenEvents`.
 * @throws Error for an amount in an unknown form.
 */
export function accountTransfers(passphrase: string, events: readonly xdr.ContractEvent[]): Movement[] {
  return transferEvents(passphrase, events).flatMap(({ event_index, kind, from, to, asset, data }) => {
    if (!asset || StrKey.isValidContract(to)) return [];
    if (!StrKey.isValidEd25519PublicKey(to)) throw new Error(`a transfer to ${to}`);
    const source_account = from ?? asset.asset_issuer;
    if (source_account === null) throw new Error('a mint of the native asset, which has no issuer');
    const sender = { source_account, source_account_muxed: null };
    return [{ account: to, ...asset, ...amountIn(data), kind, ...sender, event_index }];
  });
}

const INT64_MAX = 2n ** 63n - 1n;

/**
 * Reads the data of an event: an i128, or a map of `amount` and `to_muxed_id`. `to_muxed_id` is a u64 for an M… destination. A
 * string or bytes stand for a memo and give no id (CAP-67).
 */
export function amountIn(data: xdr.ScVal): { amount_stroops: bigint; muxed_id: bigint | null } {
  if (data.type === 'scvI128') return { amount_stroops: stroopsOf(data), muxed_id: null };
  const entries = (data.type === 'scvMap' ? data.map : null) ?? [];
  const valueOfField = (name: string) =>
    entries.find(({ key }) => key.type === 'scvSymbol' && key.sym.toString() === name)?.val;
  const [amount, id] = [valueOfField('amount'), valueOfField('to_muxed_id')];
  if (entries.length !== 2 || !amount || !id) throw new Error(`an amount in an unknown form of ${data.type}`);
  const amount_stroops = stroopsOf(amount);
  if (id.type === 'scvU64') return { amount_stroops, muxed_id: id.u64 };
  if (id.type === 'scvString' || id.type === 'scvBytes') return { amount_stroops, muxed_id: null };
  throw new Error(`a muxed id of ${id.type}`);
}

/** Reads an amount. The balance of an account is an int64. */
function stroopsOf(value: xdr.ScVal): bigint {
  if (value.type !== 'scvI128') throw new Error(`an amount of ${value.type}`);
  const amount = (value.i128.hi << 64n) | value.i128.lo;
  if (amount < 0n || amount > INT64_MAX) throw new Error(`an amount of ${amount} to an account`);
  return amount;
}
