/** Falsifications of true evidence, one at a time: each must be found out. */
import { copyOf } from './copy.ts';
import type { Evidence, WithdrawalRow } from './evidence.ts';
import { serialOf } from './evidence.ts';

export type Tampering<E extends Evidence = Evidence> = { name: string; evidence: E };

/** Whether a falsification of that name can be made of this evidence; all can by default. */
export type Choice = (kind: { name: string }) => boolean;

/** One at a time, each on a copy of its own, which is made when it is asked for. */
export function* tamperingsOf<E extends Evidence>(
  evidence: E,
  kinds: { name: string; tamper: (copy: E) => unknown }[],
  isChosen: Choice = () => true,
): Iterable<Tampering<E>> {
  for (const { name, tamper } of kinds.filter(isChosen)) {
    const copy = copyOf(evidence);
    tamper(copy);
    yield { name, evidence: copy };
  }
}

export function tamperings<E extends Evidence>(evidence: E, isChosen?: Choice): Iterable<Tampering<E>> {
  return tamperingsOf(evidence, WITHDRAWALS, isChosen);
}

function transactionOf(copy: Evidence, row: WithdrawalRow) {
  return need(copy.transactions.find(({ hash }) => hash === row.stellar_tx_hash));
}

const WITHDRAWALS: { name: string; tamper: (copy: Evidence) => unknown }[] = [
  {
    name: 'a request that the audit log does not have',
    tamper: ({ audit }) => {
      need(audit.complete || undefined);
      need(audit.requested.pop());
    },
  },
  {
    name: 'a request that the audit log has twice',
    tamper: ({ audit }) => audit.requested.push(need(audit.requested[0])),
  },
  {
    name: 'a request of which the audit log tells another amount',
    tamper: ({ audit }) => {
      const told = need(audit.requested.find(({ amount_stroops }) => amount_stroops !== null));
      told.amount_stroops = (told.amount_stroops ?? 0n) + 1n;
    },
  },
  {
    name: 'a payment made twice',
    tamper: (copy) => {
      copy.transactions.push({ ...transactionOf(copy, confirmed(copy)), hash: 'f'.repeat(64) });
    },
  },
  {
    name: 'a second attempt that failed',
    tamper: (copy) => {
      copy.transactions.push({
        ...transactionOf(copy, confirmed(copy)),
        hash: 'f'.repeat(64),
        successful: false,
      });
    },
  },
  {
    name: 'a failed withdrawal called confirmed',
    tamper: ({ rows }) => {
      need(rows.find(({ status }) => status === 'failed')).status = 'confirmed';
    },
  },
  {
    name: 'two withdrawals that create one account',
    tamper: (copy) => {
      need(copy.restored ? null : true);
      need(copy.rows.find(({ status }) => status === 'failed')).failure_code = 'op_already_exists';
    },
  },
  {
    name: 'another transaction than the one that was signed',
    tamper: (copy) => {
      confirmed(copy).inner_tx_hash = '0'.repeat(64);
    },
  },
  {
    name: 'a payment to another destination',
    tamper: (copy) => {
      need(transactionOf(copy, confirmed(copy)).payments[0]).destination_address = 'GAAA';
    },
  },
  {
    name: 'a transaction that is in the ledger twice',
    tamper: ({ transactions }) => {
      transactions.push(need(transactions[0]));
    },
  },
  {
    name: 'a fee that the entries do not show',
    tamper: (copy) => {
      transactionOf(copy, confirmed(copy)).fee_stroops += 1n;
    },
  },
  {
    name: 'a payment that nobody ordered',
    tamper: (copy) => {
      const { payments } = transactionOf(copy, confirmed(copy));
      need(payments[0]).amount_stroops += 77_777n;
    },
  },
  {
    name: 'a confirmed payment that is not in the ledger',
    tamper: (copy) => {
      const { stellar_tx_hash } = confirmed(copy);
      copy.transactions = copy.transactions.filter(({ hash }) => hash !== stellar_tx_hash);
    },
  },
  {
    name: 'a paid withdrawal called failed',
    tamper: (copy) => {
      confirmed(copy).status = 'failed';
    },
  },
  {
    name: 'a withdrawal called failed before its time was over',
    tamper: (copy) => {
      const row = confirmed(copy);
      const { stellar_tx_hash } = row;
      copy.transactions = copy.transactions.filter(({ hash }) => hash !== stellar_tx_hash);
      Object.assign(row, {
        status: 'failed',
        ledger: null,
        fee_stroops: null,
        max_time: copy.latest_close_time,
      });
    },
  },
  {
    name: 'a withdrawal that stays undecided',
    tamper: (copy) => {
      confirmed(copy).status = 'pending';
    },
  },
  {
    name: 'an answer that was not true',
    tamper: (copy) => {
      need(copy.calls.find(({ answer }) => answer?.status === 201)?.answer?.data).ledger = 7;
    },
  },
  {
    name: 'a refusal of what was carried out',
    tamper: (copy) => {
      const { idempotency_key } = confirmed(copy);
      for (const call of copy.calls) {
        if (call.order.key !== idempotency_key) continue;
        call.answer = { status: 503, code: 'network_unavailable', data: null };
      }
    },
  },
  {
    name: 'an internal error',
    tamper: (copy) => {
      need(copy.calls[0]).answer = { status: 500, code: 'oops', data: null };
    },
  },
  {
    name: 'a fee that is a stroop off',
    tamper: (copy) => {
      const row = confirmed(copy);
      row.fee_stroops = (row.fee_stroops ?? 0n) + 1n;
    },
  },
  {
    name: 'a balance that is a stroop off',
    tamper: (copy) => {
      need(copy.wallets[0]).balance_stroops -= 1n;
    },
  },
  {
    name: 'a tx_source that was not given back',
    tamper: (copy) => {
      need(copy.tx_sources[0]).withdrawal_id = confirmed(copy).id;
    },
  },
  {
    name: 'a tx_source that is out of step',
    tamper: (copy) => {
      const tx_source = need(copy.tx_sources.find(({ last_sequence }) => last_sequence !== null));
      tx_source.last_sequence = (tx_source.last_sequence ?? 0n) + 1n;
    },
  },
];

/** A withdrawal that a customer was told of. */
function confirmed({ rows, calls }: Evidence): WithdrawalRow {
  const told = new Set(calls.filter(({ answer }) => answer?.status === 201).map(({ order }) => order.serial));
  return need(rows.find((row) => row.state === 'confirmed' && told.has(serialOf(row.amount_stroops))));
}

/** The run did not have what a falsification needs. */
export class TooShort extends Error {}

/** @throws TooShort */
export function need<T>(found: T | undefined | null): T {
  if (found === undefined || found === null)
    throw new TooShort('the run was too short to have anything to tamper with');
  return found;
}

/** Of all falsifications here. */
export const NAMES = WITHDRAWALS.map(({ name }) => name);
