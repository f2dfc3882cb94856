/** `teller backfill` and `teller quarantine`: what a person does when deposits could not be read (see the runbook). */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { createChain } from './chain/create-chain.ts';
import { whole, withDeps, withServiceDatabase } from './command-line.ts';
import { isHttpUrl } from './config.ts';
import { backfill } from './deposits/backfill.ts';
import { describeQuarantine, retryQuarantine } from './deposits/quarantine.ts';
import type { Deps } from './deps.ts';

const LAST_LEDGER = 999_999_999;

type BackfillOptions = { fromLedger: number; toLedger?: number; rpcUrl?: string; horizonUrl?: string };

export function depositCommands(program: Command): void {
  program
    .command('backfill')
    .description(
      'read ledgers again and credit the deposits that are missing; may run beside the service, and again',
    )
    .requiredOption('--from-ledger <ledger>', 'the first one to read', whole(2, LAST_LEDGER))
    .option('--to-ledger <ledger>', 'the last one (else the newest)', whole(2, LAST_LEDGER))
    .addOption(
      new Option('--rpc-url <url>', 'a Stellar RPC of this network, instead of the configured sources')
        .argParser(httpUrl)
        .conflicts('horizonUrl'),
    )
    .addOption(new Option('--horizon-url <url>', 'a Horizon likewise').argParser(httpUrl))
    .action(({ fromLedger, toLedger, rpcUrl, horizonUrl }: BackfillOptions) =>
      withDeps((deps) =>
        withSource(deps, { rpc_url: rpcUrl, horizon_url: horizonUrl }, async (chain) =>
          say(
            await backfill({ ...deps, chain }, { from_ledger: fromLedger, to_ledger: toLedger ?? null }, say),
          ),
        ),
      ),
    );

  const quarantine = program
    .command('quarantine')
    .description('transactions that mention a wallet and could not be read (see the runbook)');

  quarantine
    .command('list', { isDefault: true })
    .description('which they are, and why')
    .action(() =>
      withServiceDatabase(async ({ database }) => say(await describeQuarantine({ db: database.db }))),
    );

  quarantine
    .command('retry')
    .description('judge them again, as after an upgrade, and credit what they pay')
    .action(() => withDeps(async (deps) => say(await retryQuarantine(deps, say))));
}

/** The chain over the one source that was named, else the configured one. */
async function withSource(
  deps: Deps,
  { rpc_url, horizon_url }: { rpc_url: string | undefined; horizon_url: string | undefined },
  work: (chain: Deps['chain']) => Promise<void>,
): Promise<void> {
  if (!rpc_url && !horizon_url) return work(deps.chain);
  const { config, clock, log, metrics } = deps;
  const chain = createChain({
    rpc_urls: rpc_url ? [rpc_url] : [],
    horizon_urls: horizon_url ? [horizon_url] : [],
    passphrase: config.passphrase,
    clock,
    log,
    metrics,
  });
  try {
    await work(chain);
  } finally {
    await chain.close();
  }
}

function httpUrl(text: string): string {
  if (isHttpUrl(text)) return text;
  throw new InvalidArgumentError('It must be an http(s) URL.');
}

function say(text: string): void {
  process.stdout.write(text);
}
