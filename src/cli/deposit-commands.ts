/** `teller backfill`, `teller rewind` and `teller quarantine`, for an operator when deposits could not be read. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isHttpUrl } from '../config.ts';
import { backfill } from '../deposits/ingest/backfill.ts';
import { describeQuarantine, dismiss, retryQuarantine } from '../deposits/ingest/quarantine.ts';
import {
  compareWithChain,
  provenPosition,
  rewindDepositCursor,
  whileNobodyReads,
} from '../deposits/ingest/rewind.ts';
import type { Deps } from '../deps.ts';
import { rewindWithdrawalCursor } from '../ledgers/rewind-withdrawal-cursor.ts';
import { systemClock } from '../lib/clock.ts';
import { OperatorError } from '../lib/errors.ts';
import { createStellar } from '../stellar/sources/create-stellar.ts';
import { ENGINE_HOOKS } from '../withdrawals/engine-hooks.ts';
import { catchUpWithdrawals } from '../withdrawals/operator/catch-up.ts';
import { whole, withDeps, withServiceDatabase } from './command-line.ts';

const LAST_LEDGER = 999_999_999;

type SourceOptions = { rpcUrl?: string; horizonUrl?: string };
type BackfillOptions = SourceOptions & { fromLedger: number; toLedger?: number };
type RewindOptions = SourceOptions & { toLedger?: number; check?: boolean };

export function depositCommands(program: Command): void {
  program
    .command('backfill')
    .description(
      'read ledgers again and credit missing deposits, then carry the withdrawal cursor on; safe beside the running ' +
        'service, and safe to repeat',
    )
    .requiredOption('--from-ledger <ledger>', 'first ledger to read', whole(2, LAST_LEDGER))
    .option('--to-ledger <ledger>', 'last ledger to read (default: the newest)', whole(2, LAST_LEDGER))
    .addOption(rpcUrl())
    .addOption(horizonUrl())
    .action(({ fromLedger, toLedger, rpcUrl, horizonUrl }: BackfillOptions) =>
      withDeps((deps) =>
        withSource(deps, { rpc_url: rpcUrl, horizon_url: horizonUrl }, async (stellar) => {
          const order = { from_ledger: fromLedger, to_ledger: toLedger ?? null };
          say(await backfill({ ...deps, stellar }, order, say));
          // After a gap both cursors stand before it, and the service reads on only from behind it.
          say(await catchUpWithdrawals({ ...deps, stellar, hooks: ENGINE_HOOKS }, say));
        }),
      ),
    );

  program
    .command('rewind')
    .description(
      'after a faulty source: rewind to a ledger that the network confirms, and list the deposits and withdrawals ' +
        'recorded since that are not on the network (see the runbook); stop every ingester first',
    )
    .option(
      '--to-ledger <ledger>',
      'rewind at least to this ledger (default: the newest confirmed one)',
      whole(1, LAST_LEDGER),
    )
    .option('--check', 'only list, change nothing; the service may run')
    .addOption(rpcUrl())
    .addOption(horizonUrl())
    .action(({ toLedger, check, rpcUrl, horizonUrl }: RewindOptions) =>
      withDeps((deps) =>
        withSource(deps, { rpc_url: rpcUrl, horizon_url: horizonUrl }, (stellar) =>
          rewind({ ...deps, stellar }, { to_ledger: toLedger ?? null, check_only: check === true }, say),
        ),
      ),
    );

  const quarantine = program
    .command('quarantine')
    .description('transactions that mention a wallet and could not be read (see the runbook)');

  quarantine
    .command('list', { isDefault: true })
    .description('list them with the reasons')
    .option('--all', 'include dismissed transactions')
    .action(({ all = false }: { all?: boolean }) =>
      withServiceDatabase(async ({ database }) =>
        say(await describeQuarantine({ db: database.db }, { all })),
      ),
    );

  quarantine
    .command('dismiss')
    .description(
      'declare that a transaction pays no wallet; this ends its alarm and keeps its record with the reason',
    )
    .argument('<hash>', 'hash of the transaction')
    .requiredOption('--reason <reason>', 'why it pays no wallet')
    .action((hash: string, { reason }: { reason: string }) =>
      withServiceDatabase(async ({ database, log }) =>
        say(await dismiss({ db: database.db, clock: systemClock, log }, hash, reason)),
      ),
    );

  quarantine
    .command('retry')
    .description('read them again, for example after an upgrade, and credit the deposits in them')
    .action(() => withDeps(async (deps) => say(await retryQuarantine(deps, say))));
}

/**
 * Rewinds the deposit cursor and the withdrawal cursor to the newest ledger up to `to_ledger` that the network
 * confirms. Then lists deposits and withdrawals that were recorded since and are not on the network. With `check_only`
 * only lists.
 * @throws OperatorError when an ingester runs, or when the source cannot give the ledgers.
 */
export async function rewind(
  deps: Deps,
  { to_ledger, check_only }: { to_ledger: number | null; check_only: boolean },
  report: (text: string) => void,
): Promise<void> {
  if (check_only && to_ledger === null)
    throw new OperatorError('--check needs --to-ledger: it compares what was recorded after that ledger.');
  const position = check_only
    ? await provenPosition(deps, to_ledger)
    : await whileNobodyReads(deps, async (act) => {
        const proven = await provenPosition(deps, to_ledger);
        // The deposit cursor last: a run after a crash in between finds the same ledger again.
        report(await rewindWithdrawalCursor(deps, proven));
        report(await rewindDepositCursor({ ...deps, act }, proven));
        return proven;
      });
  report(await compareWithChain(deps, position, report));
}

const rpcUrl = () =>
  new Option('--rpc-url <url>', 'read from this Stellar RPC instead of the configured sources')
    .argParser(httpUrl)
    .conflicts('horizonUrl');
const horizonUrl = () =>
  new Option('--horizon-url <url>', 'read from this Horizon instead of the configured sources').argParser(
    httpUrl,
  );

/** Works with the source of --rpc-url or --horizon-url, or with the configured sources when neither is given. */
async function withSource(
  deps: Deps,
  { rpc_url, horizon_url }: { rpc_url: string | undefined; horizon_url: string | undefined },
  work: (stellar: Deps['stellar']) => Promise<void>,
): Promise<void> {
  if (!rpc_url && !horizon_url) return work(deps.stellar);
  const { config, clock, log, metrics } = deps;
  const stellar = createStellar({
    rpc_urls: rpc_url ? [rpc_url] : [],
    horizon_urls: horizon_url ? [horizon_url] : [],
    passphrase: config.passphrase,
    clock,
    log,
    metrics,
  });
  try {
    await work(stellar);
  } finally {
    await stellar.close();
  }
}

function httpUrl(text: string): string {
  if (isHttpUrl(text)) return text;
  throw new InvalidArgumentError('It must be an http(s) URL.');
}

function say(text: string): void {
  process.stdout.write(text);
}
