/**
 * `teller reconcile`: compares the books with the ledger. The exit codes are those of `diff`, so that a script can tell a
 * difference from a service that is down.
 *
 * | exit code | meaning                                                                               |
 * |-----------|---------------------------------------------------------------------------------------|
 * | 0         | every wallet was compared and agrees                                                  |
 * | 1         | a wallet differs; others may not have been compared                                   |
 * | 2         | a wallet could not be compared, or the command failed or was not understood           |
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { acceptDifference, reportReconciliation } from '../deposits/reconcile/reconcile-report.ts';
import { OperatorError } from '../lib/errors.ts';
import { withDeps } from './command-line.ts';

const AGREES = 0;
const DIFFERS = 1;
const INCOMPLETE = 2;

type ReconcileOptions = { all?: boolean; accept?: string; differenceStroops?: bigint; asset: string };

export function reconcileCommand(program: Command): void {
  program
    .command('reconcile')
    .description(
      'compare deposits, withdrawals and fees of every wallet with its balances on the ledger; exit code 0: all agree, ' +
        '1: a wallet differs, 2: a wallet could not be compared or the command failed',
    )
    .argument('[wallet_id]', 'compare this wallet only')
    .option('--all', 'show the wallets that agree too')
    .addOption(
      new Option(
        '--accept <reason>',
        'add the difference of this wallet to its opening balance, because its cause is known',
      ).conflicts('all'),
    )
    .option(
      '--difference-stroops <stroops>',
      'the difference to accept, as the comparison showed it',
      stroops,
    )
    .option('--asset <code:issuer>', 'asset of the difference', 'native')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : INCOMPLETE))
    .action(async (wallet_id: string | undefined, options: ReconcileOptions) => {
      process.exitCode = INCOMPLETE; // main.ts keeps it for every error from here on
      process.exitCode = await reconcile(wallet_id, options);
    });
}

async function reconcile(wallet_id: string | undefined, options: ReconcileOptions): Promise<number> {
  const { all = false, accept, differenceStroops, asset } = options;
  let code = AGREES;
  await withDeps(async (deps) => {
    if (accept !== undefined) {
      if (wallet_id === undefined) throw new OperatorError('Name the wallet whose difference you accept.');
      const order = { wallet_id, asset, reason: accept, difference_stroops: differenceStroops ?? null };
      process.stdout.write(await acceptDifference(deps, order));
      return;
    }
    const { text, different, uncompared } = await reportReconciliation(deps, { wallet_id, all });
    process.stdout.write(text);
    if (uncompared > 0) code = INCOMPLETE;
    if (different > 0) code = DIFFERS;
  });
  return code;
}

function stroops(text: string): bigint {
  if (/^-?[0-9]{1,30}$/.test(text)) return BigInt(text);
  throw new InvalidArgumentError('It must be a whole number of stroops.');
}
