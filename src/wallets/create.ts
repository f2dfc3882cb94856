import { strict as assert } from 'node:assert';
import { mintApiKey } from '../auth/api-keys.ts';
import { accountOf } from '../chain/address.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../lib/ids.ts';
import { findWallet, insertWallet, markFunded, type Wallet } from './store.ts';

const FUNDING_WAIT_MS = 10_000;

/**
 * A wallet with a key pair of its own and an API key, which is shown this once. On test networks friendbot funds the
 * account; the call waits for that at most 10 s and else gives an `unfunded` wallet, which works once it is funded.
 */
export async function createWallet(
  deps: Deps,
  order: { owner_id: string; name: string },
): Promise<{ wallet: Wallet; api_key: string }> {
  const created_at = deps.clock.now();
  const id = newId('wal', created_at);
  const { public_key, sealed_seed } = deps.vault.generate(id);
  const { network } = deps.config;
  // The row comes before the money: an account that friendbot funded must never be one whose seed nobody has.
  const api_key = await deps.db.transaction().execute(async (trx) => {
    await insertWallet(trx, {
      id,
      ...order,
      network,
      account: accountOf(public_key),
      sealed_seed,
      created_at,
    });
    return (await mintApiKey({ ...deps, db: trx }, id)).api_key;
  });
  if (network !== 'public') await fundWithin(deps, id, accountOf(public_key));
  const wallet = await findWallet(deps.db, id);
  assert(wallet);
  return { wallet, api_key };
}

async function fundWithin(deps: Deps, wallet_id: string, account: string): Promise<void> {
  const deadline = new AbortController();
  await Promise.race([fund(deps, wallet_id, account), deps.clock.sleep(FUNDING_WAIT_MS, deadline.signal)]);
  deadline.abort();
}

/** Friendbot is a convenience of test networks: when it fails, the wallet is unfunded, not broken. */
async function fund(deps: Deps, wallet_id: string, account: string): Promise<void> {
  try {
    await deps.chain.fund(account);
    await markFunded(deps.db, wallet_id, deps.clock.now());
  } catch (error) {
    deps.log.warn({ err: error, wallet_id }, 'friendbot did not fund the new wallet');
  }
}
