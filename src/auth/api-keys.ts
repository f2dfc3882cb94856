/**
 * The main API key of a wallet, and the look-up of every API key; other slices use auth through this file. Only hashes are
 * stored, and nothing is cached.
 */
import { randomBytes } from 'node:crypto';
import type { Db, Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { derivedId } from '../lib/ids.ts';
import type { Maker } from './actor.ts';
import { base62 } from './base62.ts';
import { credentialHash } from './credential-hash.ts';
import { findNamedKeyByHash, lockNamedKey, touchNamedKey } from './named-keys/named-key-store.ts';
import { SCOPES, type Scope } from './named-keys/scopes.ts';
import { holdServiceUser } from './service-users/service-user-store.ts';
import {
  type ApiKeyRow,
  findApiKeyByHash,
  findApiKeyOfWallet,
  lockApiKeyHash,
  replaceApiKey,
  touchApiKey,
} from './store.ts';

const KEY_BYTES = 32;
const SHOWN_CHARS = 4;
/** "Last used" is written once a minute at most: it is only shown to people. */
const LAST_USED_GRAIN_MS = 60_000;

/** Every API key of every network begins with this; no login token does. */
export const API_KEY_MARK = 'svc_sk_';

/** The main key that a new one has replaced. */
type Replaced = { id: string; last_four: string };

/**
 * Makes a new main key for the wallet. When this returns, every process refuses the previous one, which is `replaced`; null
 * for the first key.
 */
export async function mintApiKey(
  deps: { db: Db; clock: Clock; config: { api_key_prefix: string } },
  wallet_id: string,
): Promise<{ api_key: string; shown: MainKey; replaced: Replaced | null }> {
  const api_key = deps.config.api_key_prefix + base62(randomBytes(KEY_BYTES));
  const key_hash = credentialHash(api_key);
  const row = {
    wallet_id,
    prefix: api_key.slice(0, deps.config.api_key_prefix.length + SHOWN_CHARS),
    last_four: api_key.slice(-SHOWN_CHARS),
    created_at: deps.clock.now(),
  };
  const old = await replaceApiKey(deps.db, { ...row, key_hash });
  const shown = { ...row, id: mainKeyId(key_hash), last_used_at: null };
  return { api_key, shown, replaced: old && { id: mainKeyId(old.key_hash), last_four: old.last_four } };
}

/** A valid key. `name`: null for the main key. `allowed_ips`: null for every address. */
export type FoundKey = {
  id: string;
  wallet_id: string;
  name: string | null;
  scopes: readonly Scope[];
  allowed_ips: string[] | null;
};

/** Null for a key that is unknown, replaced or deleted; `expired` for one whose time is over. */
export async function findApiKey(
  deps: { db: Db; clock: Clock },
  api_key: string,
): Promise<FoundKey | 'expired' | null> {
  const key_hash = credentialHash(api_key);
  const now = deps.clock.now();
  const main = await findApiKeyByHash(deps.db, key_hash);
  if (main) {
    if (isStale(main, now)) await touchApiKey(deps.db, key_hash, now);
    const { wallet_id } = main;
    return { id: mainKeyId(key_hash), wallet_id, name: null, scopes: SCOPES, allowed_ips: null };
  }
  const named = await findNamedKeyByHash(deps.db, key_hash);
  if (!named) return null;
  const { expires_at, last_used_at, ...found } = named;
  if (expires_at && expires_at <= now) return 'expired';
  if (isStale({ last_used_at }, now)) await touchNamedKey(deps.db, named.id, now);
  return found;
}

/**
 * Holds the key or service user that makes something until the transaction ends: whoever ends it meanwhile waits, and sees what
 * it has made. A person is not held.
 * @throws AppError `unauthenticated` for a key that is replaced or deleted already, and for a service user that is disabled
 * or removed already
 */
export async function holdMaker(trx: Trx, wallet_id: string, { kind, id }: Maker): Promise<void> {
  if (kind === 'api_key') await holdApiKey(trx, { wallet_id, id });
  if (kind === 'service_user' && !(await holdServiceUser(trx, id)))
    throw new AppError('unauthenticated', 'The service user may not act any more.');
}

async function holdApiKey(trx: Trx, { wallet_id, id }: { wallet_id: string; id: string }): Promise<void> {
  const main_hash = await lockApiKeyHash(trx, wallet_id);
  if (main_hash && mainKeyId(main_hash) === id) return;
  if (await lockNamedKey(trx, id)) return;
  throw new AppError('unauthenticated', 'The API key is not valid any more.');
}

function isStale({ last_used_at }: { last_used_at: Date | null }, now: Date): boolean {
  return !last_used_at || now.getTime() - last_used_at.getTime() > LAST_USED_GRAIN_MS;
}

/** Derived, so that a key that the version before has made has one too. */
function mainKeyId(key_hash: Buffer): string {
  return derivedId('key', `main key ${key_hash.toString('hex')}`);
}

/** The main key as people see it. Its id is another one after each regeneration. */
export type MainKey = Omit<ApiKeyRow, 'key_hash'> & { id: string };

export async function describeApiKey(db: Db, wallet_id: string): Promise<MainKey | undefined> {
  const row = await findApiKeyOfWallet(db, wallet_id);
  if (!row) return undefined;
  const { key_hash, ...shown } = row;
  return { ...shown, id: mainKeyId(key_hash) };
}
