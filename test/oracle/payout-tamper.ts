/** Falsifications of what is known of payouts, one for each rule of payout-checks.ts and payout-history-checks.ts. */
import { choosing, isSurelyThere } from './choice-checks.ts';
import { copyOf } from './copy.ts';
import type { Evidence } from './evidence.ts';
import type { PayoutNow, PayoutRow, PayoutStep } from './payout-evidence.ts';
import { need, TooShort } from './withdrawal-tamper.ts';

export type PayoutTampering = { name: string; violation: RegExp; evidence: Evidence };

type Kind = { name: string; violation: RegExp; tamper: (copy: Evidence) => unknown };

/** One at a time, each on a copy of its own, which is made when it is asked for. @throws TooShort */
export function* payoutTamperings(evidence: Evidence): Iterable<PayoutTampering> {
  for (const { name, violation, tamper } of KINDS) {
    const copy = copyOf(evidence);
    tamper(copy);
    yield { name, violation, evidence: copy };
  }
}

const ANOTHER_HASH = '0'.repeat(64);

/** Falsifies a row that was paid, with its withdrawal and its payment. */
function ofPaidRow(
  name: string,
  violation: RegExp,
  change: (paid: ReturnType<typeof paidRow>, copy: Evidence) => unknown,
): Kind {
  return { name: `a paid row ${name}`, violation, tamper: (copy) => change(paidRow(copy), copy) };
}

function ofDecision(name: string, violation: RegExp, change: (step: PayoutStep) => unknown): Kind {
  return { name: `an approval of a file ${name}`, violation, tamper: (copy) => change(approvedStep(copy)) };
}

const KINDS: Kind[] = [
  {
    name: 'a file that was accepted and is gone',
    violation: /201 created, and there is no payout/,
    tamper: ({ payouts }) => payouts.payouts.splice(payouts.payouts.indexOf(uploaded(payouts)), 1),
  },
  {
    name: 'a refused file of which a payout was made',
    violation: /409 \w+, and a payout of it was made|400 \w+, and a payout of it was made/,
    tamper: ({ payouts }) => {
      const { name } = uploaded(payouts);
      for (const upload of payouts.uploads)
        if (upload.file.name === name) upload.answer = { status: 400, code: 'invalid_request', data: null };
    },
  },
  ofPaidRow('of a file that was refused', /nobody ordered it/, ({ payout }, { payouts, calls }) => {
    const own = payouts.uploads.filter(({ file }) => file.name === payout.name);
    const serials = own.flatMap(({ file }) => file.rows.map(({ serial }) => serial));
    need(calls.some(({ order }) => serials.includes(order.serial)) ? null : own[0]);
    for (const upload of own) upload.answer = { status: 400, code: 'invalid_request', data: null };
  }),
  {
    name: 'an internal error for who uploads',
    violation: /no answer for a client/,
    tamper: ({ payouts }) => (need(payouts.uploads[0]).answer = { status: 500, code: 'oops', data: null }),
  },
  {
    name: 'a payout without a row of its file',
    violation: /does not have the rows of its file/,
    tamper: ({ payouts }) => payouts.rows.pop(),
  },
  {
    name: 'a payout that pays its file from another wallet',
    violation: /is of wallet wal_other/,
    tamper: ({ payouts }) => (uploaded(payouts).wallet_id = 'wal_other'),
  },
  ofPaidRow('with another amount than in its file', /does not have the rows of its file/, ({ row }) => {
    row.amount_stroops += 100_000n;
  }),
  ofPaidRow('that was paid to somebody else', /was PAID otherwise/, ({ transaction }) => {
    need(transaction.payments[0]).destination_address = 'GAAA';
  }),
  ofPaidRow('that was paid with another memo', /was PAID otherwise/, ({ transaction }) => {
    transaction.memo_id = 77n;
  }),
  ofPaidRow('that was paid in another asset', /was PAID otherwise/, ({ transaction }) => {
    need(transaction.payments[0]).asset = 'EURX:GAAA';
  }),
  ofPaidRow('that was paid twice', /was PAID 2 TIMES/, ({ transaction }, copy) => {
    copy.transactions.push({ ...transaction, hash: 'f'.repeat(64), inner_hash: 'f'.repeat(64) });
  }),
  ofPaidRow('that is called failed', /the ledger has/, ({ row }) => (row.status = 'failed')),
  ofPaidRow(
    'that says another outcome than its withdrawal',
    /says so of \w+, which is confirmed/,
    ({ row }) => {
      row.status = 'pending';
    },
  ),
  ofPaidRow('that names no withdrawal', /and does not say so/, ({ row }) => (row.withdrawal_id = null)),
  ofPaidRow('that names a withdrawal which there is not', /which there is not/, ({ row }) => {
    row.withdrawal_id = 'wd_nothing';
  }),
  ofPaidRow('that another withdrawal has paid', /which is another payment/, ({ row }, { rows }) => {
    row.withdrawal_id = need(rows.find(({ idempotency_key }) => idempotency_key !== row.idempotency_key)).id;
  }),
  {
    name: 'a confirmed row that has no payment in the ledger',
    violation: /the ledger has no payment/,
    tamper: (copy) => {
      const { transaction } = paidRow(copy);
      copy.transactions.splice(copy.transactions.indexOf(transaction), 1);
    },
  },
  {
    name: 'a payout that was retried before its row had failed',
    violation: /was retried before its attempt/,
    tamper: (copy) => {
      const { first, second } = retriedRow(copy);
      first.ledger = second.ledger + 1;
    },
  },
  {
    name: 'a row that was retried though it was paid',
    violation: /was PAID as \S+, and retried/,
    tamper: (copy) => (retriedRow(copy).first.successful = true),
  },
  {
    name: 'a retry of a payout that had not ended',
    violation: /was made while that was running/,
    tamper: ({ payouts: { steps } }) => {
      const retry = need(steps.find(({ retry_of }) => retry_of !== null));
      const before = steps.filter(({ id, at }) => id === retry.retry_of && at < retry.at);
      need(before.at(-1)).status = 'running';
    },
  },
  {
    name: 'a retry of a row that had no outcome',
    violation: /was made before row/,
    tamper: ({ payouts: { steps, row_steps } }) => {
      const retry = need(steps.find(({ retry_of }) => retry_of !== null));
      need(row_steps.findLast(({ payout_id }) => payout_id === retry.retry_of)).at = retry.at + 0.5;
    },
  },
  {
    name: 'two retries of the same rows',
    violation: /payout pay_other, the retry of \S+, pays what \S+ pays too/,
    tamper: ({ payouts: { steps, rows } }) => {
      const retry = need(steps.find(({ was, retry_of }) => was === null && retry_of !== null));
      const row = need(
        rows.find(({ payout_id, status }) => payout_id === retry.id && status !== 'cancelled'),
      );
      steps.push({ ...retry, id: 'pay_other', at: retry.at + 0.5 });
      rows.push({ ...row, payout_id: 'pay_other' });
    },
  },
  {
    name: 'a completed payout with a row that waits',
    violation: /has ended, and 1 rows have not/,
    tamper: ({ payouts }) => {
      const { id } = completed(payouts);
      need(payouts.rows.find(({ payout_id }) => payout_id === id)).status = 'waiting';
    },
  },
  {
    name: 'a completed payout that was said to run',
    violation: /still runs, with 0 rows/,
    tamper: ({ payouts }) => (completed(payouts).status = 'running'),
  },
  {
    name: 'a completed payout that was said to be paused',
    violation: /has no row left, and was not completed/,
    tamper: ({ payouts }) => (completed(payouts).status = 'paused'),
  },
  {
    name: 'a completed payout with a cancelled row',
    violation: /was completed, and has a cancelled row/,
    tamper: ({ payouts }) => {
      const { id } = completed(payouts);
      need(payouts.rows.find(({ payout_id }) => payout_id === id)).status = 'cancelled';
    },
  },
  {
    name: 'a payout that was completed too early',
    violation: /was completed with 1 rows that had not ended/,
    tamper: ({ payouts }) => (need(payouts.steps.find(({ status }) => status === 'completed')).unsettled = 1),
  },
  {
    name: 'a cancelled payout that goes on',
    violation: /\(cancelled to running\) is no change/,
    tamper: ({ payouts: { steps } }) => {
      const step = need(steps.find(({ status }) => status === 'cancelled'));
      steps.push({ ...step, was: 'cancelled', status: 'running' });
    },
  },
  {
    name: 'a row that began while its payout was paused',
    violation: /began while its payout was paused/,
    tamper: ({ payouts }) =>
      (need(payouts.row_steps.find(({ status }) => status === 'pending')).payout_status = 'paused'),
  },
  {
    name: 'a row that was made when its payout ran',
    violation: /was made while that was running/,
    tamper: ({ payouts }) =>
      (need(payouts.row_steps.find(({ was }) => was === null)).payout_status = 'running'),
  },
  {
    name: 'a withdrawal that was made while its payout was paused',
    violation: /BEGAN while the payout was paused/,
    tamper: ({ payouts }) => (need(payouts.claims[0]).payout_status = 'paused'),
  },
  {
    name: 'a withdrawal that was made before its payout was started',
    violation: /and the payout was never started/,
    tamper: ({ payouts }) => (need(payouts.claims[0]).at = 0),
  },
  {
    name: 'a cancelled row that began',
    violation: /BEGAN, and the row was cancelled/,
    tamper: ({ payouts: { claims, row_steps } }) => {
      const { payout_id, payout_row } = need(claims[0]);
      const step = need(row_steps.find((each) => each.payout_id === payout_id && each.number === payout_row));
      row_steps.push({ ...step, was: 'waiting', status: 'cancelled' });
    },
  },
  {
    name: 'a row that ended and began again',
    violation: /\(cancelled to pending\) is no change/,
    tamper: ({ payouts: { row_steps } }) => {
      const step = need(row_steps.find(({ status }) => status === 'cancelled'));
      row_steps.push({ ...step, was: 'cancelled', status: 'pending', payout_status: 'running' });
    },
  },
  {
    name: 'a withdrawal that its row does not know',
    violation: /was made, and the row does not say so/,
    tamper: ({ payouts }) => (need(payouts.claims[0]).id = 'wd_unknown'),
  },
  {
    name: 'a row that is another one than its hash says',
    violation: /is another one than its hash says/,
    tamper: ({ payouts }) => (need(payouts.rows[0]).row_hash = ANOTHER_HASH),
  },
  {
    name: 'a file that is another one than its hash says',
    violation: /its file was/,
    tamper: ({ payouts }) => (need(payouts.payouts[0]).rows_hash = ANOTHER_HASH),
  },
  ofPaidRow('that was paid otherwise than its file was hashed', /pays the rows/, ({ transaction }) => {
    need(transaction.payments[0]).amount_stroops += 100_000n;
  }),
  ofDecision('by another hash than that of the rows', /by another hash than/, (step) => {
    need(step.approvals.at(-1)).order_hash = ANOTHER_HASH;
  }),
  {
    name: 'approved rows that are not those that are paid',
    violation: /was asked for/,
    tamper: ({ payouts }) =>
      (need(payouts.payouts.find(({ order_hash }) => order_hash !== null)).order_hash = ANOTHER_HASH),
  },
  {
    name: 'an approval at the end that is about other rows',
    violation: /pays \w+, and \w+ approved/,
    tamper: ({ payouts }) => {
      const approved = need(payouts.payouts.find(({ approvals }) => approvals.length > 0));
      need(approved.approvals.find(({ decision }) => decision === 'approved')).order_hash = ANOTHER_HASH;
    },
  },
  ofDecision('too few', /was started with \d approvals, and needs/, (step) => {
    step.policy = { ...step.policy, rule: { required: 9, above: [], for: ['withdrawals'] }, changes: [] };
  }),
  ofDecision('by who has started it', /who has started it/, (step) => {
    need(step.approvals.at(-1)).user_id = need(step.requested_by);
  }),
  ofDecision('by who has left', /who may not decide about it/, (step) => {
    const { user_id } = need(step.approvals.at(-1));
    step.members = step.members.filter((member) => member.user_id !== user_id);
  }),
  ofDecision('after its end', /after its end/, (step) => {
    need(step.approvals.at(-1)).at = new Date(need(step.expires_ms)).toISOString();
  }),
  ofDecision('of a draft', /when it did not await approvals/, (step) => (step.was = 'draft')),
  ofDecision('that nobody gave', /and did not say so/, (step) => {
    need(step.approvals.at(-1)).user_id = 'usr_nobody';
  }),
  ofDecision('in spite of a freeze', /while its wallet was frozen/, (step) => {
    step.policy = { ...step.policy, frozen: true };
  }),
  ofDecision('beside a rejection', /was started, and rejected/, (step) => {
    need(step.approvals.at(-1)).decision = 'rejected';
  }),
  {
    name: 'a member who decided twice about a file',
    violation: /a second time/,
    tamper: ({ payouts: { steps } }) => {
      const step = need(steps.find(({ had, approvals }) => had.length > 0 && approvals.length > had.length));
      need(step.approvals.at(-1)).user_id = need(step.had[0]).user_id;
    },
  },
  {
    name: 'a file that awaits fewer approvals than its rule says',
    violation: /needs 0 approvals, not/,
    tamper: (copy) => {
      const step = heldStep(copy);
      step.policy = { ...step.policy, changes: [] };
      step.approvals_required = 0;
    },
  },
  {
    name: 'a file that awaits approvals for longer than a day',
    violation: /does not end after a day/,
    tamper: (copy) => {
      const step = heldStep(copy);
      step.expires_ms = need(step.expires_ms) + 1;
    },
  },
  {
    name: 'a row that began with fewer approvals than the policy asked for by then',
    violation: /BEGAN with a payout of \d approvals, and needs 9/,
    tamper: ({ payouts }) => {
      const rule = { required: 9, above: [], for: ['withdrawals'] };
      need(payouts.claims[0]).policy = { rule, frozen: false, changes: [] };
    },
  },
  {
    name: 'a row without the approvals of its file',
    violation: /does not have the approvals of the payout/,
    tamper: ({ payouts }) =>
      need(payouts.claims.find(({ approvals }) => approvals.length > 0)).approvals.pop(),
  },
  {
    name: 'an answer about a payout that was not recorded',
    violation: /pause of payout \w+: 200 done, and it was not recorded/,
    tamper: ({ payouts: { calls, steps } }) => {
      const call = need(calls.find(({ verb, answer }) => verb === 'pause' && answer?.status === 200));
      for (const step of steps)
        if (step.id === call.payout_id && step.status === 'paused') step.was = 'awaiting_approval';
    },
  },
  {
    name: 'an answer to an approval of a file that was not recorded',
    violation: /and the decision was not recorded/,
    tamper: ({ payouts: { calls } }) =>
      (need(calls.find(({ verb, answer }) => verb === 'approve' && answer?.status === 200)).asked_by =
        'usr_x'),
  },
  {
    name: 'a payout that was said to be cancelled and is not',
    violation: /cancel of payout \w+: 200 done, and it is completed/,
    tamper: ({ payouts: { calls, payouts } }) => {
      const call = need(calls.find(({ verb, answer }) => verb === 'cancel' && answer?.status === 200));
      need(payouts.find(({ id }) => id === call.payout_id)).status = 'completed';
    },
  },
  {
    name: 'an internal error for who pays files',
    violation: /no answer for a member/,
    tamper: ({ payouts }) => (need(payouts.calls[0]).answer = { status: 500, code: 'oops', data: null }),
  },
  {
    name: 'an answer whose counts are not those of all rows',
    violation: /an answer counts/,
    tamper: ({ payouts }) =>
      need(need(payouts.calls.find(({ answer }) => answer?.data)).answer?.data).counts.failed++,
  },
  {
    name: 'a payout that shows other counts than its rows',
    violation: /its rows are/,
    tamper: ({ payouts }) => need(payouts.shown?.[0]).counts.failed++,
  },
  {
    name: 'a payout that the list shows not',
    violation: /payouts are shown, and there are/,
    tamper: ({ payouts }) => need(payouts.shown).pop(),
  },
  {
    name: 'an end that nobody was told',
    violation: /was told to nobody/,
    tamper: (copy) => copy.payouts.events.splice(copy.payouts.events.indexOf(toldEnd(copy).event), 1),
  },
  {
    name: 'an end that was told twice',
    violation: /was told 2 times/,
    tamper: (copy) => copy.payouts.events.push({ ...toldEnd(copy).event, id: 'evt_again' }),
  },
  {
    name: 'an end that there is not',
    violation: /was told, and it is not completed/,
    tamper: (copy) => (toldEnd(copy).payout.status = 'cancelled'),
  },
  {
    name: 'an end that was told with other counts',
    violation: /does not say "counts"/,
    tamper: (copy) => {
      const { event } = toldEnd(copy);
      event.body = event.body.replace('"failed":', '"failed":9');
    },
  },
  {
    name: 'an end that another wallet was told',
    violation: /is an event of wallet wal_other/,
    tamper: (copy) => (toldEnd(copy).event.wallet_id = 'wal_other'),
  },
  {
    name: 'an end that an endpoint with the choice was not told',
    violation: /which has chosen it/,
    tamper: (copy) =>
      copy.payouts.deliveries.splice(copy.payouts.deliveries.indexOf(toldEnd(copy).delivery), 1),
  },
  {
    name: 'an end that an endpoint without the choice was told',
    violation: /which has not chosen it/,
    tamper: (copy) => (toldEnd(copy).endpoint.events = ['deposit.created']),
  },
  {
    name: 'an end that an endpoint was told twice',
    violation: /has two deliveries to one endpoint/,
    tamper: (copy) => copy.payouts.deliveries.push(toldEnd(copy).delivery),
  },
];

type Known = Evidence['payouts'];

/** Returns a payout whose upload was answered with its id. */
function uploaded({ uploads, payouts }: Known): PayoutNow {
  const told = new Set(uploads.flatMap(({ answer }) => (answer?.status === 201 ? [answer.data?.id] : [])));
  return need(payouts.find(({ id }) => told.has(id)));
}

function completed({ payouts }: Known): PayoutNow {
  return need(payouts.find(({ status }) => status === 'completed'));
}

/** A row of a first payout with its own withdrawal, which the ledger has. */
function paidRow({ payouts, rows, transactions }: Evidence) {
  for (const row of payouts.rows) {
    const withdrawal = rows.find(({ id }) => id === row.withdrawal_id);
    const payout = payouts.payouts.find(({ id }) => id === row.payout_id);
    const transaction = transactions.find(({ inner_hash }) => inner_hash === withdrawal?.inner_tx_hash);
    if (
      row.status === 'confirmed' &&
      withdrawal?.payout_id === row.payout_id &&
      payout?.retry_of === null &&
      transaction
    )
      return { row, withdrawal, payout, transaction };
  }
  throw new TooShort('no row of a payout was paid');
}

/** A row that the ledger failed, and its retry, which the ledger has too. */
function retriedRow({ payouts: { rows: all }, rows, transactions }: Evidence) {
  const transactionOf = (row: PayoutRow | undefined) => {
    const withdrawal = rows.find(({ id }) => id === row?.withdrawal_id);
    return transactions.find(({ inner_hash }) => inner_hash === withdrawal?.inner_tx_hash);
  };
  for (const row of all) {
    const retry = all.find(({ idempotency_key }) => idempotency_key === `${row.idempotency_key}·retry1`);
    const [first, second] = [transactionOf(row), transactionOf(retry)];
    if (first && second) return { first, second };
  }
  throw new TooShort('no row was retried');
}

/** The step of the last approval. */
function approvedStep({ payouts: { steps } }: Evidence): PayoutStep {
  return need(steps.find(({ was, status }) => was === 'awaiting_approval' && status === 'running'));
}

function heldStep({ payouts: { steps } }: Evidence): PayoutStep {
  const held = steps.filter(({ was, status }) => was === 'draft' && status === 'awaiting_approval');
  return need(held.find(({ policy }) => policy.rule?.above.length === 0));
}

/** An event that tells an end to an endpoint that was surely there. */
function toldEnd({ payouts, choices }: Evidence) {
  for (const event of payouts.events) {
    const payout = payouts.payouts.find(({ id }) => event.body.includes(`"data":{"id":"${id}"`));
    const own = choices.endpoints.filter(({ wallet_id }) => wallet_id === event.wallet_id);
    const place = payouts.completed_at.get(payout?.id ?? '') ?? null;
    const endpoint = choosing(own, event.type).find((each) => isSurelyThere(each, place));
    const delivery = payouts.deliveries.find(
      ({ event_id, endpoint_id }) => event_id === event.id && endpoint_id === endpoint?.id,
    );
    if (payout && endpoint && delivery) return { event, payout, endpoint, delivery };
  }
  throw new TooShort('no end of a payout was told');
}
