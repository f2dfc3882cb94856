/** Pure: sequence number, balance and reserve of accounts, from ledger entries. */
import { accountOf, publicKeyOf } from '../address.ts';
import { xdr } from '../protocol/sdk.ts';
import type { AccountState, IssuerFlags, Sequences } from '../stellar.ts';
import { XdrWriter } from '../xdr/xdr-writer.ts';

export const MEMO_REQUIRED = 'config.memo_required'; // SEP-29

/** Layout of a LedgerKey: Stellar-ledger-entries.x. */
const LEDGER_ENTRY_ACCOUNT = 0;
const PUBLIC_KEY_ED25519 = 0;
const ACCOUNT_KEY_BYTES = 4 + 4 + 32;

/** Returns the ledger key (base64) of an account. */
export function accountKey(account: string): string {
  // Written by hand: one request has hundreds of keys, and the SDK takes ten times as long.
  const key = new XdrWriter(ACCOUNT_KEY_BYTES).uint32(LEDGER_ENTRY_ACCOUNT).uint32(PUBLIC_KEY_ED25519);
  return key.opaque(publicKeyOf(account)).written().toString('base64');
}

/** Returns the ledger key (base64) of an account's SEP-29 data entry. */
export function memoRequiredKey(account: string): string {
  const key = new xdr.LedgerKeyData({ accountId: accountId(account), dataName: MEMO_REQUIRED });
  return xdr.LedgerKey.data(key).toXdr('base64');
}

function accountId(account: string): xdr.PublicKey {
  return xdr.PublicKey.publicKeyTypeEd25519(publicKeyOf(account));
}

/** Reads account states by G… from ledger entries (base64 LedgerEntryData). */
export function accountStates(entries: string[], base_reserve_stroops: bigint): Map<string, AccountState> {
  const decoded = entries.map((entry) => xdr.LedgerEntryData.fromXdr(entry, 'base64'));
  const requiring = new Set(decoded.filter(isMemoRequired).map(ownerOfData));
  const states = new Map<string, AccountState>();
  for (const entry of decoded) {
    if (entry.type !== 'account') continue;
    const account = accountOf(entry.account.accountId.ed25519.value);
    states.set(account, {
      sequence: entry.account.seqNum,
      ...spendableOf(reserveFactsOf(entry.account), base_reserve_stroops),
      memo_required: requiring.has(account),
      flags: issuerFlags(entry.account.flags),
      home_domain: `${entry.account.homeDomain}` || null,
    });
  }
  return states;
}

/** Reads the flags of an issuer. Source: Stellar-ledger-entries.x, AccountFlags. */
function issuerFlags(flags: number): IssuerFlags {
  return {
    auth_required: (flags & 1) !== 0,
    auth_revocable: (flags & 2) !== 0,
    auth_immutable: (flags & 4) !== 0,
    clawback_enabled: (flags & 8) !== 0,
  };
}

/** Reads sequence numbers, and the stroops that can be spent, by G… from account entries (base64 LedgerEntryData). */
export function accountSequences(entries: string[], base_reserve_stroops: bigint): Sequences {
  const read: Sequences = { sequences: new Map(), spendable: new Map() };
  for (const entry of entries) {
    const { account } = xdr.LedgerEntryData.fromXdr(entry, 'base64') as { account?: xdr.AccountEntry };
    if (!account) continue;
    const name = accountOf(account.accountId.ed25519.value);
    read.sequences.set(name, account.seqNum);
    read.spendable.set(name, spendableOf(reserveFactsOf(account), base_reserve_stroops).spendable_stroops);
  }
  return read;
}

function isMemoRequired(entry: xdr.LedgerEntryData): boolean {
  if (entry.type !== 'data') return false;
  const isFlag = entry.data.dataName.toString() === MEMO_REQUIRED;
  return isFlag && Buffer.from(entry.data.dataValue.value).toString() === '1';
}

function ownerOfData(entry: xdr.LedgerEntryData): string {
  return entry.type === 'data' ? accountOf(entry.data.accountId.ed25519.value) : '';
}

/** The parts of an account that decide how much it can spend. */
export type ReserveFacts = {
  balance_stroops: bigint;
  selling_liabilities_stroops: bigint;
  subentries: number;
  sponsoring: number;
  sponsored: number;
};

function reserveFactsOf(account: xdr.AccountEntry): ReserveFacts {
  const v1 = account.ext.type === 'v1' ? account.ext.v1 : null;
  const v2 = v1?.ext.type === 'v2' ? v1.ext.v2 : null;
  return {
    balance_stroops: account.balance,
    selling_liabilities_stroops: v1?.liabilities.selling ?? 0n,
    subentries: account.numSubEntries,
    sponsoring: v2?.numSponsoring ?? 0,
    sponsored: v2?.numSponsored ?? 0,
  };
}

/**
 * Computes balance, reserve, and the balance above reserve and selling liabilities, in stroops.
 * Source: CAP-33, stellar-core getMinBalance and getAvailableBalance.
 */
export function spendableOf(facts: ReserveFacts, base_reserve_stroops: bigint) {
  const entries = 2 + facts.subentries + facts.sponsoring - facts.sponsored;
  const reserve_stroops = BigInt(entries) * base_reserve_stroops;
  const { balance_stroops, selling_liabilities_stroops } = facts;
  const spendable = balance_stroops - reserve_stroops - selling_liabilities_stroops;
  return { balance_stroops, reserve_stroops, spendable_stroops: spendable > 0n ? spendable : 0n };
}
