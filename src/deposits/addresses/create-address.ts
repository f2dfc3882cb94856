import { strict as assert } from 'node:assert';
import type { Deps } from '../../deps.ts';
import { newId, randomMemoId } from '../../lib/ids.ts';
import { type DepositAddress, findAddress, insertAddress } from './address-store.ts';

/** Creates a deposit address with a memo id that is unique in the wallet. `metadata`: JSON text, stored unchanged. */
export async function createAddress(
  deps: Deps,
  order: { wallet_id: string; label: string | null; metadata: string | null },
): Promise<DepositAddress> {
  const created_at = deps.clock.now();
  const id = newId('adr', created_at);
  // There are 2^53 ids, so a collision is very rare. Three collisions mean another fault.
  for (let tries = 0; tries < 3; tries++) {
    const inserted = await insertAddress(deps.db, { id, ...order, memo_id: randomMemoId(), created_at });
    if (!inserted) continue;
    const address = await findAddress(deps.db, order.wallet_id, id);
    assert(address);
    return address;
  }
  throw new Error('no free memo id in three tries');
}
