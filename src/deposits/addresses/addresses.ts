import { strict as assert } from 'node:assert';
import type { Deps } from '../../deps.ts';
import { newId, randomMemoId } from '../../lib/ids.ts';
import { type DepositAddress, findAddress, insertAddress } from '../store.ts';

/** A deposit address with a memo id of its own in the wallet. `metadata` is JSON text, kept and given back exactly. */
export async function createAddress(
  deps: Deps,
  order: { wallet_id: string; label: string | null; metadata: string | null },
): Promise<DepositAddress> {
  const created_at = deps.clock.now();
  const id = newId('adr', created_at);
  // 2^53 ids: a second try is all but never needed, and a third says that something else is wrong.
  for (let tries = 0; tries < 3; tries++) {
    const inserted = await insertAddress(deps.db, { id, ...order, memo_id: randomMemoId(), created_at });
    if (!inserted) continue;
    const address = await findAddress(deps.db, order.wallet_id, id);
    assert(address);
    return address;
  }
  throw new Error('no free memo id in three tries');
}
