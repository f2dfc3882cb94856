/** `teller tx-sources` and `teller unmatched`, for the operator when signing stops; `teller channels`. */
import { type Command, InvalidArgumentError } from 'commander';
import { OperatorError } from '../errors.ts';
import { systemClock } from '../lib/clock.ts';
import { parseAddress } from '../stellar/address.ts';
import {
  createChannels,
  describeChannels,
  mergeChannels,
  retireChannels,
} from '../withdrawals/channels/channels.ts';
import { acceptTxSource, describeTxSources } from '../withdrawals/operator/tx-sources.ts';
import {
  acceptUnmatched,
  assignUnmatched,
  describeUnmatched,
  skipUnreadLedgers,
} from '../withdrawals/operator/unmatched.ts';
import { whole, withDeps, withServiceDatabase } from './command-line.ts';

export function withdrawalCommands(program: Command): void {
  txSourcesCommand(program);
  unmatchedCommand(program);
  const channels = program
    .command('channels')
    .description('channel accounts: extra transaction sources, so that one ledger can take many withdrawals');

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
    .description('list them with their payments')
    .action(() =>
      withServiceDatabase(async ({ database, config }) =>
        say(await describeUnmatched({ db: database.db, config })),
      ),
    );

  unmatched
    .command('accept')
    .description('declare that a transaction belongs to no open withdrawal; this unblocks its wallet')
    .argument('<hash>', 'hash of the transaction')
    .option(
      '--allow-duplicate',
      'accept although an open withdrawal has the same payment, or although the transaction looks like a refund that ' +
        'this database does not know',
    )
    .action((hash: string, { allowDuplicate: allow_duplicate = false }: { allowDuplicate?: boolean }) =>
      withServiceDatabase(async ({ database, config }) =>
        say(
          await acceptUnmatched({ db: database.db, clock: systemClock, config }, hash, { allow_duplicate }),
        ),
      ),
    );

  unmatched
    .command('assign')
    .description('declare that a transaction is the payment of a withdrawal; the withdrawal gets its outcome')
    .argument('<hash>', 'hash of the transaction')
    .argument('<withdrawal_id>', 'id of the open withdrawal, wd_…')
    .action((hash: string, withdrawal_id: string) =>
      withServiceDatabase(async ({ database, config }) =>
        say(await assignUnmatched({ db: database.db, clock: systemClock, config }, hash, withdrawal_id)),
      ),
    );

  unmatched
    .command('skip')
    .description('continue from the newest ledger when no source has the unread ledgers any more')
    .action(() => withDeps(async (deps) => say(await skipUnreadLedgers(deps))));
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
