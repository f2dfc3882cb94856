import { Asset as SdkAsset, StrKey, xdr } from '@stellar/stellar-sdk/base';
import type { Asset } from './asset.ts';
import { assetText, isIssuer, NATIVE } from './asset.ts';
import { ed25519Of } from './transaction.ts';

/** The contract of each asset on one network, in whose name its movements are reported. */
export class AssetContracts {
  readonly #passphrase: string;
  readonly #ids = new Map<string, Uint8Array>();

  constructor(passphrase: string) {
    this.#passphrase = passphrase;
  }

  idOf(asset: Asset): Uint8Array {
    const text = assetText(asset);
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const [code, issuer] = text.split(':') as [string, string?];
    const sdkAsset = issuer === undefined ? SdkAsset.native() : new SdkAsset(code, issuer);
    const id = StrKey.decodeContract(sdkAsset.contractId(this.#passphrase));
    this.#ids.set(text, id);
    return id;
  }
}

/** The end of a movement that a claimable balance is. */
export function balanceParty(claimableBalanceId: xdr.ClaimableBalanceIdWire): Party {
  return { address: { type: 3, claimableBalanceId } };
}

/** One end of a movement: an account, muxed or not, or any other address that can hold assets. */
export type Party = xdr.MuxedAccountWire | { address: xdr.ScAddressWire };

/**
 * Unified asset events for classic transactions (CAP-67), as nodes with EMIT_CLASSIC_EVENTS=true give them.
 * What an issuer sends is a mint, what it receives a burn.
 */
export class EventSink {
  readonly events: xdr.ContractEventWire[] = [];
  readonly #contracts: AssetContracts;
  readonly #memo: xdr.MemoWire;

  constructor(contracts: AssetContracts, memo: xdr.MemoWire) {
    this.#contracts = contracts;
    this.#memo = memo;
  }

  /** Topics and data: [transfer, from, to, asset], amount as i128, or {amount, to_muxed_id}. */
  transfer(asset: Asset, from: Party, to: Party, amount: bigint, names: 'with_muxed_id' | 'bare'): void {
    const minted = isParty(asset, from);
    const burned = isParty(asset, to);
    const data = names === 'bare' ? i128(amount) : amountFor(to, amount, this.#memo);
    if (minted === burned) this.#emit(asset, [symbol('transfer'), addressOf(from), addressOf(to)], data);
    else if (minted) this.#emit(asset, [symbol('mint'), addressOf(to)], data);
    else this.#emit(asset, [symbol('burn'), addressOf(from)], i128(amount));
  }

  clawback(asset: Asset, from: Party, amount: bigint): void {
    this.#emit(asset, [symbol('clawback'), addressOf(from)], i128(amount));
  }

  setAuthorized(asset: Asset, account: Uint8Array, authorized: boolean): void {
    const topics = [symbol('set_authorized'), addressOf({ type: 0, ed25519: account })];
    this.#emit(asset, topics, { type: 0, b: authorized });
  }

  #emit(asset: Asset, topics: xdr.ScValWire[], data: xdr.ScValWire): void {
    this.events.push(contractEvent(this.#contracts.idOf(asset), [...topics, text(assetText(asset))], data));
  }
}

/** None for a fee of nothing (stellar-core, newFeeEvent). */
export function feeEvents(
  contracts: AssetContracts,
  payer: Uint8Array,
  fee: bigint,
): xdr.TransactionEventWire[] {
  if (fee === 0n) return [];
  const topics = [symbol('fee'), addressOf({ type: 0, ed25519: payer })];
  return [{ stage: 0, event: contractEvent(contracts.idOf(NATIVE), topics, i128(fee)) }];
}

function isParty(asset: Asset, party: Party): boolean {
  return !('address' in party) && isIssuer(asset, ed25519Of(party));
}

function contractEvent(contractId: Uint8Array, topics: xdr.ScValWire[], data: xdr.ScValWire) {
  const body: xdr.ContractEventBodyWire = { v: 0, v0: { topics, data } };
  return { ext: { v: 0 }, contractId, type: 1, body } satisfies xdr.ContractEventWire;
}

/**
 * Without a muxed destination the memo takes its place: an id as u64, a text as string, a hash as bytes. What is no
 * account, such as a claimable balance, has neither (CAP-67).
 */
function amountFor(to: Party, amount: bigint, memo: xdr.MemoWire): xdr.ScValWire {
  if ('address' in to) return i128(amount);
  const muxedId = to.type === 256 ? uint64(to.med25519.id) : memoValue(memo);
  return muxedId === null ? i128(amount) : amountMap(amount, muxedId);
}

function memoValue(memo: xdr.MemoWire): xdr.ScValWire | null {
  if (memo.type === 1) return { type: 14, str: memo.text };
  if (memo.type === 2) return uint64(memo.id);
  if (memo.type === 3) return { type: 13, bytes: memo.hash };
  if (memo.type === 4) return { type: 13, bytes: memo.retHash };
  return null;
}

function amountMap(amount: bigint, muxedId: xdr.ScValWire): xdr.ScValWire {
  const map = [
    { key: symbol('amount'), val: i128(amount) },
    { key: symbol('to_muxed_id'), val: muxedId },
  ];
  return { type: 17, map };
}

function addressOf(party: Party): xdr.ScValWire {
  if ('address' in party) return { type: 18, address: party.address };
  return { type: 18, address: { type: 0, accountId: { type: 0, ed25519: ed25519Of(party) } } };
}

const uint64 = (u64: bigint): xdr.ScValWire => ({ type: 5, u64 });
const i128 = (amount: bigint): xdr.ScValWire => ({ type: 10, i128: { hi: 0n, lo: amount } });
const symbol = (name: string): xdr.ScValWire => ({ type: 15, sym: new xdr.XdrString(name) });
const text = (value: string): xdr.ScValWire => ({ type: 14, str: new xdr.XdrString(value) });
