import assert from 'node:assert/strict';
import type { xdr } from '@stellar/stellar-sdk/base';
import { StrKey } from '@stellar/stellar-sdk/base';
import { assetText } from '../../ledger/asset.ts';
import { hex } from '../../ledger/bytes.ts';
import type { Entry } from '../../ledger/entry.ts';
import { accountAddress } from '../addresses.ts';
import type { AppliedOperation } from '../applied-operation.ts';
import { assetEvents } from '../asset-events.ts';
import type { Effect } from '../effects/effect.ts';

/** Stroops by `holder asset`; zeros are left out. */
export type Movements = Map<string, bigint>;

/** Changes of the balances of accounts, trust lines and contracts, from the entry changes of the operation. */
export function movementsInEntries(at: AppliedOperation): Movements {
  const movements: Movements = new Map();
  const contracts = assetContracts(at);
  for (const change of at.meta?.changes ?? []) {
    if (change.type === 3) move(movements, change.state, contracts, -1n);
    if (change.type === 0) move(movements, change.created, contracts, 1n);
    if (change.type === 1) move(movements, change.updated, contracts, 1n);
  }
  return movements;
}

function move(movements: Movements, { data }: Entry, contracts: AssetContracts, sign: bigint): void {
  if (data.type === 0) {
    add(movements, `${accountAddress(data.account.accountId)} native`, sign * data.account.balance);
  }
  if (data.type === 1 && data.trustLine.asset.type !== 3) {
    const { accountId, asset, balance } = data.trustLine;
    add(movements, `${accountAddress(accountId)} ${assetText(asset)}`, sign * balance);
  }
  if (data.type === 6) moveContractBalance(movements, data.contractData, contracts, sign);
}

/** Contract id → asset, of the asset contracts that emitted events. */
type AssetContracts = Map<string, string>;

function assetContracts(at: AppliedOperation): AssetContracts {
  const contracts: AssetContracts = new Map();
  for (const event of at.meta?.events ?? []) {
    const [said] = assetEvents({ ...at, meta: { ext: { v: 0 }, changes: [], events: [event] } });
    if (said !== undefined && event.contractId !== null) {
      contracts.set(hex(event.contractId), assetText(said.asset));
    }
  }
  return contracts;
}

/** Asset contracts keep another contract's balance under [Balance, contract] as {amount, …}. */
function moveContractBalance(
  movements: Movements,
  { contract, key, val }: xdr.ContractDataEntryWire,
  contracts: AssetContracts,
  sign: bigint,
): void {
  const asset = contract.type === 1 ? contracts.get(hex(contract.contractId)) : undefined;
  const holder = key.type === 16 ? key.vec?.[1] : undefined;
  if (asset === undefined || holder?.type !== 18 || holder.address.type !== 1 || val.type !== 17) return;
  const amount = val.map?.find(
    (entry) => entry.key.type === 15 && entry.key.sym.toString() === 'amount',
  )?.val;
  assert.ok(amount?.type === 10);
  add(movements, `${StrKey.encodeContract(holder.address.contractId)} ${asset}`, sign * amount.i128.lo);
}

/**
 * Changes of balances that the effects of the operation report. Left out:
 * - the sender's own trades of a path payment: their ends are the debit and the credit, and their middle belongs to
 * nobody
 * - the issuer's balance of its own asset, because there is no trust line
 * - the starting balance of an account that a contract's transfer created, because the credit repeats it
 */
export function movementsInEffects(at: AppliedOperation, effects: Effect[]): Movements {
  const movements: Movements = new Map();
  const { type } = at.operation.body;
  const isPathPayment = type === 2 || type === 13;
  let crossing = true; // of the two effects of a trade, the first belongs to the taker of the offer
  for (const effect of effects) {
    const { amount, starting_balance, sold_amount, bought_amount } = effect;
    if (/^(account|contract)_credited$/.test(effect.type)) add(movements, holding(effect), stroops(amount));
    if (/^(account|contract)_debited$/.test(effect.type)) add(movements, holding(effect), -stroops(amount));
    if (effect.type === 'account_created' && type === 0) {
      add(movements, `${effect.account} native`, stroops(starting_balance));
    }
    if (effect.type !== 'trade') continue;
    if (!(isPathPayment && crossing)) {
      add(movements, holding(effect, 'sold_'), -stroops(sold_amount));
      add(movements, holding(effect, 'bought_'), stroops(bought_amount));
    }
    crossing = !crossing;
  }
  return movements;
}

/** Null for an issuer's own asset. */
function holding(effect: Effect, prefix = ''): string | null {
  const holder = effect.contract ?? effect.account;
  if (effect[`${prefix}asset_type`] === 'native') return `${holder} native`;
  const issuer = effect[`${prefix}asset_issuer`];
  return issuer === holder ? null : `${holder} ${effect[`${prefix}asset_code`]}:${issuer}`;
}

function stroops(amount: unknown): bigint {
  assert.ok(typeof amount === 'string' && /^[0-9]+\.[0-9]{7}$/.test(amount), `amount ${amount}`);
  return BigInt(amount.replace('.', ''));
}

function add(movements: Movements, holding: string | null, amount: bigint): void {
  if (holding === null || amount === 0n) return;
  const sum = (movements.get(holding) ?? 0n) + amount;
  if (sum === 0n) movements.delete(holding);
  else movements.set(holding, sum);
}
