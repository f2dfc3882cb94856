/**
 * The oracle overlooks nothing: runs without faults, whose evidence is falsified in every known way, of which each must be a
 * violation. Only a change of the oracle or of the simulation can break it, so `npm test` leaves it to the long form.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approvalTamperings, createApprovalChecklist } from '../oracle/approval-tamper.ts';
import { payoutTamperings } from '../oracle/payout-tamper.ts';
import { allTamperings, createChecklist } from '../oracle/tamper.ts';
import { violations } from '../oracle/violations.ts';
import { tell } from './exhaustive.ts';
import { storyOfPayouts } from './scenario-of-payouts.ts';
import { simulate } from './simulation.ts';

/** `storm_ms`: of simulated time. */
const FAIR = { storm_ms: 20_000, fair: true, payouts: false };
/** With these settings the run has something of each kind that can be falsified. */
const BUSY = {
  inbox_users: 8,
  env: { TREASURY_PAYS: 'fees,reserves', CHANNEL_FEES: 'channel', FEE_MAX_STROOPS: '1000000' },
};

test('no falsification of the evidence is overlooked', async () => {
  const { evidence, violations: found } = await simulate('fair-12', {
    ...FAIR,
    ...BUSY,
    approvals: false,
    until: createChecklist(),
  });
  assert.deepEqual(found, []);
  for (const { name, evidence: falsified } of allTamperings(evidence))
    assert.notDeepEqual(violations(falsified), [], name);
});

test('no falsification of what is known of approvals is overlooked', async () => {
  const { evidence, violations: found } = await simulate('approvals-1', {
    ...FAIR,
    approvals: true,
    until: createApprovalChecklist(),
  });
  assert.deepEqual(found, []);
  for (const { name, violation, evidence: falsified } of approvalTamperings(evidence))
    assert.match(violations(falsified).join('\n'), violation, name);
});

test('no falsification of what is known of payouts is overlooked', async () => {
  const { evidence, violations: found } = await tell(storyOfPayouts, null);
  assert.deepEqual(found, []);
  for (const { name, violation, evidence: falsified } of payoutTamperings(evidence))
    assert.match(violations(falsified).join('\n'), violation, name);
});
