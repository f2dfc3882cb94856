import { mintApiKey } from '../auth/api-keys.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../lib/ids.ts';
import { accountOf } from '../stellar/address.ts';
import { insertWallet, markFunded, type Wallet } from './store.ts';

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
  const row = { id, ...order, network, account: accountOf(public_key), created_at };
  // The row comes before the money: an account that friendbot funded must never be one whose seed nobody has.
  const api_key = await deps.db.transaction().execute(async (trx) => {
    await insertWallet(trx, { ...row, sealed_seed });
    return (await mintApiKey({ ...deps, db: trx }, id)).api_key;
  });
  // From here on nothing may fail the call: the key is shown only in its answer.
  const funded = network !== 'public' && (await fundWithin(deps, id, row.account));
  return { wallet: { ...row, status: funded ? 'active' : 'unfunded', numeric_memo_text: false }, api_key };
}

async function fundWithin(deps: Deps, wallet_id: string, account: string): Promise<boolean> {
  const deadline = new AbortController();
  const late = deps.clock.sleep(FUNDING_WAIT_MS, deadline.signal).then(() => false);
  const funded = await Promise.race([fund(deps, wallet_id, account), late]);
  deadline.abort();
  return funded;
}

/** Friendbot is a convenience of test networks: when it fails, the wallet is unfunded, not broken. */
async function fund(deps: Deps, wallet_id: string, account: string): Promise<boolean> {
  try {
    await deps.stellar.fund(account);
    await markFunded(deps.db, wallet_id, deps.clock.now());
    return true;
  } catch (error) {
    deps.log.warn({ err: error, wallet_id }, 'friendbot did not fund the new wallet');
    return false;
  }
}
