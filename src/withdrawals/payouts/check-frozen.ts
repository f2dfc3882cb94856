/** What the network has frozen (CAP-77) of the sides of a payout. Pure, in parts: a file has 10,000 rows. */
import { eachInParts, type InParts } from '../../lib/in-parts.ts';
import { accountKey } from '../../stellar/accounts/account-state.ts';
import { assetText } from '../../stellar/asset.ts';
import { FROZEN, failureMessage } from '../../stellar/transactions/result-codes.ts';
import { keysOfHolder } from '../assess/frozen-entries.ts';
import { at, ofFile } from './check-file.ts';
import type { Total } from './payout-report.ts';
import type { Problem } from './problems.ts';
import type { ReadRow } from './read-rows.ts';

type Sides = { account: string; totals: Total[]; rows: ReadRow[] };

/**
 * Finds the payments that frozen entries would fail. What is frozen of the wallet is said once, not once a row. `account`: of
 * the wallet.
 */
export function* frozenSides(
  frozen: ReadonlySet<string>,
  { account, totals, rows }: Sides,
): InParts<Problem[]> {
  const isFrozen = (key: string) => frozen.has(key);
  const message = failureMessage(FROZEN);
  const pays = isFrozen(accountKey(account))
    ? [ofFile(FROZEN, `the wallet can pay no row: ${message}`)]
    : totals
        .filter((total) => keysOfHolder(account, total).some(isFrozen))
        .map((total) => ofFile(FROZEN, `the wallet can pay no ${assetText(total)}: ${message}`));
  const paid: Problem[] = [];
  yield* eachInParts(rows, (row) => {
    if (keysOfHolder(row.address.account, row).some(isFrozen))
      paid.push(at(row, 'destination', FROZEN, message));
  });
  return [...pays, ...paid];
}
