import { Asset, StrKey, xdr } from '@stellar/stellar-sdk/base';
import { ed25519Of } from './transaction.ts';

/**
 * Unified asset events for classic transactions (CAP-67), as nodes with EMIT_CLASSIC_EVENTS=true give them.
 * Topics and data of transfer: [transfer, from, to, "native"], amount as i128, or {amount, to_muxed_id}.
 */
export class EventSink {
  readonly events: xdr.ContractEventWire[] = [];
  readonly #nativeContract: Uint8Array;
  readonly #memo: xdr.MemoWire;

  constructor(nativeContract: Uint8Array, memo: xdr.MemoWire) {
    this.#nativeContract = nativeContract;
    this.#memo = memo;
  }

  nativeTransfer(from: Uint8Array, to: xdr.MuxedAccountWire, amount: bigint): void {
    const topics = [symbol('transfer'), accountAddress(from), accountAddress(ed25519Of(to)), text('native')];
    const muxedId = to.type === 256 ? uint64(to.med25519.id) : memoValue(this.#memo);
    const data = muxedId === null ? i128(amount) : transferMap(amount, muxedId);
    this.events.push(contractEvent(this.#nativeContract, topics, data));
  }
}

/** The contract id of the native asset on this network, in whose name native transfers are reported. */
export function nativeContractId(passphrase: string): Uint8Array {
  return StrKey.decodeContract(Asset.native().contractId(passphrase));
}

export function feeEvent(
  nativeContract: Uint8Array,
  payer: Uint8Array,
  fee: bigint,
): xdr.TransactionEventWire {
  const event = contractEvent(nativeContract, [symbol('fee'), accountAddress(payer)], i128(fee));
  return { stage: 0, event };
}

function contractEvent(contractId: Uint8Array, topics: xdr.ScValWire[], data: xdr.ScValWire) {
  const body: xdr.ContractEventBodyWire = { v: 0, v0: { topics, data } };
  return { ext: { v: 0 }, contractId, type: 1, body } satisfies xdr.ContractEventWire;
}

/** Without a muxed destination the memo takes its place: an id as u64, a text as string, a hash as bytes (CAP-67). */
function memoValue(memo: xdr.MemoWire): xdr.ScValWire | null {
  if (memo.type === 1) return { type: 14, str: memo.text };
  if (memo.type === 2) return uint64(memo.id);
  if (memo.type === 3) return { type: 13, bytes: memo.hash };
  if (memo.type === 4) return { type: 13, bytes: memo.retHash };
  return null;
}

function transferMap(amount: bigint, muxedId: xdr.ScValWire): xdr.ScValWire {
  const map = [
    { key: symbol('amount'), val: i128(amount) },
    { key: symbol('to_muxed_id'), val: muxedId },
  ];
  return { type: 17, map };
}

const uint64 = (u64: bigint): xdr.ScValWire => ({ type: 5, u64 });
const i128 = (amount: bigint): xdr.ScValWire => ({ type: 10, i128: { hi: 0n, lo: amount } });
const symbol = (name: string): xdr.ScValWire => ({ type: 15, sym: new xdr.XdrString(name) });
const text = (value: string): xdr.ScValWire => ({ type: 14, str: new xdr.XdrString(value) });

function accountAddress(ed25519: Uint8Array): xdr.ScValWire {
  return { type: 18, address: { type: 0, accountId: { type: 0, ed25519 } } };
}
