/** Compares the key journal with the database: a restored database may lack keys that the journal has. */
import type { Deps } from '../deps.ts';
import type { JournalKey, NewJournalKey } from '../vault/key-journal.ts';
import { walletKeys, walletsWithIds } from '../wallets/store.ts';
import { channelAndTreasuryKeys } from '../withdrawals/channels/channel-store.ts';

const AT_ONCE = 1_000;

type KeysDeps = Pick<Deps, 'db' | 'key_journal'>;

/** The keys of the journal that the database lacks, each once, in the order of the journal. */
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

/**
 * Records the keys of the database that the journal lacks, for a journal that is new. Gives their number. Their accounts may
 * be in older ledgers than the present one.
 * @throws AppError 503 `key_journal_unavailable`
 */
export async function completeJournal(deps: KeysDeps): Promise<number> {
  if (deps.key_journal.path === null) return 0;
  const recorded = new Set<string>();
  for await (const { account } of deps.key_journal.read()) recorded.add(account);
  let count = 0;
  const record = async (keys: NewJournalKey[]) => {
    const absent = keys.filter(({ account }) => !recorded.has(account));
    await deps.key_journal.record(absent);
    count += absent.length;
  };
  const { channels, treasuries } = await channelAndTreasuryKeys(deps.db);
  const nobody = { owner_id: null, name: null, ledger: null };
  await record(treasuries.map((each) => ({ ...each, ...nobody, kind: 'treasury', sponsor: null })));
  await record(channels.map((each) => ({ ...each, ...nobody, kind: 'channel' })));
  for await (const page of walletKeys(deps.db))
    await record(page.map((each) => ({ ...each, kind: 'wallet', sponsor: null, ledger: null })));
  return count;
}
