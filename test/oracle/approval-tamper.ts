/**
 * Falsifications of what is known of approvals, one at a time, each with the words in which it must be found out. They need a run
 * in which wallets ask for approvals.
 */
import { decidedIn } from './approval-checks.ts';
import type { ApprovalStep, Decided, MemberThen } from './approval-evidence.ts';
import { checklistOf } from './checklist.ts';
import { copyOf } from './copy.ts';
import { type DecisionCall, type Evidence, serialOf } from './evidence.ts';
import { need, type Tampering } from './withdrawal-tamper.ts';

type Kind = { name: string; violation: RegExp; tamper: (copy: Evidence) => unknown };
export type ApprovalTampering = Tampering & { violation: RegExp };

/** Falsifies each in a copy of its own, which is made when it is asked for. @throws TooShort */
export function* approvalTamperings(evidence: Evidence): Iterable<ApprovalTampering> {
  for (const { name, violation, tamper } of KINDS) {
    const copy = copyOf(evidence);
    tamper(copy);
    yield { name, violation, evidence: copy };
  }
}

/** Some of them are decided about before they expire. */
const ENOUGH_TO_EXPIRE = 3;

/** Whether everything that is to be falsified has happened, or will: what awaits approvals ends after a day. */
export function createApprovalChecklist(): (evidence: Evidence) => boolean {
  const hasAll = checklistOf(
    KINDS.filter(({ name }) => !/expired|its time/.test(name)),
    (evidence, { tamper }) => tamper(copyOf(evidence)),
  );
  return (evidence) => {
    const awaiting = evidence.rows.filter((row) => row.state === 'awaiting_approval' && !row.refund_of);
    return hasAll(evidence) && awaiting.length >= ENOUGH_TO_EXPIRE;
  };
}

const ANOTHER_HASH = '0'.repeat(64);

/** Falsifies what was known of a member who approved, when the last approval was given. */
function ofApprover(name: string, change: (member: MemberThen, step: ApprovalStep) => unknown): Kind {
  return {
    name: `an approver ${name}`,
    violation: /who may not decide about it/,
    tamper: (copy) => {
      const step = sent(copy);
      const { user_id } = lastOf(step);
      change(need(step.members.find((member) => member.user_id === user_id)), step);
    },
  };
}

function ofApproval(
  name: string,
  violation: RegExp,
  change: (made: Decided, step: ApprovalStep) => unknown,
): Kind {
  const tamper = (copy: Evidence) => {
    const step = sent(copy);
    change(lastOf(step), step);
  };
  return { name: `an approval ${name}`, violation, tamper };
}

function ofPayment(name: string, change: (made: Evidence['transactions'][number]) => unknown): Kind {
  const tamper = (copy: Evidence) => change(paid(copy).transaction);
  return { name: `a payment ${name} than was approved`, violation: /PAYS the order/, tamper };
}

const KINDS: Kind[] = [
  {
    name: 'an approval too few',
    violation: /was sent with \d approvals, and needs/,
    tamper: (copy) => {
      const { id } = sent(copy);
      need(policyOf(copy, id).rule).required = 9;
    },
  },
  {
    name: 'an approval too few by the rule that was in force at last',
    violation: /was sent with \d approvals, and needs/,
    tamper: (copy) => {
      sent(copy).policy = {
        rule: { required: 9, above: [], for: ['withdrawals'] },
        frozen: false,
        changes: [],
      };
    },
  },
  {
    name: 'an approver who has asked for it',
    violation: /who has asked for it/,
    tamper: (copy) => {
      const step = sent(copy);
      for (const call of copy.calls)
        if (call.answer?.status === 202 && call.answer.data?.id === step.id)
          call.asked_by = lastOf(step).user_id;
    },
  },
  ofApprover('who is the requester of the row', ({ user_id }, step) => (step.requested_by = user_id)),
  ofApprover('who has left', ({ user_id }, step) => {
    step.members = step.members.filter((member) => member.user_id !== user_id);
  }),
  ofApprover('who was disabled', (member) => (member.disabled = true)),
  ofApprover('who is an operator', (member) => (member.role = 'operator')),
  ofApprover('of other wallets', (member) => (member.wallet_ids = ['wal_other'])),
  ofApprover('with rights from after the request', (member, { created_ms }) => {
    member.since_ms = created_ms + 1;
  }),
  ofApprover('who knows the credential of the program that asked', (member, { requested_by }) => {
    member.knows = [need(requested_by)];
  }),
  ofApproval('of another hash', /by another hash/, (made) => (made.order_hash = ANOTHER_HASH)),
  ofApproval('from after the end', /approved it after its end/, (made, { expires_ms }) => {
    made.at = new Date(need(expires_ms)).toISOString();
  }),
  ofApproval(
    'of what did not await it',
    /when it did not await approvals/,
    (_, step) => (step.was = 'queued'),
  ),
  ofApproval('with a rejection beside it', /was sent, and rejected/, (made) => (made.decision = 'rejected')),
  ofApproval(
    'in spite of a freeze',
    /while its wallet was frozen/,
    (_, { policy }) => (policy.frozen = true),
  ),
  ofApproval('that nobody gave', /and did not say so/, (made) => (made.user_id = 'usr_nobody')),
  {
    name: 'a member who decided twice',
    violation: /a second time/,
    tamper: ({ approvals: { steps } }) => {
      const step = need(steps.find((one) => one.had.length > 0 && decidedIn(one).length > 0));
      lastOf(step).user_id = need(step.had[0]).user_id;
    },
  },
  {
    name: 'a decision that was lost',
    violation: /has lost a decision/,
    tamper: ({ approvals: { steps } }) => {
      const step = need(steps.find(({ had }) => had.length > 0));
      step.approvals = step.approvals.slice(step.had.length);
    },
  },
  {
    name: 'a payment that was never sent by a last approval',
    violation: /was SIGNED without/,
    tamper: (copy) => {
      const { id } = paid(copy).step;
      forget(copy, (step) => step.id === id && step.was === 'awaiting_approval');
    },
  },
  {
    name: 'a payment that should have awaited approvals',
    violation: /was SIGNED without/,
    tamper: (copy) => {
      const { id } = paid(copy).step;
      policyOf(copy, id);
      forget(copy, (step) => step.id === id && step.was !== null && step.status !== 'signed');
    },
  },
  {
    name: 'a payment that no withdrawal signed',
    violation: /no withdrawal signed it/,
    tamper: (copy) => {
      const { id } = paid(copy).step;
      forget(copy, (step) => step.id === id && step.status === 'signed');
    },
  },
  ofPayment('of another amount', ({ payments }) => (need(payments[0]).amount_stroops += 1n)),
  ofPayment('to another destination', ({ payments }) => (need(payments[0]).destination_address = 'GAAA')),
  ofPayment('of another asset', ({ payments }) => (need(payments[0]).asset = 'EURX:GAAA')),
  ofPayment('with another memo', (made) => (made.memo_id = 77n)),
  {
    name: 'a rejected one that is signed',
    violation: /was SIGNED after it was ended/,
    tamper: (copy) => {
      const step = ended(copy, 'rejected');
      copy.approvals.steps.push({ ...step, was: 'queued', status: 'signed', inner_tx_hash: 'f'.repeat(64) });
    },
  },
  {
    name: 'a rejected one that is paid',
    violation: /the ledger \{"status":"confirmed"/,
    tamper: (copy) => payAnyway(copy, 'rejected'),
  },
  {
    name: 'an expired one that is paid',
    violation: /the ledger \{"status":"confirmed"/,
    tamper: (copy) => payAnyway(copy, 'approval_expired'),
  },
  {
    name: 'a rejected one with a transaction',
    violation: /ended as rejected, and has a transaction/,
    tamper: (copy) => (rowOf(copy, ended(copy, 'rejected')).stellar_tx_hash = 'f'.repeat(64)),
  },
  {
    name: 'an expired one with a transaction',
    violation: /ended as approval_expired, and has a transaction/,
    tamper: (copy) => (rowOf(copy, ended(copy, 'approval_expired')).inner_tx_hash = 'f'.repeat(64)),
  },
  {
    name: 'one that was ended before its time',
    violation: /was ended before its time/,
    tamper: (copy) => {
      const step = ended(copy, 'approval_expired');
      step.settled_ms = need(step.expires_ms) - 1;
    },
  },
  {
    name: 'an expired one that nobody ended',
    violation: /awaits approvals after its end/,
    tamper: (copy) => {
      const row = rowOf(copy, ended(copy, 'approval_expired'));
      const state = 'awaiting_approval';
      Object.assign(row, { state, status: state, failure_code: null, approval_ends_ms: 0 });
    },
  },
  {
    name: 'a rejection by nobody',
    violation: /ended as rejected by 0 members/,
    tamper: (copy) => (ended(copy, 'rejected').approvals = []),
  },
  {
    name: 'a request with the hash of another order',
    violation: /has the hash/,
    tamper: (copy) => (held(copy).amount_stroops += 1n),
  },
  {
    name: 'a request that lasts longer than a day',
    violation: /does not end after a day/,
    tamper: (copy) => {
      const step = held(copy);
      step.expires_ms = need(step.expires_ms) + 1;
    },
  },
  {
    name: 'a request that needs fewer approvals than its rule says',
    violation: /needs 0 approvals, not/,
    tamper: (copy) => {
      const step = held(copy);
      policyOf(copy, step.id);
      step.approvals_required = 0;
    },
  },
  {
    name: 'a payment without approvals that its rule does not allow',
    violation: /was paid WITHOUT APPROVALS in a day/,
    tamper: (copy) => {
      const { id } = paid(copy).step;
      policyOf(copy, id);
      forget(copy, (step) => step.id === id && step.status === 'awaiting_approval');
    },
  },
  {
    name: 'a request that names another requester',
    violation: /was asked for by/,
    tamper: (copy) => {
      const { id } = held(copy);
      need(copy.calls.find(({ answer }) => answer?.status === 202 && answer.data?.id === id)).asked_by =
        'usr_x';
    },
  },
  {
    name: 'a request that was said to await approvals',
    violation: /was said to await approvals, and did not/,
    tamper: (copy) => {
      const { answer } = need(copy.calls.find((call) => call.answer?.status === 201));
      need(answer).status = 202;
    },
  },
  {
    name: 'a row with an approval that was never noted',
    violation: /noted was/,
    tamper: (copy) => {
      const step = sent(copy);
      rowOf(copy, step).decided.push({ ...lastOf(step), user_id: 'usr_nobody' });
    },
  },
  {
    name: 'an answer to an approval that was not recorded',
    violation: /and it was not recorded/,
    tamper: (copy) => (told(copy, 'approved').user_id = 'usr_nobody'),
  },
  {
    name: 'an approval told with another status',
    violation: /told as failed/,
    tamper: (copy) => (need(told(copy, 'approved').answer?.data).status = 'failed'),
  },
  {
    name: 'an approval that was taken after the end',
    violation: /200 decided, after its end/,
    tamper: (copy) => {
      const call = told(copy, 'approved');
      const step = need(copy.approvals.steps.find(({ id }) => id === call.withdrawal_id));
      call.asked_ms = step.created_ms + 2 * 86_400_000;
    },
  },
  {
    name: 'a sent one that stays undecided',
    violation: /200 decided, and it is queued/,
    tamper: (copy) => (rowOf(copy, { id: toldSent(copy).withdrawal_id }).state = 'queued'),
  },
  {
    name: 'a sent one that was rejected',
    violation: /200 decided, and it is failed rejected/,
    tamper: (copy) => {
      const row = rowOf(copy, { id: toldSent(copy).withdrawal_id });
      Object.assign(row, { state: 'failed', failure_code: 'rejected' });
    },
  },
  {
    name: 'a rejection that ended nothing',
    violation: /and that did not end it/,
    tamper: (copy) => {
      const { withdrawal_id } = told(copy, 'rejected');
      for (const step of copy.approvals.steps)
        if (step.id === withdrawal_id && step.status === 'failed') step.status = 'awaiting_approval';
      for (const step of copy.approvals.steps) if (step.id === withdrawal_id) step.failure_code = null;
    },
  },
  {
    name: 'a rejected one that is called paid',
    violation: /200 decided, and it is confirmed/,
    tamper: (copy) => {
      const row = rowOf(copy, { id: told(copy, 'rejected').withdrawal_id });
      Object.assign(row, { state: 'confirmed', failure_code: null });
    },
  },
  {
    name: 'an internal error for a member',
    violation: /no answer for a member/,
    tamper: (copy) => (need(told(copy, 'approved').answer).status = 500),
  },
  {
    name: 'a change of a policy with an approval too few',
    violation: /the change \S+ of a policy was approved by/,
    tamper: (copy) => (need(copy.approvals.changes[0]).approvals_required += 1),
  },
];

function forget({ approvals }: Evidence, isForgotten: (step: ApprovalStep) => boolean): void {
  approvals.steps = approvals.steps.filter((step) => !isForgotten(step));
}

/** By a request of a customer, whose last approval it was. */
function sent({ approvals: { steps }, calls }: Evidence): ApprovalStep {
  const known = new Set(calls.flatMap(({ answer }) => (answer?.status === 202 ? [answer.data?.id] : [])));
  return need(
    steps.find(({ id, was, status }) => was === 'awaiting_approval' && status === 'queued' && known.has(id)),
  );
}

/** The policy when the withdrawal was requested, without looser rules that might have been in force by then. */
function policyOf({ approvals: { steps } }: Evidence, id: string) {
  const { policy } = need(steps.find((step) => step.id === id && step.was === null));
  policy.changes = [];
  return policy;
}

function lastOf({ approvals }: ApprovalStep): Decided {
  return need(approvals.at(-1));
}

function held({ approvals: { steps }, calls }: Evidence): ApprovalStep {
  const known = new Set(calls.flatMap(({ answer }) => (answer?.status === 202 ? [answer.data?.id] : [])));
  return need(
    steps.find(({ id, was, status }) => was === 'queued' && status === 'awaiting_approval' && known.has(id)),
  );
}

/**
 * Finds a payment that members approved, with the step that signed it. Not a refund, which has the hash of its deposit in the place
 * of the memo.
 */
function paid({ approvals: { steps }, transactions }: Evidence) {
  const found = steps.flatMap((step) => {
    if (step.status !== 'signed' || step.approvals.length === 0 || step.memo_return !== null) return [];
    const transaction = transactions.find((one) => one.inner_hash === step.inner_tx_hash);
    return transaction?.successful ? [{ step, transaction }] : [];
  });
  return need(found[0]);
}

/** Of a customer's order. */
function ended(
  { approvals: { steps }, calls }: Evidence,
  code: 'rejected' | 'approval_expired',
): ApprovalStep {
  const serials = new Set(calls.map(({ order }) => order.serial));
  return need(
    steps.find(
      ({ was, failure_code, memo_return, amount_stroops }) =>
        was === 'awaiting_approval' &&
        failure_code === code &&
        memo_return === null &&
        serials.has(serialOf(amount_stroops)),
    ),
  );
}

function payAnyway(copy: Evidence, code: 'rejected' | 'approval_expired'): void {
  const row = rowOf(copy, ended(copy, code));
  const { account } = need(copy.wallets.find(({ id }) => id === row.wallet_id));
  const { transaction } = paid(copy);
  const payment = { ...need(transaction.payments[0]), source: account, amount_stroops: row.amount_stroops };
  copy.transactions.push({
    ...transaction,
    hash: 'f'.repeat(64),
    inner_hash: 'f'.repeat(64),
    payments: [payment],
  });
}

function rowOf({ rows }: Evidence, { id: wanted }: { id: string }) {
  return need(rows.find(({ id }) => id === wanted));
}

/** What a member was told to be done. */
function told({ decisions }: Evidence, decision: DecisionCall['decision']): DecisionCall {
  return need(decisions.find((call) => call.decision === decision && call.answer?.status === 200));
}

function toldSent({ decisions }: Evidence): DecisionCall {
  return need(decisions.find(({ answer }) => answer?.status === 200 && answer.data?.status === 'pending'));
}
