/**
 * `teller reconcile`: whether the books agree with the ledger. It ends as `diff` does, so that a script which watches it
 * takes neither a service that is down for a theft, nor a theft for a service that is down.
 *
 * | exit code | what is true                                                                          |
 * |-----------|---------------------------------------------------------------------------------------|
 * | 0         | every wallet was compared and agrees                                                  |
 * | 1         | a wallet differs, whether or not all could be compared                                |
 * | 2         | a wallet could not be compared, or the command itself could not be run or understood  |
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { acceptDifference, reportReconciliation } from '../deposits/reconcile/report.ts';
import { OperatorError } from '../errors.ts';
import { withDeps } from './command-line.ts';

const AGREES = 0;
const DIFFERS = 1;
const PROBLEM = 2;

type ReconcileOptions = { all: boolean; accept?: string; differenceStroops?: bigint; asset: string };

export function reconcileCommand(program: Command): void {
  program
    .command('reconcile')
    .description(
      'compare deposits, withdrawals and fees of all wallets with their balances on the ledger; ends with code 0 when ' +
        'all agree, 1 when one differs, 2 when one could not be compared or the command failed',
    )
    .argument('[wallet_id]', 'this wallet only')
    .option('--all', 'show the wallets that agree too', false)
    .addOption(
      new Option(
        '--accept <reason>',
        'a difference of the wallet belongs to its opening balance from now on: its cause is known',
      ).conflicts('all'),
    )
    .option('--difference-stroops <stroops>', 'the difference to accept, as it was shown', stroops)
    .option('--asset <code:issuer>', 'the asset in which it is', 'native')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : PROBLEM))
    .action(async (wallet_id: string | undefined, options: ReconcileOptions) => {
      process.exitCode = PROBLEM; // for whatever is thrown from here on
      process.exitCode = await reconcile(wallet_id, options);
    });
}

async function reconcile(wallet_id: string | undefined, options: ReconcileOptions): Promise<number> {
  const { all, accept, differenceStroops, asset } = options;
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
    if (uncompared > 0) code = PROBLEM;
    if (different > 0) code = DIFFERS;
  });
  return code;
}

function stroops(text: string): bigint {
  if (/^-?[0-9]{1,30}$/.test(text)) return BigInt(text);
  throw new InvalidArgumentError('It must be a whole number of stroops.');
}
