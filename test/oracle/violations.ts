/** Pure: everything that contradicts the promises of the service, in words. */
import { adjustmentViolations } from './adjustment-checks.ts';
import { readerViolations } from './agreement.ts';
import { approvalViolations } from './approval-checks.ts';
import { auditViolations } from './audit-checks.ts';
import { choiceViolations } from './choice-checks.ts';
import { contractViolations } from './contract-checks.ts';
import { depositViolations } from './deposit-checks.ts';
import type { Evidence } from './evidence.ts';
import { inboxViolations } from './inbox-checks.ts';
import { payoutViolations } from './payout-checks.ts';
import { payoutHistoryViolations } from './payout-history-checks.ts';
import { policyViolations } from './policy-checks.ts';
import { treasuryViolations } from './treasury-checks.ts';
import { unapprovedViolations } from './unapproved-checks.ts';
import { webhookViolations } from './webhook-checks.ts';
import { withdrawalViolations } from './withdrawal-checks.ts';

export function violations(evidence: Evidence): string[] {
  return [
    ...readerViolations(evidence),
    ...withdrawalViolations(evidence),
    ...depositViolations(evidence),
    ...adjustmentViolations(evidence),
    ...inboxViolations(evidence),
    ...policyViolations(evidence),
    ...approvalViolations(evidence),
    ...unapprovedViolations(evidence),
    ...payoutViolations(evidence),
    ...payoutHistoryViolations(evidence),
    ...contractViolations(evidence),
    ...auditViolations(evidence),
    ...treasuryViolations(evidence),
    ...webhookViolations(evidence.webhooks, evidence.restored),
    ...choiceViolations(evidence.choices),
    ...evidence.wrong_days,
  ];
}
