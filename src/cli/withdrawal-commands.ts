/** `teller tx-sources` and `teller unmatched`, for the operator when signing stops; `teller channels` and `teller treasury`. */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { systemClock } from '../lib/clock.ts';
import { OperatorError } from '../lib/errors.ts';
import { parseAddress } from '../stellar/address.ts';
import {
  createChannels,
  describeChannels,
  mergeChannels,
  retireChannels,
} from '../withdrawals/channels/channels.ts';
import { changeTreasuryBudget, describeTreasury } from '../withdrawals/channels/describe-treasury.ts';
import { parseRequests } from '../withdrawals/operator/client-requests.ts';
import {
  applyReview,
  describeReview,
  refuseRepeatedKeys,
  reviewAsData,
  reviewRequests,
} from '../withdrawals/operator/resolve-unmatched.ts';
import { acceptTxSource, describeTxSources } from '../withdrawals/operator/tx-sources.ts';
import {
  acceptUnmatched,
  assignUnmatched,
  assignUnmatchedToKey,
  describeUnmatched,
  failWithdrawal,
  releaseUnmatched,
  reportUnmatched,
  skipUnreadLedgers,
} from '../withdrawals/operator/unmatched.ts';
import { whole, withDeps, withServiceDatabase } from './command-line.ts';

export function withdrawalCommands(program: Command): void {
  txSourcesCommand(program);
  unmatchedCommand(program);
  const channels = program
    .command('channels')
    .description('channel accounts: extra transaction sources, so that one ledger can take many withdrawals');

  const treasury = program
    .command('treasury')
    .description('the account that pays for channel accounts, and for wallets (TREASURY_PAYS)');

  treasury
    .command('show', { isDefault: true })
    .description('show what it has, what it has paid for wallets, and for which teams in the last 24 hours')
    .action(() => withDeps(async (deps) => say(await describeTreasury(deps))));

  treasury
    .command('budget')
    .description('set what it pays for one team in 24 hours at most')
    .argument('<team_id>', 'the team')
    .argument('<stroops>', 'a whole number; "default" is TREASURY_TEAM_DAILY_STROOPS', budgetOf)
    .action((team_id: string, stroops: bigint | null) =>
      withServiceDatabase(async ({ database, config }) =>
        say(await changeTreasuryBudget({ db: database.db, config }, team_id, stroops)),
      ),
    );

  channels
    .command('list', { isDefault: true })
    .description('list all channel accounts with state, sponsor and the withdrawal that uses each')
    .action(() =>
      withServiceDatabase(async ({ database }) => say(await describeChannels({ db: database.db }))),
    );

  channels
    .command('create')
    .description('create channel accounts, up to CHANNELS_MAX in all; the treasury (TREASURY_SEED_FILE) pays')
    .argument('<count>', 'how many; includes those that an interrupted run has begun', whole(1, 1000))
    .action((count: number) => withDeps(async (deps) => say(await createChannels(deps, count, watched()))));

  channels
    .command('retire')
    .description(
      'take channel accounts out of service; a withdrawal that uses one keeps it until its outcome',
    )
    .argument('[which]', 'G… account, or a number of accounts', accountOrCount)
    .option('--all', 'retire all channel accounts')
    .action(
      async (
        which: { account: string } | { count: number } | undefined,
        { all = false }: { all?: boolean },
      ) => {
        if (all === (which !== undefined)) throw new OperatorError('Name one account, a number, or --all.');
        await withServiceDatabase(async ({ database }) =>
          say(await retireChannels({ db: database.db }, which ?? 'all')),
        );
      },
    );

  channels
    .command('merge')
    .description('merge retired channel accounts into the treasury, which gets their reserves back')
    .action(() => withDeps(async (deps) => say(await mergeChannels(deps, watched()))));
}

function txSourcesCommand(program: Command): void {
  const tx_sources = program
    .command('tx-sources')
    .description('transaction sources: accounts whose sequence numbers withdrawals use (see the runbook)');

  tx_sources
    .command('list', { isDefault: true })
    .description('list the blocked transaction sources with the reasons')
    .action(() =>
      withServiceDatabase(async ({ database }) => say(await describeTxSources({ db: database.db }))),
    );

  tx_sources
    .command('accept')
    .description('unblock a transaction source: signing continues after its current sequence number')
    .argument('<account>', 'G… account of the transaction source')
    .action((account: string) => {
      if (!parseAddress(account)) throw new OperatorError(`${account} is not a G… address.`);
      return withDeps(async (deps) => say(await acceptTxSource(deps, account)));
    });
}

function unmatchedCommand(program: Command): void {
  const unmatched = program
    .command('unmatched')
    .description('outgoing transactions that match no withdrawal (see the runbook)');

  unmatched
    .command('list', { isDefault: true })
    .description('list those that are not resolved, with their payments and what they block')
    .option('--json', 'as JSON, accepted ones too')
    .action(({ json = false }: { json?: boolean }) =>
      withServiceDatabase(async ({ database, config }) => {
        const deps = { db: database.db, config };
        say(json ? JSON.stringify(await reportUnmatched(deps), null, 2) : await describeUnmatched(deps));
      }),
    );

  unmatched
    .command('accept')
    .description(
      'declare that transactions belong to no open withdrawal; this unblocks their wallets. Later withdrawals that equal them are refused',
    )
    .argument('<hashes...>', 'hashes of the transactions; all of them are accepted, or none')
    .option(
      '--allow-duplicate',
      'accept although an open withdrawal has the same payment, or although the transaction looks like a refund that ' +
        'this database does not know',
    )
    .action((hashes: string[], { allowDuplicate: allow_duplicate = false }: { allowDuplicate?: boolean }) =>
      withServiceDatabase(async ({ database, config }) =>
        say(
          await acceptUnmatched({ db: database.db, clock: systemClock, config }, hashes, { allow_duplicate }),
        ),
      ),
    );

  unmatched
    .command('release')
    .description('declare that withdrawals which equal these transactions are other payments; they are paid')
    .argument('<hashes...>', 'hashes of the transactions; all of them are released, or none')
    .action((hashes: string[]) =>
      withServiceDatabase(async ({ database, config }) =>
        say(await releaseUnmatched({ db: database.db, clock: systemClock, config }, hashes)),
      ),
    );

  unmatched
    .command('assign')
    .description('declare that a transaction is the payment of a withdrawal; the withdrawal gets its outcome')
    .argument('<hash>', 'hash of the transaction')
    .argument('[withdrawal_id]', 'id of the open withdrawal, wd_…')
    .option('--key <key>', 'the Idempotency-Key of a withdrawal that this database has forgotten')
    .action((hash: string, withdrawal_id: string | undefined, { key }: { key?: string }) => {
      if ((withdrawal_id === undefined) === (key === undefined))
        throw new OperatorError('Name the withdrawal, or its --key.');
      return withServiceDatabase(async ({ database, config }) => {
        const deps = { db: database.db, clock: systemClock, config };
        if (key !== undefined) return say(await assignUnmatchedToKey(deps, hash, key));
        say(await assignUnmatched(deps, hash, withdrawal_id as string));
      });
    });

  unmatched
    .command('fail')
    .description(
      'end a withdrawal that waits because its key has paid something else: it fails and is not paid',
    )
    .argument('<withdrawal_id>', 'id of the withdrawal, wd_…')
    .action((withdrawal_id: string) =>
      withServiceDatabase(async ({ database, config }) =>
        say(await failWithdrawal({ db: database.db, clock: systemClock, config }, withdrawal_id)),
      ),
    );

  unmatched
    .command('resolve')
    .description('resolve many at once from a client’s list of its withdrawal requests, after a review')
    .requiredOption(
      '--from-requests <file>',
      'a key in each line, or {"idempotency_key", "wallet_id", "destination", "amount_stroops", "memo_id"}',
    )
    .option('--accept-rest', 'accept the transactions that belong to no request')
    .option('--yes', 'carry the review out without asking')
    .option('--json', 'print the review as JSON')
    .action(resolveFromRequests);

  unmatched
    .command('skip')
    .description('continue from the newest ledger when no source has the unread ledgers any more')
    .action(() => withDeps(async (deps) => say(await skipUnreadLedgers(deps))));
}

type ResolveOptions = { fromRequests: string; acceptRest?: boolean; yes?: boolean; json?: boolean };

async function resolveFromRequests({
  fromRequests: file,
  acceptRest: accept_rest = false,
  yes = false,
  json = false,
}: ResolveOptions): Promise<void> {
  const requests = parseRequests(readList(file));
  refuseRepeatedKeys(requests);
  await withServiceDatabase(async ({ database, config }) => {
    const deps = { db: database.db, clock: systemClock, config };
    const review = await reviewRequests(deps, requests);
    if (!json) say(describeReview(config.passphrase, review));
    const confirmed = yes || (!json && (await isConfirmed()));
    const done = confirmed ? await applyReview(deps, review, { accept_rest }) : null;
    if (json) say(JSON.stringify({ ...reviewAsData(review), done }, null, 2));
    else if (done) say(`Done: ${done.assigned} assigned, ${done.accepted} accepted.`);
    else say('Nothing was changed. Repeat the command with --yes to carry this out.');
  });
}

function readList(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new OperatorError(`${file} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
}

/** Asks at the terminal for a confirmation. Returns false where nobody can be asked. */
async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Carry this out? [y/N] ');
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** Reports progress at the terminal. Ctrl-C ends the process; the next run continues. */
function watched() {
  return { report: say, signal: new AbortController().signal };
}

function say(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

function accountOrCount(text: string): { account: string } | { count: number } {
  if (/^\d/.test(text)) return { count: whole(1, 1000)(text) };
  if (parseAddress(text)?.account === text) return { account: text };
  throw new InvalidArgumentError('It must be a G… account or a whole number.');
}

function budgetOf(text: string): bigint | null {
  if (text === 'default') return null;
  if (/^[0-9]{1,18}$/.test(text)) return BigInt(text);
  throw new InvalidArgumentError('It must be a whole number of stroops, or "default".');
}
