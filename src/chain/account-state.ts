import { xdr } from '@stellar/stellar-sdk';
import { accountOf, publicKeyOf } from './address.ts';
import type { AccountState } from './chain.ts';

const MEMO_REQUIRED = 'config.memo_required'; // SEP-29

/** Ledger keys (base64) of an account and of its SEP-29 data entry. */
export function ledgerKeysOf(account: string): string[] {
  const accountId = xdr.PublicKey.publicKeyTypeEd25519(publicKeyOf(account));
  return [
    xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId })),
    xdr.LedgerKey.data(new xdr.LedgerKeyData({ accountId, dataName: MEMO_REQUIRED })),
  ].map((key) => key.toXdr('base64'));
}

/** Account states by G… from ledger entries (base64 LedgerEntryData). */
export function accountStates(entries: string[], base_reserve_stroops: bigint): Map<string, AccountState> {
  const decoded = entries.map((entry) => xdr.LedgerEntryData.fromXdr(entry, 'base64'));
  const requiring = new Set(decoded.filter(isMemoRequired).map(ownerOfData));
  const states = new Map<string, AccountState>();
  for (const entry of decoded) {
    if (entry.type !== 'account') continue;
    const account = accountOf(entry.account.accountId.ed25519.value);
    const spendable = entry.account.balance - lockedStroops(entry.account, base_reserve_stroops);
    states.set(account, {
      sequence: entry.account.seqNum,
      balance_stroops: entry.account.balance,
      spendable_stroops: spendable > 0n ? spendable : 0n,
      memo_required: requiring.has(account),
    });
  }
  return states;
}

function isMemoRequired(entry: xdr.LedgerEntryData): boolean {
  if (entry.type !== 'data') return false;
  const isFlag = entry.data.dataName.toString() === MEMO_REQUIRED;
  return isFlag && Buffer.from(entry.data.dataValue.value).toString() === '1';
}

function ownerOfData(entry: xdr.LedgerEntryData): string {
  return entry.type === 'data' ? accountOf(entry.data.accountId.ed25519.value) : '';
}

/** Reserve and selling liabilities. Source: CAP-33, stellar-core getMinBalance and getAvailableBalance. */
function lockedStroops(account: xdr.AccountEntry, base_reserve_stroops: bigint): bigint {
  const v1 = account.ext.type === 'v1' ? account.ext.v1 : null;
  const v2 = v1?.ext.type === 'v2' ? v1.ext.v2 : null;
  const entries = 2 + account.numSubEntries + (v2?.numSponsoring ?? 0) - (v2?.numSponsored ?? 0);
  return BigInt(entries) * base_reserve_stroops + (v1?.liabilities.selling ?? 0n);
}
