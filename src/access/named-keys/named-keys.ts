/**
 * API keys of a wallet beside its main key. Each has a name, scopes, and, if somebody wants, an end and addresses.
 *
 * A crash before the commit leaves no key; after it the key is valid, and its text is lost: delete that key.
 */
import { type Actor, audited } from '../../audit/audit.ts';
import type { LoginCaller } from '../../auth/callers/authenticate.ts';
import { lockTeamOf } from '../../auth/callers/lock-team.ts';
import {
  countNamedKeys,
  deleteNamedKey,
  insertNamedKey,
  type NamedKey,
} from '../../auth/keys/api-key-store.ts';
import { newKeyText } from '../../auth/keys/api-keys.ts';
import type { Scope } from '../../auth/keys/scopes.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { type AwaitsApproval, awaitApprovals } from '../changes/access-changes.ts';

/** Enough for one key for each program, with one more while it is replaced. */
const MAX_KEYS = 20;

type KeyDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'> & { config: { api_key_prefix: string } };

export type KeyOrder = {
  wallet_id: string;
  name: string;
  scopes: Scope[];
  allowed_ips: string[] | null;
  expires_at: Date | null;
};

/**
 * Makes a key, whose text is given only here; or asks for the approvals that it needs.
 * @throws AppError `invalid_request` for an end that is over, `too_many_api_keys` when the wallet has 20 that are valid
 */
export async function createNamedKey(
  deps: KeyDeps,
  { actor, caller }: { actor: Actor; caller: LoginCaller },
  order: KeyOrder,
): Promise<{ key: NamedKey; api_key: string } | AwaitsApproval> {
  const created_at = deps.clock.now();
  if (order.expires_at && order.expires_at <= created_at)
    throw new AppError('invalid_request', 'The end of the key is over.', {
      details: [{ path: '/expires_at', message: 'must be in the future' }],
    });
  const { api_key, key_hash, ...parts } = newKeyText(deps.config);
  const row = { ...order, id: newId('key', created_at), ...parts, created_at, created_by: caller.user.id };
  return audited(deps, actor, async (trx, note) => {
    await lockTeamOf(trx, caller, []); // of two at once, the second one counts the first
    if ((await countNamedKeys(trx, order.wallet_id, created_at)) >= MAX_KEYS)
      throw new AppError(
        'too_many_api_keys',
        `A wallet has at most ${MAX_KEYS} named API keys that are valid.`,
      );
    const { wallet_id, name, scopes, allowed_ips, expires_at } = order;
    const awaiting = await awaitApprovals(
      trx,
      { by: { login: caller, actor }, note, now: created_at },
      {
        kind: 'api_keys',
        operation: 'createApiKey',
        wallet_id,
        wallet_ids: [wallet_id],
        target_id: null,
        change: { name, scopes, allowed_ips, expires_at },
      },
    );
    if (awaiting) return awaiting;
    await insertNamedKey(trx, { ...row, key_hash });
    note({ ...deedOf(caller, row), action: 'api_key.created', after: factsOf(row) });
    return { key: { ...row, created_by_name: caller.user.name, last_used_at: null }, api_key };
  });
}

/** Deletes a key. Every process refuses it when this returns. Returns false when the key is gone already. */
export async function removeNamedKey(
  deps: KeyDeps,
  { actor, caller }: { actor: Actor; caller: LoginCaller },
  key: NamedKey,
): Promise<boolean> {
  return audited(deps, actor, async (trx, note) => {
    if (!(await deleteNamedKey(trx, key.id))) return false;
    note({ ...deedOf(caller, key), action: 'api_key.deleted', before: factsOf(key) });
    return true;
  });
}

function deedOf({ member: { team_id } }: LoginCaller, { id, wallet_id }: { id: string; wallet_id: string }) {
  return { team_id, target: { kind: 'api_key', id }, wallet_id };
}

function factsOf({
  name,
  last_four,
  scopes,
  allowed_ips,
  expires_at,
}: Omit<KeyOrder, 'wallet_id'> & { last_four: string }) {
  return { name, last_four, scopes, allowed_ips, expires_at: expires_at?.toISOString() ?? null };
}
