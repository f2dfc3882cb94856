import { strict as assert } from 'node:assert';
import { takeQuota } from '../../access/quotas/quotas.ts';
import { auditedOnWallet, type OnWallet } from '../../audit/audit.ts';
import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { newId, randomMemoId } from '../../lib/ids.ts';
import { type DepositAddress, findAddress, insertAddress } from './address-store.ts';

/**
 * Creates a deposit address with a memo id that is unique in the wallet. `metadata`: JSON text, stored unchanged.
 * @throws AppError 422 `too_many_addresses`
 */
export async function createAddress(
  deps: Deps,
  by: OnWallet,
  order: { label: string | null; metadata: string | null },
): Promise<DepositAddress> {
  const created_at = deps.clock.now();
  const id = newId('adr', created_at);
  // There are 2^53 ids, so a collision is very rare. Three collisions mean another fault.
  for (let tries = 0; tries < 3; tries++) {
    const row = { id, wallet_id: by.wallet.id, ...order, memo_id: randomMemoId(), created_at };
    const insert = async (trx: Trx, note: Parameters<Parameters<typeof auditedOnWallet>[2]>[1]) => {
      if (!(await insertAddress(trx, row))) return null;
      await takeQuota(deps, trx, by.wallet.owner_id, 'addresses');
      const { label, memo_id } = row;
      note({ action: 'address.created', target: { kind: 'deposit_address', id }, after: { label, memo_id } });
      return findAddress(trx, row.wallet_id, id);
    };
    // Thousands at once must not delay a person's change, which may be a freeze.
    const address = await auditedOnWallet(deps, by, insert, 'addresses');
    if (address === null) continue;
    assert(address);
    return address;
  }
  throw new Error('no free memo id in three tries');
}
