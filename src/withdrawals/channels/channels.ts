/**
 * The pool of channel accounts: transaction sources, which all wallets share. They pay their fees. With CHANNEL_FEES=wallet their
 * balance is 0.
 *
 * | state    | what is true                                      | a crash here leads to                               |
 * |----------|---------------------------------------------------|-----------------------------------------------------|
 * | creating | its key is sealed and committed; a transaction    | the next run creates it, or finds it on the ledger  |
 * |          | that creates it may be under way (treasury.ts)    |                                                     |
 * | active   | the ledger has the account; it is a transaction   | nothing is lost                                     |
 * |          | source that can be assigned                       |                                                     |
 * | retired  | it is not assigned any more; a withdrawal that    | the next `merge` continues                          |
 * |          | has it keeps it. A transaction that merges it     |                                                     |
 * |          | may be under way; then no withdrawal has it       |                                                     |
 * | merged   | the ledger has the account no longer; the sponsor | nothing is lost                                     |
 * |          | has its reserve back                              |                                                     |
 *
 * Any number of processes may work on the pool at once: they take the same steps on the same rows, and the first to
 * commit a step wins. A row is never deleted, because a lost key would be a lost reserve.
 */

import { strict as assert } from 'node:assert';
import type { Trx } from '../../db/database.ts';
import { holdSealingKey } from '../../db/master-keys.ts';
import type { Deps } from '../../deps.ts';
import { OperatorError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { accountOf } from '../../stellar/address.ts';
import {
  busyTreasuries,
  type ChannelCounts,
  channelsIn,
  channelsToCreate,
  channelsToMerge,
  countChannels,
  listChannels,
  newestTreasury,
  planChannels,
  recordFound,
  recordGone,
  retire,
} from './channel-store.ts';
import {
  beginFilling,
  beginTransaction,
  channelsPerTransaction,
  chooseTreasury,
  finishTransactionUnderWay,
  readForFilling,
  readWithTreasury,
  requireFunds,
  type Working,
} from './treasury.ts';

/** How long to wait for a source that lags, or for a treasury that friendbot has just created. */
const AGAIN_MS = 250;

/**
 * Creates `count` channels, at most CHANNELS_MAX in all. Channels that an earlier run has begun are finished, and count.
 * @throws OperatorError when there is no room, no treasury, or the treasury has too little
 */
export async function createChannels(deps: Deps, count: number, working: Working): Promise<string> {
  const { channels_max } = deps.config;
  const before = await countChannels(deps.db);
  const missing = (counts: ChannelCounts) =>
    Math.max(0, Math.min(count - counts.creating, roomFor(deps, counts)));
  if (before.creating + missing(before) === 0)
    throw new OperatorError(
      `There are ${existing(before)} channel accounts, retired ones included, and CHANNELS_MAX is ${channels_max}. Raise it to create more.`,
    );
  const sponsor = await chooseTreasury(deps);
  await requireFundsFor(deps, sponsor, before.creating + missing(before), working);
  const planned = await planNew(deps, sponsor, missing);
  if (before.creating + planned < count)
    working.report(`CHANNELS_MAX is ${channels_max}: ${before.creating + planned} are made, not ${count}.`);
  await makePlanned(deps, sponsor, working);
  const { active } = await countChannels(deps.db);
  return `Done: ${active} channels are active.`;
}

/**
 * Lets the pool grow to `wanted` active channels, at most CHANNELS_MAX. It grows by full transactions, because each
 * transaction costs a ledger, however few channels it creates.
 */
export async function growPool(deps: Deps, wanted: () => number, working: Working): Promise<void> {
  const at_once = channelsPerTransaction(deps, 'creating');
  const lacking = (counts: ChannelCounts) => {
    const transactions = Math.ceil((wanted() - counts.active - counts.creating) / at_once);
    return Math.min(transactions * at_once, roomFor(deps, counts));
  };
  const before = await countChannels(deps.db);
  if (lacking(before) <= 0 && before.creating === 0) return; // the usual case needs no treasury
  const sponsor = await chooseTreasury(deps);
  do await makePlanned(deps, sponsor, working);
  while ((await planNew(deps, sponsor, lacking)) > 0);
}

type NewKey = { id: string; account: string; sealed_seed: Buffer };

/**
 * Plans as many channels as are lacking, and gives their number. The keys are made before the transaction, because a key provider
 * may take its time.
 */
async function planNew(
  deps: Deps,
  sponsor: string,
  lacking: (counts: ChannelCounts) => number,
): Promise<number> {
  for (;;) {
    const keys = await generateKeys(deps, Math.max(0, lacking(await countChannels(deps.db))));
    const planned = await planChannels(deps.db, sponsor, lacking, (trx, count) =>
      recordKeys(deps, trx, sponsor, keys.slice(0, count)),
    );
    if (planned !== null) return planned;
  }
}

async function generateKeys(deps: Deps, count: number): Promise<NewKey[]> {
  const ids = Array.from({ length: count }, () => newId('chn', deps.clock.now()));
  return Promise.all(
    ids.map(async (id) => {
      const { public_key, sealed_seed } = await deps.vault.generate(id);
      return { id, account: accountOf(public_key), sealed_seed };
    }),
  );
}

/**
 * Records the keys in the key journal: they are in it when this returns. Null when another key seals by now: then they are of
 * no use.
 */
async function recordKeys(deps: Deps, trx: Trx, sponsor: string, keys: NewKey[]): Promise<NewKey[] | null> {
  // No rotation comes before the commit: it would refuse the rows, and the journal would have keys that no row has.
  const named = await holdSealingKey(trx);
  assert(!named || deps.key_ring.sealWith(named), 'this process lacks the key that seals');
  if (!keys.every(({ sealed_seed }) => deps.key_ring.hasSealedSeed(sealed_seed))) return null;
  const of_channel = { kind: 'channel' as const, sponsor, owner_id: null, name: null };
  const created_at = deps.clock.now();
  await deps.key_journal.record(keys.map((each) => ({ ...each, ...of_channel, created_at })));
  return keys;
}

const existing = ({ creating, active, retired }: ChannelCounts) => creating + active + retired;

function roomFor(deps: Deps, counts: ChannelCounts): number {
  return deps.config.channels_max - existing(counts);
}

/** Requires, before the keys are made, that the treasury can pay for `count` channels. @throws OperatorError */
async function requireFundsFor(deps: Deps, sponsor: string, count: number, working: Working): Promise<void> {
  const at = await untilReadable(deps, sponsor, [], working);
  if (at) await requireFunds(deps, 'creating', at, count);
}

/** Reads the treasury and these channels again and again until a source is not behind; null when stopped. */
async function untilReadable(deps: Deps, sponsor: string, channels: string[], { signal }: Working) {
  while (!signal.aborted) {
    const at = await readWithTreasury(deps, sponsor, channels);
    if (at) return at;
    await deps.clock.sleep(AGAIN_MS, signal);
  }
  return null;
}

/** Makes channels until none is in state `creating`, one transaction after the other: 19 channels in a ledger. */
async function makePlanned(deps: Deps, sponsor: string, working: Working): Promise<void> {
  while (!working.signal.aborted) {
    await waitForOutcomes(deps, working);
    const { creating, active } = await countChannels(deps.db);
    if (creating === 0) return;
    working.report(`${active} active, ${creating} to be made`);
    const planned = await channelsToCreate(deps.db, channelsPerTransaction(deps, 'creating'));
    const accounts = planned.map(({ account }) => account);
    const at = await untilReadable(deps, sponsor, accounts, working);
    if (!at) return;
    await recordFound(
      deps.db,
      accounts.filter((account) => at.accounts.has(account)),
    );
    const absent = planned.filter(({ account }) => !at.accounts.has(account));
    if (absent.length === 0) continue;
    await requireFunds(deps, 'creating', at, absent.length);
    await beginTransaction(deps, 'creating', absent, at);
  }
}

/**
 * Fills the channels that are low, with money of the newest treasury: up to 100 channels in a ledger. TREASURY_SEED_FILE is not
 * looked at: a process that was started with an older file would make an older treasury the newest.
 * @throws OperatorError when the treasury has too little, or a transaction did not get into a ledger
 */
export async function fillLowChannels(deps: Deps, working: Working): Promise<void> {
  const { signal } = working;
  while (!signal.aborted) {
    await waitForOutcomes(deps, working);
    const [treasury, channels] = [await newestTreasury(deps.db), await channelsIn(deps.db, ['active'])];
    if (!treasury || channels.length === 0) return;
    const at = await readForFilling(deps, treasury.account, channels);
    if (at === null) await deps.clock.sleep(AGAIN_MS, signal);
    else if (!(await beginFilling(deps, channels, at))) return;
    else if ((await finishTransactionUnderWay(deps, treasury.account, working)) === 'expired')
      throw new OperatorError('A transaction that fills channel accounts did not get into a ledger in time.');
  }
}

/**
 * Waits for the transactions of the treasuries, one after the other: a treasury has at most one under way, and there are few
 * treasuries.
 */
async function waitForOutcomes(deps: Deps, working: Working): Promise<void> {
  for (const sponsor of await busyTreasuries(deps.db))
    await finishTransactionUnderWay(deps, sponsor, working);
}

/**
 * Takes channels out of service for good: this one, `count` of them, or all.
 * @throws OperatorError when the named one is not active
 */
export async function retireChannels(
  deps: Pick<Deps, 'db'>,
  which: { account: string } | { count: number } | 'all',
): Promise<string> {
  const retired = await retire(deps.db, which === 'all' ? { count: Number.MAX_SAFE_INTEGER } : which);
  if (which !== 'all' && 'account' in which && retired === 0)
    throw new OperatorError(`${which.account} is not an active channel.`);
  const { active } = await countChannels(deps.db);
  return `Retired ${retired}; ${active} are active. "teller channels merge" gives their reserves back.`;
}

/** Merges the retired channels that no withdrawal uses into their sponsors, which frees the reserves. */
export async function mergeChannels(deps: Deps, working: Working): Promise<string> {
  const before = await countChannels(deps.db);
  while (!working.signal.aborted) {
    await waitForOutcomes(deps, working);
    const ready = await channelsToMerge(deps.db, channelsPerTransaction(deps, 'retired'));
    const [first] = ready;
    if (!first) break;
    const accounts = ready.map(({ account }) => account);
    const at = await untilReadable(deps, first.sponsor, accounts, working);
    if (!at) break;
    await recordGone(
      deps.db,
      accounts.filter((account) => !at.accounts.has(account)),
    );
    const present = ready.filter(({ account }) => at.accounts.has(account));
    if (present.length > 0) {
      await requireFunds(deps, 'retired', at, present.length);
      await beginTransaction(deps, 'retired', present, at);
    }
    working.report(`${(await countChannels(deps.db)).retired} to be merged`);
  }
  const after = await countChannels(deps.db);
  const held = after.retired > 0 ? ` ${after.retired} still hold a withdrawal: merge again later.` : '';
  return `Merged ${after.merged - before.merged}.${held}`;
}

/** Describes the channels as a text: a line for each channel, and how many there are in each state. */
export async function describeChannels(deps: Pick<Deps, 'db'>): Promise<string> {
  const [channels, counts] = [await listChannels(deps.db), await countChannels(deps.db)];
  const lines = channels.map(({ account, status, sponsor, withdrawal_id, blocked_reason }) => {
    const tx_source = [
      withdrawal_id ? `used by ${withdrawal_id}` : 'free',
      ...(blocked_reason ? [blocked_reason] : []),
    ].join('. ');
    return `${account} ${status.padEnd(8)} sponsor ${sponsor}  ${status === 'creating' ? '' : tx_source}`.trimEnd();
  });
  const total = Object.entries(counts).map(([status, count]) => `${count} ${status}`);
  return `${[...lines, total.join(', ')].join('\n')}\n`;
}
