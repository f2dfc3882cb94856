import { requireQuota, takeQuota } from '../access/quotas/quotas.ts';
import { type Actor, audited } from '../audit/audit.ts';
import { mintApiKey } from '../auth/keys/api-keys.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../lib/ids.ts';
import { accountOf } from '../stellar/address.ts';
import { insertWallet, markFunded, type Wallet } from './store.ts';

const FUNDING_WAIT_MS = 10_000;

/**
 * Creates a wallet with a new key pair and an API key, which is returned only here. On test networks friendbot funds the account.
 * The call waits at most 10 s for that, and then returns an `unfunded` wallet, which can be funded later.
 * @throws AppError 503 `key_journal_unavailable`, 503 `key_provider_unavailable`, 422 `too_many_wallets`
 */
export async function createWallet(
  deps: Deps,
  order: { owner_id: string; name: string },
  actor: Actor,
): Promise<{ wallet: Wallet; api_key: string }> {
  const created_at = deps.clock.now();
  const id = newId('wal', created_at);
  // Before the journal: it never forgets a key, also one without a wallet.
  await requireQuota(deps, deps.db, order.owner_id, 'wallets');
  const generated = await deps.vault.generate(id);
  const { public_key } = generated;
  const { network } = deps.config;
  const row = { id, ...order, network, account: accountOf(public_key), created_at };
  // The row is committed before the funding: otherwise a crash could lose the seed of a funded account.
  const api_key = await deps.withSealingKey(async () => {
    // The same seed when it runs again: a second one in the journal would lack its wallet.
    const sealed_seed = await deps.vault.reseal(generated.sealed_seed, { id, public_key });
    await deps.key_journal.record([{ ...row, kind: 'wallet', sealed_seed, sponsor: null }]);
    return insertAudited(deps, actor, { ...row, sealed_seed });
  });
  // From here on no error may end the call: only its answer contains the key.
  const funded = network !== 'public' && (await fundWithin(deps, id, row.account));
  return { wallet: { ...row, status: funded ? 'active' : 'unfunded', numeric_memo_text: false }, api_key };
}

/** Inserts the wallet, its API key and the audit event in one transaction. Returns the API key. */
function insertAudited(
  deps: Deps,
  actor: Actor,
  wallet: Parameters<typeof insertWallet>[1],
): Promise<string> {
  return audited(
    deps,
    actor,
    async (trx, note) => {
      const { id, owner_id: team_id, name, network, account } = wallet;
      await insertWallet(trx, wallet);
      await takeQuota(deps, trx, team_id, 'wallets');
      const target = { kind: 'wallet', id };
      note({ team_id, action: 'wallet.created', target, wallet_id: id, after: { name, network, account } });
      return (await mintApiKey({ ...deps, db: trx }, id)).api_key;
    },
    wallet.owner_id,
  );
}

async function fundWithin(deps: Deps, wallet_id: string, account: string): Promise<boolean> {
  const deadline = new AbortController();
  const late = deps.clock.sleep(FUNDING_WAIT_MS, deadline.signal).then(() => false);
  const funded = await Promise.race([fund(deps, wallet_id, account), late]);
  deadline.abort();
  return funded;
}

/** Asks friendbot to fund the account. Returns false when friendbot fails: the wallet can be funded later. */
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
