import { type AwaitsApproval, awaitApprovals } from '../access/changes/access-changes.ts';
import { auditedOnWallet, type OnWallet } from '../audit/audit.ts';
import type { Requester } from '../auth/callers/authenticate.ts';
import { mintApiKey } from '../auth/keys/api-keys.ts';
import type { Deps } from '../deps.ts';
import { updateWallet, type Wallet, type WalletChange } from './store.ts';

/** Changes the name or the settings of a wallet. */
export async function changeWallet(
  deps: Deps,
  by: OnWallet & { wallet: Wallet },
  change: WalletChange,
): Promise<Wallet> {
  return auditedOnWallet(deps, by, async (trx, note) => {
    const changed = await updateWallet(trx, by.wallet.id, change);
    note({
      action: 'wallet.changed',
      target: { kind: 'wallet', id: changed.id },
      before: settingsOf(by.wallet),
      after: settingsOf(changed),
    });
    return changed;
  });
}

function settingsOf({ name, numeric_memo_text }: Wallet) {
  return { name, numeric_memo_text };
}

/**
 * Replaces the API key of a wallet. When this returns, every process refuses the previous key. Where the policy asks for
 * approvals, it asks for them first, and the previous key stays.
 */
export async function regenerateApiKey(
  deps: Deps,
  by: OnWallet & Requester,
): Promise<Awaited<ReturnType<typeof mintApiKey>> | AwaitsApproval> {
  const { id } = by.wallet;
  return auditedOnWallet(deps, by, async (trx, note) => {
    const asking = { by, note, now: deps.clock.now() };
    const awaiting = await awaitApprovals(trx, asking, {
      kind: 'api_keys',
      operation: 'regenerateApiKey',
      wallet_id: id,
      wallet_ids: [id],
      target_id: null,
      change: {},
    });
    if (awaiting) return awaiting;
    const minted = await mintApiKey({ ...deps, db: trx }, id);
    note({
      action: 'api_key.regenerated',
      target: { kind: 'api_key', id },
      before: minted.replaced,
      after: { id: minted.shown.id, last_four: minted.shown.last_four },
      made: { kind: 'api_key', id: minted.shown.id },
    });
    return minted;
  });
}
