/** Joins the engine with the rooms that it asks and that it does not import (engine/hooks.ts). */

import { explainTrapped } from './assess/contract-failure.ts';
import { createChannelGrowth } from './channels/channel-growth.ts';
import { checkTreasuryBudgets } from './channels/treasury-budgets.ts';
import type { EngineHooks } from './engine/hooks.ts';
import { tellAwaiting, tellOutcomes } from './events/withdrawal-events.ts';
import { requireInFile } from './payouts/approved-rows.ts';
import { filesOfRows } from './payouts/payout-row-store.ts';
import { checkPolicies } from './policies/policy-check.ts';
import { checkRefunds } from './refunds/refund-check.ts';
import { auditClaims } from './reports/audit-claims.ts';
import { reportOutcomes } from './reports/report-outcomes.ts';
import { readLinesOf } from './trust-lines/told-assets.ts';

export const ENGINE_HOOKS: EngineHooks = {
  checks: { refunds: checkRefunds, policies: checkPolicies, treasuryBudgets: checkTreasuryBudgets },
  guards: {
    async payoutRows(db, passphrase, rows) {
      const files = await filesOfRows(db, rows);
      return (row) => requireInFile(passphrase, row, files.get(row.id));
    },
  },
  outcomes: {
    explain: explainTrapped,
    async events(deps, rows) {
      const read = await readLinesOf(deps, rows);
      return (trx, recorded, now) => tellOutcomes(trx, deps, recorded, { now, read });
    },
    report: reportOutcomes,
  },
  async appendClaims(trx, deps, claims) {
    await tellAwaiting(trx, claims.held, deps.clock.now());
    return auditClaims(trx, deps, claims);
  },
  createChannelGrowth,
};
