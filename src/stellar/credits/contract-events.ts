/**
 * Pure: transfers in the events of a contract call. Any contract can write any event, so that two things are asked
 * before one is believed: the events are those of the result (and so of the ledger's header), and the contract is that of
 * the asset.
 * Source: CAP-46-6 (Stellar Asset Contract), CAP-67 (its events since protocol 23).
 */
import { strict as assert } from 'node:assert';
import { hash as digest } from 'node:crypto';
import { Address, Asset, StrKey, xdr } from '@stellar/stellar-sdk';
import type { Movement } from './movement.ts';

/** The source tells no meta of a transaction whose credits, if it has any, are in its events. */
export class MetaMissing extends Error {
  constructor() {
    super('contract events without the meta that they are in');
  }
}

/**
 * The events of a successful invoke_host_function, whose result is the hash of its return value and of them
 * (InvokeHostFunctionSuccessPreImage). Those of calls that failed inside it are not among them.
 * @throws MetaMissing; Error when the meta is another one's, or its events were rewritten since: nodes that are told to
 * (BACKFILL_STELLAR_ASSET_EVENTS) bring those of old ledgers into the form of today.
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
  throw new Error('the meta of a contract call without its events or return value');
}

/** An event in the form of one that moves an asset. */
export type TransferEvent = {
  event_index: number;
  kind: 'contract_transfer' | 'contract_mint';
  /** G… or C…; null where there is none, as in a mint. */
  from: string | null;
  to: string;
  /** Null when the contract is not that of an asset which the event names: then nothing of it is true. */
  asset: { asset_code: string; asset_issuer: string | null } | null;
  data: xdr.ScVal;
};

/**
 * Every event that looks like a transfer or a mint, whoever wrote it.
 * @throws Error for one of an asset's own contract in a form that we do not know: leaving it out could lose a deposit.
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

/** What follows the name: from and to; admin (before protocol 23) and to; to. The last is the asset's name (SEP-11). */
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

function textOf(address: xdr.ScAddress): string {
  return Address.fromScAddress(address).toString();
}

/** The asset that a topic names and whose contract on this network this is; null when there is none. */
function assetOfContract(
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
 * What the contracts of assets moved to accounts, by events that are proven.
 * @throws Error when one tells its amount in a form that we do not know.
 */
export function accountTransfers(passphrase: string, events: readonly xdr.ContractEvent[]): Movement[] {
  return transferEvents(passphrase, events).flatMap(({ event_index, kind, from, to, asset, data }) => {
    if (!asset || StrKey.isValidContract(to)) return [];
    if (!StrKey.isValidEd25519PublicKey(to)) throw new Error(`a transfer to ${to}`);
    const source_account = from ?? asset.asset_issuer;
    if (source_account === null) throw new Error('a mint of the native asset, which nobody can issue');
    const sender = { source_account, source_account_muxed: null };
    return [{ account: to, ...asset, ...amountIn(data), kind, ...sender, event_index }];
  });
}

const INT64_MAX = 2n ** 63n - 1n;

/**
 * An i128; or a map of `amount` and `to_muxed_id`, which is a u64 when the destination was M…, and may be a string or
 * bytes in the place of a memo (CAP-67): no id then.
 */
function amountIn(data: xdr.ScVal): { amount_stroops: bigint; muxed_id: bigint | null } {
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

/** An account can hold no more than an int64. */
function stroopsOf(value: xdr.ScVal): bigint {
  if (value.type !== 'scvI128') throw new Error(`an amount of ${value.type}`);
  const amount = (value.i128.hi << 64n) | value.i128.lo;
  if (amount < 0n || amount > INT64_MAX) throw new Error(`an amount of ${amount} to an account`);
  return amount;
}
