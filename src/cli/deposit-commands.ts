/** `teller backfill`, `teller rewind` and `teller quarantine`: what a person does when deposits could not be read (see the runbook). */
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
import { OperatorError } from '../errors.ts';
import { rewindWithdrawalCursor } from '../ledgers/rewind-withdrawal-cursor.ts';
import { systemClock } from '../lib/clock.ts';
import { createStellar } from '../stellar/create-stellar.ts';
import { whole, withDeps, withServiceDatabase } from './command-line.ts';

const LAST_LEDGER = 999_999_999;

type SourceOptions = { rpcUrl?: string; horizonUrl?: string };
type BackfillOptions = SourceOptions & { fromLedger: number; toLedger?: number };
type RewindOptions = SourceOptions & { toLedger?: number; check: boolean };

export function depositCommands(program: Command): void {
  program
    .command('backfill')
    .description(
      'read ledgers again and credit the deposits that are missing; may run beside the service, and again',
    )
    .requiredOption('--from-ledger <ledger>', 'the first one to read', whole(2, LAST_LEDGER))
    .option('--to-ledger <ledger>', 'the last one (else the newest)', whole(2, LAST_LEDGER))
    .addOption(rpcUrl())
    .addOption(horizonUrl())
    .action(({ fromLedger, toLedger, rpcUrl, horizonUrl }: BackfillOptions) =>
      withDeps((deps) =>
        withSource(deps, { rpc_url: rpcUrl, horizon_url: horizonUrl }, async (stellar) =>
          say(
            await backfill(
              { ...deps, stellar },
              { from_ledger: fromLedger, to_ledger: toLedger ?? null },
              say,
            ),
          ),
        ),
      ),
    );

  program
    .command('rewind')
    .description(
      'put the reading of ledgers back to one that the network has, after a source has led it astray, and list what was ' +
        'recorded since and is not on the network (see the runbook); no ingester may run',
    )
    .option('--to-ledger <ledger>', 'no further on than this one (else the newest)', whole(1, LAST_LEDGER))
    .option('--check', 'list only: nothing is put back, and the service may run', false)
    .addOption(rpcUrl())
    .addOption(horizonUrl())
    .action(({ toLedger, check, rpcUrl, horizonUrl }: RewindOptions) =>
      withDeps((deps) =>
        withSource(deps, { rpc_url: rpcUrl, horizon_url: horizonUrl }, (stellar) =>
          rewind({ ...deps, stellar }, { to_ledger: toLedger ?? null, check_only: check }, say),
        ),
      ),
    );

  const quarantine = program
    .command('quarantine')
    .description('transactions that mention a wallet and could not be read (see the runbook)');

  quarantine
    .command('list', { isDefault: true })
    .description('which they are, and why')
    .option('--all', 'those that were dismissed too', false)
    .action(({ all }: { all: boolean }) =>
      withServiceDatabase(async ({ database }) =>
        say(await describeQuarantine({ db: database.db }, { all })),
      ),
    );

  quarantine
    .command('dismiss')
    .description('it pays none of the wallets: no alarm for it any more; it is kept, with the reason')
    .argument('<hash>')
    .requiredOption('--reason <reason>', 'what was found out')
    .action((hash: string, { reason }: { reason: string }) =>
      withServiceDatabase(async ({ database, log }) =>
        say(await dismiss({ db: database.db, clock: systemClock, log }, hash, reason)),
      ),
    );

  quarantine
    .command('retry')
    .description('judge them again, as after an upgrade, and credit what they pay')
    .action(() => withDeps(async (deps) => say(await retryQuarantine(deps, say))));
}

/**
 * Puts both readings of ledgers, of deposits and of what withdrawals came to, back to the newest place up to `to_ledger` that the
 * chain has, and says what was recorded since and is not on it; only the latter if `check_only`.
 * @throws OperatorError when an ingester runs, or the source cannot give the ledgers
 */
export async function rewind(
  deps: Deps,
  { to_ledger, check_only }: { to_ledger: number | null; check_only: boolean },
  report: (text: string) => void,
): Promise<void> {
  if (check_only && to_ledger === null)
    throw new OperatorError('Name the ledger after which rows are compared: --to-ledger.');
  const position = check_only
    ? await provenPosition(deps, to_ledger)
    : await whileNobodyReads(deps, async () => {
        const proven = await provenPosition(deps, to_ledger);
        // The cursor of deposits last: until it is back, the next run finds the same place.
        report(await rewindWithdrawalCursor(deps, proven));
        report(await rewindDepositCursor(deps, proven));
        return proven;
      });
  report(await compareWithChain(deps, position, report));
}

const rpcUrl = () =>
  new Option('--rpc-url <url>', 'a Stellar RPC of this network, instead of the configured sources')
    .argParser(httpUrl)
    .conflicts('horizonUrl');
const horizonUrl = () => new Option('--horizon-url <url>', 'a Horizon likewise').argParser(httpUrl);

/** The chain over the one source that was named, else the configured one. */
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
