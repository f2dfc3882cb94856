/**
 * Services that break a rule: the oracle must notice each. Two of them in `npm test`: an outcome that is not the ledger's, and a payment
 * that nobody approved. All in its long form.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deps } from '../../src/deps.ts';
import { NATIVE } from '../../src/stellar/asset.ts';
import type { Approvals } from '../../src/withdrawals/policies/approval-rules.ts';
import { inThisForm } from '../support/form.ts';
import {
  addingNothing,
  askingNobody,
  believingTransfers,
  bookingToWallets,
  cancellingNothing,
  chargingWallets,
  countingLatecomers,
  expiringEarly,
  ignoringRejections,
  jumping,
  leaseless,
  neverPausing,
  type Rewrite,
  rebuilding,
  recordingFirst,
  saying,
  sendingEarly,
  signingAsBefore,
  trustingKnowers,
  waitingForEver,
} from './broken-services.ts';
import { type Options, simulate } from './simulation.ts';

type Breach = {
  what: string;
  /** Seeds are named after it, from `first` on: the one that shows the breach today. When the service changes, another may. */
  seed: string;
  first: number;
  alterDeps?: (deps: Deps) => Deps;
  /** In place of `alterDeps`. A service that says every statement as it is breaks no rule: that fails at once. */
  rewrite?: Rewrite;
  violation: RegExp;
  options?: Options;
  long_only?: boolean;
};

/** Few rows are above it, and most files are: with a lower one hardly any file tells the sum from the largest row. */
const ABOVE_A_ROW: Approvals = {
  required: 1,
  above: [{ ...NATIVE, amount_stroops: 500_000_000n }],
  for: ['withdrawals'],
};

const BREACHES: Breach[] = [
  {
    what: 'a service that builds anew what a node refused',
    ...{ seed: 'rebuilding', first: 16, alterDeps: rebuilding, violation: /PAID/, long_only: true },
  },
  {
    what: 'a service that takes a ledger that closed at a time for proof that the time is over',
    ...{ seed: 'expiringEarly', first: 2, alterDeps: expiringEarly },
    violation: /says \{"status":"failed".* the ledger \{"status":"confirmed"/,
    options: { disaster: 'closed_at_max_time' },
  },
  {
    what: 'an ingester that jumps over a gap',
    ...{ seed: 'jump', first: 11, alterDeps: jumping, violation: /LOST/, long_only: true },
  },
  {
    what: 'a deliverer that takes what it has claimed for delivered',
    ...{ seed: 'recordingFirst', first: 1, rewrite: recordingFirst, long_only: true },
    violation: /LOST: it was never acknowledged/,
  },
  {
    what: 'a deliverer that claims what another has claimed, though nothing else goes wrong',
    ...{ seed: 'leaseless', first: 1, rewrite: leaseless, long_only: true },
    violation: /though nothing failed/,
    options: { fair: true },
  },
  {
    what: 'a deliverer that does not notice a rotation',
    ...{ seed: 'signingAsBefore', first: 0, alterDeps: signingAsBefore, long_only: true },
    violation: /replaced long ago|wrong webhook-signature/,
  },
  {
    what: 'a service that takes every transfer to a contract in a ledger for paid',
    ...{ seed: 'believing', first: 7, rewrite: believingTransfers, long_only: true },
    violation: /moved \[\], not/,
    options: { env: { FEE_MAX_STROOPS: '1000000' } },
  },
  {
    what: 'a service that books to a wallet the fees of the treasury',
    ...{ seed: 'booking', first: 0, rewrite: bookingToWallets, long_only: true },
    violation: /the books of wallet/,
    options: { env: { TREASURY_PAYS: 'fees' } },
  },
  {
    what: 'a service whose wallets pay what the treasury is to pay',
    ...{ seed: 'charging', first: 0, alterDeps: chargingWallets, long_only: true },
    violation: /a wallet paid a fee, and the treasury pays all/,
    options: { env: { TREASURY_PAYS: 'fees,reserves' } },
  },
  {
    what: 'a service that asks nobody for approvals',
    ...{ seed: 'askingNobody', first: 0, rewrite: askingNobody },
    violation: /was SIGNED without/,
    options: { approvals: true, storm_ms: 10_000 },
  },
  {
    what: 'a service that lets the requester approve',
    ...{ seed: 'selfApproval', first: 0, alterDeps: (deps) => deps, long_only: true },
    violation: /who has asked for it/,
    options: { approvals: true, seenAs: (actor) => ({ ...actor, id: 'usr_somebody' }) },
  },
  {
    what: 'a service that counts approvals of members who got the right after the request',
    ...{ seed: 'latecomers', first: 0, rewrite: countingLatecomers, long_only: true },
    violation: /who may not decide about it/,
    options: { approvals: true },
  },
  {
    what: 'a service that sends with one approval what needs more',
    ...{ seed: 'early', first: 0, rewrite: sendingEarly, long_only: true },
    violation: /was sent with 1 approvals, and needs/,
    options: { approvals: true },
  },
  {
    what: 'a service that goes on to wait after a rejection',
    ...{ seed: 'ignoring', first: 19, rewrite: ignoringRejections, long_only: true },
    violation: /rejected it: 200 decided, and it was not recorded/,
    options: { approvals: true },
  },
  {
    what: 'a service that lets the people behind a program approve what it asks for',
    ...{ seed: 'trusting', first: 8, rewrite: trustingKnowers, long_only: true },
    violation: /approved it, who may not decide about it/,
    options: { approvals: true },
  },
  {
    what: 'a service that never ends what was not approved in time',
    ...{ seed: 'forEver', first: 1, rewrite: waitingForEver, long_only: true },
    violation: /awaits approvals after its end/,
    options: { approvals: true },
  },
  {
    what: 'a service whose rows begin while their payout is paused',
    ...{ seed: 'neverPausing', first: 1, rewrite: neverPausing, long_only: true },
    violation: /BEGAN while the payout was paused/,
    options: { approvals: false, payouts: true },
  },
  {
    what: 'a service that asks for approvals of a file by its largest row',
    ...{ seed: 'addingNothing', first: 0, rewrite: addingNothing, long_only: true },
    violation: /was started with 0 approvals, and needs|approvals, not/,
    options: { approvals: true, payouts: true, rules: [ABOVE_A_ROW] },
  },
  {
    what: 'a service that cancels a payout and none of its rows',
    ...{ seed: 'cancellingNothing', first: 0, rewrite: cancellingNothing, long_only: true },
    violation: /\(cancelled\) has ended, and \d+ rows have not/,
    options: { approvals: false, payouts: true },
  },
];
const MOST_SEEDS = 12;

for (const breach of inThisForm(BREACHES)) {
  test(`${breach.what} is noticed`, () => assertNoticed(breach));
}

async function assertNoticed(breach: Breach): Promise<void> {
  const { seed, first, violation, options } = breach;
  let rewritten = 0;
  const rewrite: Rewrite = (text) => {
    const said = breach.rewrite?.(text) ?? text;
    if (said !== text) rewritten += 1;
    return said;
  };
  const alterDeps = breach.alterDeps ?? ((deps: Deps) => saying(deps, rewrite));
  for (let index = first; index < first + MOST_SEEDS; index++) {
    // Without refunds transaction sources are free: what is built anew is sent before anybody has seen the first one applied.
    const setting = { storm_ms: 60_000, alterDeps, inbox_users: 0, payouts: false, ...options };
    const { violations } = await simulate(`${seed}-${index}`, setting);
    if (violations.some((text) => violation.test(text))) return;
    assert(breach.alterDeps || rewritten > 0, 'it rewrites no statement: the service says others now');
  }
  assert.fail('nothing was noticed');
}
