/** The one API key of a wallet; other slices use auth through this file. Only the hash is stored, and nothing is cached. */
import { randomBytes } from 'node:crypto';
import type { Db } from '../db/database.ts';
import type { Clock } from '../lib/clock.ts';
import { credentialHash } from './credential-hash.ts';
import { type ApiKeyRow, findApiKeyByHash, findApiKeyOfWallet, replaceApiKey, touchApiKey } from './store.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_BYTES = 32;
const BODY_CHARS = 43; // 62^43 > 2^256
const SHOWN_CHARS = 4;
/** "Last used" is written once a minute at most: it is only shown to people. */
const LAST_USED_GRAIN_MS = 60_000;

/** Every API key of every network begins with this; no login token does. */
export const API_KEY_MARK = 'svc_sk_';

/** Makes a new key for the wallet. When this returns, every process refuses the previous key. */
export async function mintApiKey(
  deps: { db: Db; clock: Clock; config: { api_key_prefix: string } },
  wallet_id: string,
): Promise<{ api_key: string; shown: ApiKeyRow }> {
  const api_key = deps.config.api_key_prefix + base62(randomBytes(KEY_BYTES));
  const shown = {
    wallet_id,
    prefix: api_key.slice(0, deps.config.api_key_prefix.length + SHOWN_CHARS),
    last_four: api_key.slice(-SHOWN_CHARS),
    created_at: deps.clock.now(),
  };
  await replaceApiKey(deps.db, { ...shown, key_hash: credentialHash(api_key) });
  return { api_key, shown: { ...shown, last_used_at: null } };
}

/** The id of the wallet of a key, or null when the key is not valid now. */
export async function walletOfApiKey(
  deps: { db: Db; clock: Clock },
  api_key: string,
): Promise<string | null> {
  const key_hash = credentialHash(api_key);
  const row = await findApiKeyByHash(deps.db, key_hash);
  if (!row) return null;
  const now = deps.clock.now();
  const stale = !row.last_used_at || now.getTime() - row.last_used_at.getTime() > LAST_USED_GRAIN_MS;
  if (stale) await touchApiKey(deps.db, key_hash, now);
  return row.wallet_id;
}

export async function describeApiKey(db: Db, wallet_id: string): Promise<ApiKeyRow | undefined> {
  return findApiKeyOfWallet(db, wallet_id);
}

function base62(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let i = 0; i < BODY_CHARS; i++) {
    text = BASE62.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}
