/** `teller reconcile`: whether the books agree with the ledger. */
import type { Command } from 'commander';
import { withDeps } from './command-line.ts';
import { acceptReconciliation, reportReconciliation } from './deposits/reconciliation.ts';
import { OperatorError } from './errors.ts';

const DIFFERENT = 1;
const NOT_COMPARED = 2;

export function reconcileCommand(program: Command): void {
  program
    .command('reconcile')
    .description(
      'compare deposits, withdrawals and fees of all wallets with their balances on the ledger; ends with code 1 when ' +
        'one differs, with 2 when one could not be compared',
    )
    .argument('[wallet_id]', 'this wallet only')
    .option('--all', 'show the wallets that agree too', false)
    .option(
      '--accept <reason>',
      'its differences belong to its opening balance from now on: their cause is known',
    )
    .action(async (wallet_id: string | undefined, { all, accept }: { all: boolean; accept?: string }) =>
      withDeps(async (deps) => {
        if (accept !== undefined) {
          if (wallet_id === undefined)
            throw new OperatorError('Name the wallet whose differences you accept.');
          process.stdout.write(await acceptReconciliation(deps, wallet_id, accept));
          return;
        }
        const { text, different, uncompared } = await reportReconciliation(deps, { wallet_id, all });
        process.stdout.write(text);
        if (uncompared > 0) process.exitCode = NOT_COMPARED;
        if (different > 0) process.exitCode = DIFFERENT;
      }),
    );
}
