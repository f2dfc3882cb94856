import { Asset as SdkAsset, StrKey, type xdr } from '@stellar/stellar-sdk/base';
import type { Asset, IssuedAsset } from './asset.ts';
import { assetText, isIssuer, NATIVE } from './asset.ts';
import { sameBytes } from './bytes.ts';
import { accountAddress, addressValue, i128, struct, symbol, text, uint64 } from './sc-val.ts';
import { ed25519Of, networkId } from './transaction.ts';

/** The contract of each asset on one network, which movements of the asset name as their contract. */
export class AssetContracts {
  readonly networkId: Uint8Array;
  readonly #passphrase: string;
  readonly #deployed: readonly IssuedAsset[];
  readonly #ids = new Map<string, Uint8Array>();

  /** @param deployed issued assets whose contracts exist even while nobody has a trust line */
  constructor(passphrase: string, deployed: readonly IssuedAsset[] = []) {
    this.#passphrase = passphrase;
    this.#deployed = deployed;
    this.networkId = networkId(passphrase);
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

  /**
   * The native asset, or the asset in `issued` or always deployed, that this contract belongs to. The id alone does
   * not name the asset.
   */
  assetOf(contractId: Uint8Array, issued: Iterable<IssuedAsset>): Asset | undefined {
    const isContract = (asset: Asset) => sameBytes(this.idOf(asset), contractId);
    if (isContract(NATIVE)) return NATIVE;
    return this.#deployed.find(isContract) ?? Iterator.from(issued).find(isContract);
  }
}

/** A claimable balance as one end of a movement. */
export function balanceParty(claimableBalanceId: xdr.ClaimableBalanceIdWire): Party {
  return { address: { type: 3, claimableBalanceId } };
}

/**
 * One end of a movement: an account, muxed or not, or another address that can hold assets; with an id when a muxed
 * contract was named.
 */
export type Party = xdr.MuxedAccountWire | { address: xdr.ScAddressWire; id?: bigint };

/**
 * Unified asset events of classic transactions (CAP-67), as nodes with EMIT_CLASSIC_EVENTS=true write them. A
 * payment from an issuer is a mint, a payment to an issuer is a burn.
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

/**
 * The fee event. `stage` says when the fee was taken or refunded (negative): before or after all transactions. A
 * fee of zero has no event (stellar-core, newFeeEvent).
 */
export function feeEvents(
  contracts: AssetContracts,
  payer: Uint8Array,
  fee: bigint,
  stage: 'before_all' | 'after_all',
): xdr.TransactionEventWire[] {
  if (fee === 0n) return [];
  const topics = [symbol('fee'), addressOf({ type: 0, ed25519: payer })];
  const event = contractEvent(contracts.idOf(NATIVE), topics, i128(fee));
  return [{ stage: stage === 'before_all' ? 0 : 2, event }];
}

function isParty(asset: Asset, party: Party): boolean {
  return !('address' in party) && isIssuer(asset, ed25519Of(party));
}

function contractEvent(contractId: Uint8Array, topics: xdr.ScValWire[], data: xdr.ScValWire) {
  const body: xdr.ContractEventBodyWire = { v: 0, v0: { topics, data } };
  return { ext: { v: 0 }, contractId, type: 1, body } satisfies xdr.ContractEventWire;
}

/**
 * The memo replaces a muxed id if the destination is not muxed: an id as u64, a text as string, a hash as bytes.
 * Of the ends that are not accounts, only a muxed contract has an id (CAP-67, CAP-84).
 */
function amountFor(to: Party, amount: bigint, memo: xdr.MemoWire): xdr.ScValWire {
  const muxedId = muxedIdOf(to) ?? ('address' in to ? null : memoValue(memo));
  return muxedId === null ? i128(amount) : struct({ amount: i128(amount), to_muxed_id: muxedId });
}

function muxedIdOf(to: Party): xdr.ScValWire | null {
  const id = 'address' in to ? to.id : to.type === 256 ? to.med25519.id : undefined;
  return id === undefined ? null : uint64(id);
}

function memoValue(memo: xdr.MemoWire): xdr.ScValWire | null {
  if (memo.type === 1) return { type: 14, str: memo.text };
  if (memo.type === 2) return uint64(memo.id);
  if (memo.type === 3) return { type: 13, bytes: memo.hash };
  if (memo.type === 4) return { type: 13, bytes: memo.retHash };
  return null;
}

function addressOf(party: Party): xdr.ScValWire {
  return addressValue('address' in party ? party.address : accountAddress(ed25519Of(party)));
}
