/** Proves that this installation can sign for every wallet and channel account, without showing a key. */
import type { Deps } from '../deps.ts';
import { publicKeyOf } from '../stellar/address.ts';
import { walletKeys } from '../wallets/store.ts';
import { channelAndTreasuryKeys } from '../withdrawals/channels/channel-store.ts';

type Key = { id: string; account: string; sealed_seed: Buffer };
export type Verified = {
  wallets: number;
  channels: number;
  treasuries: number;
  /** Lines of the key journal. */
  recorded: number;
  /** Whose sealed seed does not give its public key. `place`: the database or the key journal. */
  broken: { id: string; account: string; place: 'database' | 'key journal' }[];
};

/**
 * Opens each sealed seed of the database and of the key journal, and derives its public key.
 * @throws AppError 503 `key_provider_unavailable`: then nothing is proven
 */
export async function verifyKeys({
  db,
  vault,
  key_journal,
}: Pick<Deps, 'db' | 'vault' | 'key_journal'>): Promise<Verified> {
  const verified: Verified = { wallets: 0, channels: 0, treasuries: 0, recorded: 0, broken: [] };
  const verify = async ({ id, account, sealed_seed }: Key) => {
    if (!(await vault.opens(sealed_seed, { id, public_key: publicKeyOf(account) })))
      verified.broken.push({ id, account, place: 'database' });
  };
  const { channels, treasuries } = await channelAndTreasuryKeys(db);
  await Promise.all([...channels, ...treasuries].map(verify));
  verified.channels = channels.length;
  verified.treasuries = treasuries.length;
  for await (const page of walletKeys(db)) {
    await Promise.all(page.map(verify)); // a key provider answers many at a time
    verified.wallets += page.length;
  }
  await verifyJournal({ vault, key_journal }, verified);
  return verified;
}

/**
 * Opens the keys of the journal, and adds those that do not open to `verified.broken`. A rotation records each key once more: the
 * lines before need not open once a line of the same key does.
 */
async function verifyJournal(
  { vault, key_journal }: Pick<Deps, 'vault' | 'key_journal'>,
  verified: Verified,
): Promise<void> {
  const opens = ({ id, account, sealed_seed }: Key) =>
    vault.opens(sealed_seed, { id, public_key: publicKeyOf(account) });
  const closed = new Map<string, Key>();
  for await (const key of key_journal.read()) {
    if (!(await opens(key))) closed.set(key.id, key);
    verified.recorded++;
  }
  if (closed.size === 0) return;
  for await (const key of key_journal.read())
    if (closed.has(key.id) && (await opens(key))) closed.delete(key.id);
  for (const { id, account } of closed.values()) verified.broken.push({ id, account, place: 'key journal' });
}
