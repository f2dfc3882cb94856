/** `teller tx-sources` and `teller channels`: where the sequence numbers of withdrawals come from. */
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
    .description('channel accounts, which let many withdrawals into one ledger (see the runbook)');

  channels
    .command('list', { isDefault: true })
    .description('each with its state, its sponsor and the withdrawal that holds it')
    .action(() =>
      withServiceDatabase(async ({ database }) => say(await describeChannels({ db: database.db }))),
    );

  channels
    .command('create')
    .description('make so many, up to CHANNELS_MAX in all; the treasury (TREASURY_SEED_FILE) pays for them')
    .argument('<count>', 'those that an interrupted run has begun are among them', whole(1, 1000))
    .action((count: number) => withDeps(async (deps) => say(await createChannels(deps, count, watched()))));

  channels
    .command('retire')
    .description('take channels out of service; who holds one keeps it until its outcome')
    .argument('[which]', 'G… account, or how many', accountOrCount)
    .option('--all', 'all of them', false)
    .action(async (which: { account: string } | { count: number } | undefined, { all }: { all: boolean }) => {
      if (all === (which !== undefined)) throw new OperatorError('Name one account, a number, or --all.');
      await withServiceDatabase(async ({ database }) =>
        say(await retireChannels({ db: database.db }, which ?? 'all')),
      );
    });

  channels
    .command('merge')
    .description('give the reserves of retired channels back to the treasury')
    .action(() => withDeps(async (deps) => say(await mergeChannels(deps, watched()))));
}

function txSourcesCommand(program: Command): void {
  const tx_sources = program
    .command('tx_sources')
    .description('wallets for which nothing is signed (see the runbook)');

  tx_sources
    .command('list', { isDefault: true })
    .description('which they are, and why')
    .action(() =>
      withServiceDatabase(async ({ database }) => say(await describeTxSources({ db: database.db }))),
    );

  tx_sources
    .command('accept')
    .description('go on signing after the account’s present sequence number')
    .argument('<account>', 'G… account of the wallet')
    .action((account: string) => {
      if (!parseAddress(account)) throw new OperatorError(`${account} is not a G… address.`);
      return withDeps(async (deps) => say(await acceptTxSource(deps, account)));
    });
}

function unmatchedCommand(program: Command): void {
  const unmatched = program
    .command('unmatched')
    .description('transactions of wallets in the ledger that no withdrawal knows (see the runbook)');

  unmatched
    .command('list', { isDefault: true })
    .description('which they are, and what they pay')
    .action(() =>
      withServiceDatabase(async ({ database, config }) =>
        say(await describeUnmatched({ db: database.db, config })),
      ),
    );

  unmatched
    .command('accept')
    .description('none of the waiting withdrawals is this transaction: its wallet goes on')
    .argument('<hash>')
    .option(
      '--allow-duplicate',
      'though a withdrawal that pays the same waits, or it looks like a refund that this database has forgotten',
      false,
    )
    .action((hash: string, { allowDuplicate: allow_duplicate }: { allowDuplicate: boolean }) =>
      withServiceDatabase(async ({ database, config }) =>
        say(
          await acceptUnmatched({ db: database.db, clock: systemClock, config }, hash, { allow_duplicate }),
        ),
      ),
    );

  unmatched
    .command('assign')
    .description('the transaction is the payment of this withdrawal, which gets its outcome')
    .argument('<hash>')
    .argument('<withdrawal_id>')
    .action((hash: string, withdrawal_id: string) =>
      withServiceDatabase(async ({ database, config }) =>
        say(await assignUnmatched({ db: database.db, clock: systemClock, config }, hash, withdrawal_id)),
      ),
    );

  unmatched
    .command('skip')
    .description('go on from the newest ledger though no source has those before it any more')
    .action(() => withDeps(async (deps) => say(await skipUnreadLedgers(deps))));
}

/** Tells the person at the terminal how it goes; Ctrl-C ends the process, and the next run goes on. */
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
