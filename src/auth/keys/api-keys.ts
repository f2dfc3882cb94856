/**
 * The main API key of a wallet, and the look-up of every API key; other slices use auth through this file. Only hashes are
 * stored, and nothing is cached.
 */
import { randomBytes } from 'node:crypto';
import type { Db, Trx } from '../../db/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { base62 } from '../credentials/base62.ts';
import { credentialHash } from '../credentials/credential-hash.ts';
import { holdServiceUser } from '../service-users/service-user-store.ts';
import type { Maker } from '../users/actor.ts';
import {
  createKeyFinder,
  findMainKey,
  type KeyParts,
  lockKey,
  type MainKey,
  type ReplacedKey,
  replaceMainKey,
  type StoredKey,
  touchKey,
} from './api-key-store.ts';
import { SCOPES, type Scope } from './scopes.ts';

const KEY_BYTES = 32;
const SHOWN_CHARS = 4;
/** "Last used" is written once a minute at most: it is only shown to people. */
const LAST_USED_GRAIN_MS = 60_000;

/** Every API key of every network begins with this; no login token does. */
export const API_KEY_MARK = 'svc_sk_';

/** Makes the text of a key, and the parts of it that are stored. */
export function newKeyText({ api_key_prefix }: { api_key_prefix: string }): { api_key: string } & KeyParts {
  const api_key = api_key_prefix + base62(randomBytes(KEY_BYTES));
  const prefix = api_key.slice(0, api_key_prefix.length + SHOWN_CHARS);
  return { api_key, prefix, last_four: api_key.slice(-SHOWN_CHARS), key_hash: credentialHash(api_key) };
}

/**
 * Makes a new main key for the wallet. When this returns, every process refuses the previous one, which is `replaced`; null
 * for the first key.
 */
export async function mintApiKey(
  deps: { db: Db; clock: Clock; config: { api_key_prefix: string } },
  wallet_id: string,
): Promise<{ api_key: string; shown: MainKey; replaced: ReplacedKey | null }> {
  const { api_key, key_hash, ...parts } = newKeyText(deps.config);
  const created_at = deps.clock.now();
  const row = { id: newId('key', created_at), wallet_id, ...parts, created_at };
  const replaced = await replaceMainKey(deps.db, { ...row, key_hash });
  return { api_key, shown: { ...row, last_used_at: null }, replaced };
}

/** A valid key. `name`: null for the main key. `allowed_ips`: null for every address. */
export type FoundKey = {
  id: string;
  wallet_id: string;
  name: string | null;
  scopes: readonly Scope[];
  allowed_ips: string[] | null;
};

type KeyFinder = (key_hash: Buffer) => Promise<StoredKey | undefined>;

/**
 * Finds a key by its text, and records its use, once a minute at most. Returns null for a key that is unknown, replaced or deleted;
 * `expired` for one whose time is over.
 */
export async function findApiKey(
  deps: { db: Db; clock: Clock; findKey: KeyFinder },
  api_key: string,
): Promise<FoundKey | 'expired' | null> {
  const key = await deps.findKey(credentialHash(api_key));
  if (!key) return null;
  const now = deps.clock.now();
  const { expires_at, last_used_at, scopes, ...found } = key;
  if (expires_at && expires_at <= now) return 'expired';
  if (!last_used_at || now.getTime() - last_used_at.getTime() > LAST_USED_GRAIN_MS)
    await touchKey(deps.db, key.id, now);
  return { ...found, scopes: scopes ?? SCOPES };
}

/**
 * Locks the key or service user that makes something, until the transaction ends. A request that deletes the key or the service
 * user waits, and then sees what it has made. A person is not locked.
 * @throws AppError `unauthenticated` for a key that is replaced or deleted already, and for a service user that is disabled
 * or removed already
 */
export async function holdMaker(trx: Trx, { kind, id }: Maker): Promise<void> {
  if (kind === 'api_key' && !(await lockKey(trx, id)))
    throw new AppError('unauthenticated', 'The API key is not valid any more.');
  if (kind === 'service_user' && !(await holdServiceUser(trx, id)))
    throw new AppError('unauthenticated', 'The service user may not act any more.');
}

export { createKeyFinder, findMainKey, type KeyFinder, type MainKey };
