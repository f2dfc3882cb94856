import { auditedOnWallet, type OnWallet } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import {
  type AddressChange,
  type DepositAddress,
  findAddress,
  lockAddress,
  updateAddress,
} from './address-store.ts';

/**
 * Changes label or metadata; undefined when the wallet has no such address. `metadata`: JSON text, stored unchanged. Deposits
 * that are attributed from now on have the new metadata; earlier ones and their events keep theirs.
 */
export async function changeAddress(
  deps: Deps,
  by: OnWallet,
  id: string,
  change: AddressChange,
): Promise<DepositAddress | undefined> {
  return auditedOnWallet(deps, by, async (trx, note) => {
    const before = await lockAddress(trx, by.wallet.id, id);
    if (!before) return undefined;
    await updateAddress(trx, before, change);
    const changed = Object.keys(change) as (keyof AddressChange)[];
    // Metadata as a text: an object could be nested deeper than an entry of the audit log may be.
    const settingsOf = (settings: Pick<DepositAddress, 'label' | 'metadata'>) =>
      Object.fromEntries(changed.map((name) => [name, settings[name]]));
    note({
      action: 'address.changed',
      target: { kind: 'deposit_address', id },
      before: settingsOf(before),
      after: settingsOf({ ...before, ...change }),
    });
    return findAddress(trx, by.wallet.id, id);
  });
}
