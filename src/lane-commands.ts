/** `teller lanes` and `teller channels`: where the sequence numbers of withdrawals come from. */
import { type Command, InvalidArgumentError } from 'commander';
import { parseAddress } from './chain/address.ts';
import { whole, withDeps, withServiceDatabase } from './command-line.ts';
import { OperatorError } from './errors.ts';
import { systemClock } from './lib/clock.ts';
import { createChannels, describeChannels, mergeChannels, retireChannels } from './withdrawals/channels.ts';
import { acceptLane, describeLanes } from './withdrawals/lanes.ts';
import { acceptStray, assignStray, describeStrays, skipUnread } from './withdrawals/strays.ts';

export function laneCommands(program: Command): void {
  lanesCommand(program);
  straysCommand(program);
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

function lanesCommand(program: Command): void {
  const lanes = program.command('lanes').description('wallets for which nothing is signed (see the runbook)');

  lanes
    .command('list', { isDefault: true })
    .description('which they are, and why')
    .action(() => withServiceDatabase(async ({ database }) => say(await describeLanes({ db: database.db }))));

  lanes
    .command('accept')
    .description('go on signing after the account’s present sequence number')
    .argument('<account>', 'G… account of the wallet')
    .action((account: string) => {
      if (!parseAddress(account)) throw new OperatorError(`${account} is not a G… address.`);
      return withDeps(async (deps) => say(await acceptLane(deps, account)));
    });
}

function straysCommand(program: Command): void {
  const strays = program
    .command('strays')
    .description('transactions of wallets in the ledger that no withdrawal knows (see the runbook)');

  strays
    .command('list', { isDefault: true })
    .description('which they are, and what they pay')
    .action(() =>
      withServiceDatabase(async ({ database, config }) =>
        say(await describeStrays({ db: database.db, config })),
      ),
    );

  strays
    .command('accept')
    .description('none of the waiting withdrawals is this transaction: its wallet goes on')
    .argument('<hash>')
    .option(
      '--despite-twins',
      'though a withdrawal that pays the same waits, or it looks like a refund that this database has forgotten',
      false,
    )
    .action((hash: string, { despiteTwins: despite_twins }: { despiteTwins: boolean }) =>
      withServiceDatabase(async ({ database, config }) =>
        say(await acceptStray({ db: database.db, clock: systemClock, config }, hash, { despite_twins })),
      ),
    );

  strays
    .command('assign')
    .description('the transaction is the payment of this withdrawal, which gets its outcome')
    .argument('<hash>')
    .argument('<withdrawal_id>')
    .action((hash: string, withdrawal_id: string) =>
      withServiceDatabase(async ({ database, config }) =>
        say(await assignStray({ db: database.db, clock: systemClock, config }, hash, withdrawal_id)),
      ),
    );

  strays
    .command('skip')
    .description('go on from the newest ledger though no source has those before it any more')
    .action(() => withDeps(async (deps) => say(await skipUnread(deps))));
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
