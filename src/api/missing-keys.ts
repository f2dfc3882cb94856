/** Compares the key journal with the database: a restored database may lack keys that the journal has. */
import type { Deps } from '../deps.ts';
import { publicKeyOf } from '../stellar/address.ts';
import type { JournalKey, NewJournalKey } from '../vault/key-journal.ts';
import { walletKeys, walletsWithIds } from '../wallets/store.ts';
import { channelAndTreasuryKeys } from '../withdrawals/channels/channel-store.ts';

const AT_ONCE = 1_000;

type KeysDeps = Pick<Deps, 'db' | 'key_journal'>;

/** Finds the keys of the journal that the database lacks. Returns each account once, by its last line, in no particular order. */
export async function missingKeys(deps: KeysDeps): Promise<JournalKey[]> {
  const { channels, treasuries } = await channelAndTreasuryKeys(deps.db);
  const others = new Set([...channels, ...treasuries].map(({ account }) => account));
  const missing = new Map<string, JournalKey>();
  let wallets: JournalKey[] = [];
  const lookUp = async () => {
    const known = await walletsWithIds(
      deps.db,
      wallets.map(({ id }) => id),
    );
    for (const key of wallets) if (!known.has(key.id)) missing.set(key.account, key);
    wallets = [];
  };
  for await (const key of deps.key_journal.read()) {
    if (key.kind === 'wallet') wallets.push(key);
    else if (!others.has(key.account)) missing.set(key.account, key);
    if (wallets.length === AT_ONCE) await lookUp();
  }
  await lookUp();
  return [...missing.values()];
}

/** `added`: keys that the journal lacked. `resealed`: keys that it had, sealed with a master key that seals no more. */
export type Completed = { added: number; resealed: number };

/**
 * Records the keys of the database that the journal lacks, for a journal that is new. Their accounts may be in older ledgers than
 * the present one. After a rotation of the master key it also records each key of the journal again, as soon as the database has it
 * sealed with the new key. It also records each key that the database lacks, as long as a key of the ring opens it.
 * @throws AppError 503 `key_journal_unavailable`, 503 `key_provider_unavailable`
 */
export async function completeJournal(deps: KeysDeps & Pick<Deps, 'vault' | 'key_ring'>): Promise<Completed> {
  const completed = { added: 0, resealed: 0 };
  if (deps.key_journal.path === null) return completed;
  const recorded = await recordedAccounts(deps);
  const record = async (keys: NewJournalKey[]) => {
    const absent = keys.filter(({ account }) => !recorded.has(account));
    const resealed = keys.filter(
      ({ account, sealed_seed }) =>
        recorded.get(account) === 'before' && deps.key_ring.hasSealedSeed(sealed_seed),
    );
    await deps.key_journal.record([...absent, ...resealed]);
    completed.added += absent.length;
    completed.resealed += resealed.length;
  };
  const { channels, treasuries } = await channelAndTreasuryKeys(deps.db);
  const nobody = { owner_id: null, name: null, ledger: null };
  await record(treasuries.map((each) => ({ ...each, ...nobody, kind: 'treasury', sponsor: null })));
  await record(channels.map((each) => ({ ...each, ...nobody, kind: 'channel' })));
  for await (const page of walletKeys(deps.db))
    await record(page.map((each) => ({ ...each, kind: 'wallet', sponsor: null, ledger: null })));
  if ([...recorded.values()].includes('before')) await record(await resealedMissing(deps));
  return completed;
}

/** Reads the accounts of the journal. `before`: no line of the account is sealed with the key that seals now. */
async function recordedAccounts({
  key_journal,
  key_ring,
}: Pick<Deps, 'key_journal' | 'key_ring'>): Promise<Map<string, 'now' | 'before'>> {
  const recorded = new Map<string, 'now' | 'before'>();
  for await (const { account, sealed_seed } of key_journal.read()) {
    if (key_ring.hasSealedSeed(sealed_seed)) recorded.set(account, 'now');
    else if (!recorded.has(account)) recorded.set(account, 'before');
  }
  return recorded;
}

/** Seals the keys that the database lacks with the key that seals now. Leaves out those that no key of the ring opens. */
async function resealedMissing(deps: KeysDeps & Pick<Deps, 'vault'>): Promise<JournalKey[]> {
  const resealed: JournalKey[] = [];
  for (const key of await missingKeys(deps)) {
    const owner = { id: key.id, public_key: publicKeyOf(key.account) };
    if (await deps.vault.opens(key.sealed_seed, owner))
      resealed.push({ ...key, sealed_seed: await deps.vault.reseal(key.sealed_seed, owner) });
  }
  return resealed;
}
