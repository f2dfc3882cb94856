/** `teller keys`: whether the keys open, what the key journal has and the database lacks, and how it comes back. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { missingKeys } from '../api/missing-keys.ts';
import { type Verified, verifyKeys } from '../api/verify-keys.ts';
import { isTeam, teamOfUser } from '../auth/teams/team-store.ts';
import { readConfig } from '../config.ts';
import { isUsedByOthers } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { newestProcessedLedger } from '../ledgers/both-cursors.ts';
import { OperatorError } from '../lib/errors.ts';
import { publicKeyOf } from '../stellar/address.ts';
import type { JournalKey } from '../vault/key-journal.ts';
import type { KeyRing } from '../vault/master-keys/key-ring.ts';
import { insertWallet } from '../wallets/store.ts';
import { insertForgottenChannel, keepTreasury } from '../withdrawals/channels/channel-store.ts';
import { withDeps, withKeys } from './command-line.ts';
import { keyRotationCommands } from './key-rotation-commands.ts';
import { keyShareCommands } from './key-share-commands.ts';
import { requireUser } from './require-user.ts';

export function keysCommand(program: Command): void {
  const keys = program
    .command('keys')
    .description('the keys of wallets and channel accounts, and the key journal');

  keyRotationCommands(keys);

  keys
    .command('verify')
    .description(
      'prove that every sealed seed gives its public key; shows no key; exit code 1 when one does not',
    )
    .action(() =>
      withKeys(async (deps) => {
        const verified = await verifyKeys(deps);
        process.stdout.write(describeVerified(verified, deps.key_ring));
        if (verified.broken.length > 0) process.exitCode = 1;
      }),
    );

  keys
    .command('recover')
    .description('bring the wallets and channel accounts back that the database lacks')
    .option('--owner <email>', 'who owns the wallets whose owner the database lacks too')
    .option(
      '--rewound',
      'both cursors are before the making of the wallets whose ledger the journal does not tell',
    )
    .action(({ owner, rewound = false }: { owner?: string; rewound?: boolean }) =>
      withJournal(async (deps) => {
        process.stdout.write(await recoverKeys(deps, { owner_email: owner, rewound }));
      }),
    );

  keys
    .command('dismiss')
    .description('say that nobody has a key: it was recorded, and then the database refused its row')
    .argument('<id>', 'the id that "teller keys" shows')
    .requiredOption('--reason <text>', 'how you know; it is kept in the key journal')
    .action((id: string, { reason }: { reason: string }) =>
      withJournal(async (deps) => {
        process.stdout.write(await dismissKey(deps, id, reason));
      }),
    );

  keyShareCommands(keys);
}

/**
 * @throws OperatorError when a process runs, the database has the key, the journal lacks it, or its account is on the network,
 * where it may hold money; NetworkUnavailable
 */
async function dismissKey(deps: Deps, id: string, reason: string): Promise<string> {
  await refuseRunning(deps); // a process may be about to commit its row
  const key = (await missingKeys(deps)).find((each) => each.id === id);
  if (!key) throw new OperatorError(`${id} is not among the keys that the database lacks.`);
  const { accounts } = await deps.stellar.readAccounts([key.account]);
  if (accounts.has(key.account))
    throw new OperatorError(
      `${key.account} is on the network and may hold money: use "teller keys recover". Nothing was changed.`,
    );
  await deps.key_journal.dismiss(id, reason);
  return `Dismissed: ${id}. Its line stays in the key journal.\n`;
}

function withJournal(work: (deps: Deps) => Promise<void>): Promise<void> {
  const { key_journal: path } = readConfig(process.env);
  if (path === undefined) throw new OperatorError('Set KEY_JOURNAL to the path of the key journal.');
  if (!existsSync(path)) throw new OperatorError(`There is no key journal at ${path}.`);
  return withDeps(work);
}

function describeVerified(
  { wallets, channels, treasuries, recorded, broken }: Verified,
  { keys, sealing }: KeyRing,
): string {
  const lines = broken.map(
    ({ id, account, place }) => `${id} in the ${place}: its sealed seed does not give ${account}\n`,
  );
  const tried = `${wallets} wallets, ${channels} channel accounts, ${treasuries} treasuries, ${recorded} lines of the key journal`;
  const end = broken.length === 0 ? 'every sealed seed gives its public key' : `${broken.length} do not open`;
  const ids = keys.map(({ id }) => id).join(' and ');
  return `${lines.join('')}Verified ${tried}: ${end}. Opened with key ${ids}; key ${sealing().id} seals.\n`;
}

/**
 * Inserts the rows again, each by itself: a second run continues. Wallets come back with their names and without an API
 * key; channel accounts that are on the network become active again.
 *
 * A wallet comes back only while every ledger that can have its transactions is still to be read. Otherwise its deposits
 * would be missing, and a key that it has paid could be paid again.
 * @throws OperatorError when a process runs, such ledgers are processed already, a sealed seed does not open, or a wallet's
 * owner is unknown and none is named
 */
async function recoverKeys(
  deps: Deps,
  { owner_email, rewound }: { owner_email: string | undefined; rewound: boolean },
): Promise<string> {
  await refuseRunning(deps);
  const missing = await missingKeys(deps);
  const owner = owner_email === undefined ? undefined : await requireOwner(deps, owner_email);
  const resealed = await sealedAsNow(deps, missing);
  const of = (kind: JournalKey['kind']) => resealed.filter((key) => key.kind === kind);
  await refuseUnread(deps, of('wallet'), rewound);
  for (const treasury of of('treasury')) await keepTreasury(deps.db, keysOf(treasury));
  const owners = new Map<JournalKey, string>();
  for (const wallet of of('wallet')) owners.set(wallet, await ownerOf(deps, wallet, owner));
  for (const [wallet, owner_id] of owners) await recoverWallet(deps, wallet, owner_id);
  const channels = await recoverChannels(deps, of('channel'));
  return `Recovered: ${owners.size} wallets, ${channels} channel accounts, ${of('treasury').length} treasuries.\n`;
}

async function refuseRunning({ db }: Deps): Promise<void> {
  if (await isUsedByOthers(db))
    throw new OperatorError('A process uses the database. Stop every process of the service first.');
}

async function refuseUnread(deps: Deps, wallets: JournalKey[], rewound: boolean): Promise<void> {
  const processed = (await newestProcessedLedger(deps.db)) ?? 0;
  const unread = wallets.filter(({ ledger }) => (ledger === null ? !rewound : ledger < processed));
  const [first] = unread;
  if (!first) return;
  const made = new Date(Math.min(...unread.map(({ created_at }) => created_at.getTime())));
  const oldest = Math.min(...unread.map(({ ledger }) => ledger ?? Number.POSITIVE_INFINITY));
  const where = Number.isFinite(oldest) ? `${oldest}` : 'N, the last one before that';
  const how = rewound ? '' : ' If both cursors are before that already, repeat the command with --rewound.';
  throw new OperatorError(
    `Ledgers up to ${processed} are processed without ${unread.length} of these wallets. The oldest (${first.id}) was made ` +
      `at ${made.toISOString()}. Run "teller rewind --to-ledger ${where}" first.${how} Nothing was changed.`,
  );
}

function keysOf({ id, account, sealed_seed }: JournalKey) {
  return { id, account, sealed_seed };
}

/** A key provider answers many at a time, but not all keys of a journal at once. */
const PAGE = 100;

/**
 * Seals the keys as new ones are sealed: the journal may have them from before a rotation, or from another time of a provider.
 * @throws OperatorError when a sealed seed does not open; AppError 503 `key_provider_unavailable`
 */
async function sealedAsNow({ vault }: Deps, keys: JournalKey[]): Promise<JournalKey[]> {
  const resealed: JournalKey[] = [];
  for (let start = 0; start < keys.length; start += PAGE) {
    const page = keys.slice(start, start + PAGE).map(async (key) => {
      const owner = { id: key.id, public_key: publicKeyOf(key.account) };
      if (!(await vault.opens(key.sealed_seed, owner)))
        throw new OperatorError(`The sealed seed of ${key.id} does not open. Nothing was changed.`);
      return { ...key, sealed_seed: await vault.reseal(key.sealed_seed, owner) };
    });
    resealed.push(...(await Promise.all(page)));
  }
  return resealed;
}

async function requireOwner(deps: Deps, email: string): Promise<string> {
  const user = await requireUser(deps.db, email);
  const team = await teamOfUser(deps.db, user.id);
  if (!team) throw new OperatorError(`There is no user ${email} who is in a team.`);
  return team.team_id;
}

async function ownerOf(deps: Deps, { id, owner_id }: JournalKey, named: string | undefined): Promise<string> {
  if (owner_id !== null && (await isTeam(deps.db, owner_id))) return owner_id;
  if (named !== undefined) return named;
  throw new OperatorError(
    `The database lacks the team of ${id} too. Name a user whose team gets such wallets: --owner EMAIL. Nothing was changed.`,
  );
}

async function recoverWallet(deps: Deps, key: JournalKey, owner_id: string): Promise<void> {
  const { network } = deps.config;
  const { created_at, name } = key;
  await insertWallet(deps.db, { ...keysOf(key), owner_id, network, name: name ?? key.account, created_at });
}

/**
 * Inserts the channel accounts that are on the network, and returns how many were inserted. Those that are not on the network were
 * never made, or are merged: their keys are of no use.
 */
async function recoverChannels(deps: Deps, channels: JournalKey[]): Promise<number> {
  if (channels.length === 0) return 0;
  const { accounts } = await deps.stellar.readAccounts(channels.map(({ account }) => account));
  let count = 0;
  for (const channel of channels) {
    const { sponsor } = channel;
    if (!accounts.has(channel.account) || sponsor === null) continue;
    if (await insertForgottenChannel(deps.db, { ...keysOf(channel), sponsor })) count++;
  }
  return count;
}
