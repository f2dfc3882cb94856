/** Services that pay files otherwise than they were told: the oracle must notice each. */
import { NATIVE } from '../../src/stellar/asset.ts';
import type { Approvals } from '../../src/withdrawals/policies/approval-rules.ts';
import { testBreaches } from './breaches.ts';
import { addingNothing, cancellingNothing, neverPausing } from './broken-services.ts';

/** Few rows are above it, and most files are: with a lower one hardly any file tells the sum from the largest row. */
const ABOVE_A_ROW: Approvals = {
  required: 1,
  above: [{ ...NATIVE, amount_stroops: 500_000_000n }],
  for: ['withdrawals'],
  without_factor: true,
};

testBreaches([
  {
    what: 'a service whose rows begin while their payout is paused',
    seed: 'neverPausing',
    first: 3,
    rewrite: neverPausing,
    violation: /BEGAN while the payout was paused/,
    options: { approvals: false, payouts: true },
  },
  {
    what: 'a service that asks for approvals of a file by its largest row',
    seed: 'addingNothing',
    first: 1,
    rewrite: addingNothing,
    violation: /was started with 0 approvals, and needs|approvals, not/,
    // A rule counts all of a day: without customers it is a file, and no withdrawal, that first goes above it.
    options: { approvals: true, payouts: true, customers: 0, rules: [ABOVE_A_ROW] },
  },
  {
    what: 'a service that cancels a payout and none of its rows',
    seed: 'cancellingNothing',
    first: 2,
    rewrite: cancellingNothing,
    violation: /\(cancelled\) has ended, and \d+ rows have not/,
    options: { approvals: false, payouts: true },
  },
]);
