import { isUtf8 } from 'node:buffer';
import type { xdr } from '@stellar/stellar-sdk/base';
import { availableBalance, minimumBalance } from '../ledger/account.ts';
import { base64 } from '../ledger/bytes.ts';
import type { Account, Entry } from '../ledger/entry.ts';
import { accountKey } from '../ledger/entry.ts';
import type { StellarNode } from '../node.ts';
import { accountFlags, signerKeyText, trustLineFlags } from './operation-sentences.ts';
import { assetOf, publicKeyAddress, units, visible } from './sentence-parts.ts';

/** One row of a list of accounts. */
export type AccountLine = { address: string; balance: string; last_ledger: number };

export function accountLine(node: StellarNode, ed25519: Uint8Array): AccountLine | undefined {
  const entry = node.entry(accountKey(ed25519));
  if (entry?.data.type !== 0) return undefined;
  return {
    address: publicKeyAddress({ ed25519 }),
    balance: units(entry.data.account.balance),
    last_ledger: entry.lastModifiedLedgerSeq,
  };
}

export function accountView(node: StellarNode, ed25519: Uint8Array) {
  const entry = node.entry(accountKey(ed25519));
  if (entry?.data.type !== 0) return undefined;
  const { account } = entry.data;
  const { header } = node.latest;
  const owned = node.entriesOwnedBy(ed25519);
  const available = availableBalance(header, account);
  return {
    address: publicKeyAddress({ ed25519 }),
    balance: units(account.balance),
    reserve: units(minimumBalance(header, account)),
    available: units(available > 0n ? available : 0n),
    sequence: account.seqNum.toString(),
    last_ledger: entry.lastModifiedLedgerSeq,
    home_domain: visible(account.homeDomain.toString()),
    flags: accountFlags(account.flags),
    thresholds: {
      low: account.thresholds[1] ?? 0,
      medium: account.thresholds[2] ?? 0,
      high: account.thresholds[3] ?? 0,
    },
    signers: signersOf(account),
    trust_lines: owned.flatMap(trustLine),
    offers: owned.flatMap(offer),
    data: owned.flatMap(dataEntry),
  };
}

function signersOf(account: Account) {
  const master = { key: publicKeyAddress(account.accountId), weight: account.thresholds[0] ?? 0 };
  return [master, ...account.signers.map(({ key, weight }) => ({ key: signerKeyText(key), weight }))];
}

function trustLine({ data }: Entry) {
  if (data.type !== 1) return [];
  const { asset, balance, limit, flags } = data.trustLine;
  return [{ ...assetOf(asset), balance: units(balance), limit: units(limit), flags: trustLineFlags(flags) }];
}

function offer({ data }: Entry) {
  if (data.type !== 2) return [];
  const { offerId, selling, buying, amount, price } = data.offer;
  return [
    {
      id: offerId.toString(),
      amount: units(amount),
      selling: assetOf(selling),
      buying: assetOf(buying),
      price: `${price.n}/${price.d}`,
    },
  ];
}

function dataEntry({ data }: Entry) {
  if (data.type !== 3) return [];
  const { dataName, dataValue } = data.data;
  const value = Buffer.from(dataValue);
  const text = isUtf8(value) ? visible(value.toString()) : null;
  return [{ name: visible(dataName.toString()), value: base64(value), text }];
}

/** Every account that the transaction wrote, in no fixed order, once for each write. */
export function accountsWritten(meta: xdr.TransactionMetaWire): Uint8Array[] {
  if (meta.v !== 4) return [];
  const { txChangesBefore, operations, txChangesAfter } = meta.v4;
  return [txChangesBefore, ...operations.map(({ changes }) => changes), txChangesAfter]
    .flat()
    .flatMap((change) => {
      const entry = change.type === 0 ? change.created : change.type === 1 ? change.updated : undefined;
      return entry?.data.type === 0 ? [entry.data.account.accountId.ed25519] : [];
    });
}
