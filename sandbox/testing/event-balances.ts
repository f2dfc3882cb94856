import assert from 'node:assert/strict';
import type { xdr } from '@stellar/stellar-sdk/base';
import { assetText } from '../ledger/asset.ts';
import { hex } from '../ledger/bytes.ts';
import type { ClosedLedger } from '../ledger/close.ts';
import type { Entry } from '../ledger/entry.ts';

/**
 * Stroops by holder and asset: `<hex of the account key or claimable balance id> <asset>`. A balance of zero has no
 * entry.
 */
export type Balances = Map<string, bigint>;

/** All balances, from the entries of the ledger. */
export function balancesInLedger(entries: Entry[]): Balances {
  const balances: Balances = new Map();
  for (const { data } of entries) {
    if (data.type === 0) add(balances, hex(data.account.accountId.ed25519), 'native', data.account.balance);
    if (data.type === 1) {
      const { accountId, asset, balance } = data.trustLine;
      assert.ok(asset.type !== 3);
      add(balances, hex(accountId.ed25519), assetText(asset), balance);
    }
    if (data.type === 4) {
      const { balanceId, asset, amount } = data.claimableBalance;
      add(balances, hex(balanceId.v0), assetText(asset), amount);
    }
  }
  return balances;
}

/** Applies the unified events of a ledger (CAP-67). A client that follows all events must know every balance. */
export function followEvents(balances: Balances, { transactions }: ClosedLedger): void {
  for (const { meta } of transactions) {
    assert.ok(meta.v === 4);
    for (const { event } of meta.v4.events) followEvent(balances, event);
    for (const { events } of meta.v4.operations) for (const event of events) followEvent(balances, event);
  }
}

function followEvent(balances: Balances, event: xdr.ContractEventWire): void {
  const { topics, data } = event.body.v0;
  const [name, ...rest] = topics.map(topicText);
  const amount = amountIn(data);
  if (name === 'fee') add(balances, rest[0], 'native', -amount);
  if (name === 'transfer' || name === 'burn' || name === 'clawback')
    add(balances, rest[0], rest.at(-1), -amount);
  if (name === 'transfer') add(balances, rest[1], rest.at(-1), amount);
  if (name === 'mint') add(balances, rest[0], rest.at(-1), amount);
}

function topicText(topic: xdr.ScValWire): string {
  if (topic.type === 15) return topic.sym.toString();
  if (topic.type === 14) return topic.str.toString();
  assert.ok(topic.type === 18);
  const { address } = topic;
  if (address.type === 0) return hex(address.accountId.ed25519);
  assert.ok(address.type === 3);
  return hex(address.claimableBalanceId.v0);
}

function amountIn(data: xdr.ScValWire): bigint {
  if (data.type === 10) return data.i128.lo;
  const amount = data.type === 17 ? data.map?.[0]?.val : undefined;
  return amount?.type === 10 ? amount.i128.lo : 0n;
}

function add(balances: Balances, holder = '', asset = '', stroops = 0n): void {
  const key = `${holder} ${asset}`;
  const sum = (balances.get(key) ?? 0n) + stroops;
  if (sum === 0n) balances.delete(key);
  else balances.set(key, sum);
}
