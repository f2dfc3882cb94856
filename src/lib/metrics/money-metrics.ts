import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** A ledger closes every five seconds; the slowest payment expires after an hour. */
const LEDGER_SECONDS = [0.25, 0.5, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 60, 120, 300, 600, 3600];
/** Two are the service level: a payment may just have missed the first one. */
const LEDGERS = [1, 2, 3, 4, 5, 10, 20, 60];
/** Up to a second, which is the service level, then an outage. */
const TOLD_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600];
const WAIT_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

/** Withdrawals, payouts and deposits, beside those in ../metrics.ts. */
export function createMoneyMetrics(registers: Registry[]) {
  return {
    withdrawal_failures: new Counter({
      name: 'teller_withdrawal_failures_total',
      help: 'Withdrawals that this process has recorded as failed, by the code of their failure',
      labelNames: ['reason'] as const,
      registers,
    }),
    withdrawal_fees_stroops: new Counter({
      name: 'teller_withdrawal_fees_stroops_total',
      help: 'Fees of transactions whose outcome this process has recorded, by whose account the ledger has charged',
      labelNames: ['paid_by'] as const,
      registers,
    }),
    withdrawal_proof_seconds: new Histogram({
      name: 'teller_withdrawal_proof_seconds',
      help: 'Seconds from the claim of a withdrawal (from its last approval, where it has some) to its outcome confirmed',
      buckets: LEDGER_SECONDS,
      registers,
    }),
    withdrawal_ledgers: new Histogram({
      name: 'teller_withdrawal_ledgers',
      help: 'Ledgers from the newest one at the signature of a withdrawal to the one that has confirmed it',
      buckets: LEDGERS,
      registers,
    }),
    withdrawal_tx_source_wait_seconds: new Histogram({
      name: 'teller_withdrawal_tx_source_wait_seconds',
      help: 'Seconds from the claim of a withdrawal (from its last approval, where it has some) until it has a transaction source',
      buckets: WAIT_SECONDS,
      registers,
    }),
    withdrawals_lag_seconds: new Gauge({
      name: 'teller_withdrawals_lag_seconds',
      help: 'Ledger time between the newest processed ledger and the newest ledger of the network',
      registers,
    }),
    withdrawals_open: new Gauge({
      name: 'teller_withdrawals_open',
      help: 'Withdrawals without an outcome, by state, of all processes; at most 100000 are counted',
      labelNames: ['state'] as const,
      registers,
    }),
    withdrawal_open_age_seconds: new Gauge({
      name: 'teller_withdrawal_open_age_seconds',
      help: 'Seconds since the claim (from the last approval, where it has some) of the oldest withdrawal in the state, of all processes; 0 when there is none',
      labelNames: ['state'] as const,
      registers,
    }),
    withdrawal_cursor_age_seconds: new Gauge({
      name: 'teller_withdrawal_cursor_age_seconds',
      help: 'Seconds since the close time of the newest processed ledger, of all processes; 0 before the first one',
      registers,
    }),
    payouts_open: new Gauge({
      name: 'teller_payouts_open',
      help: 'Payouts that have begun and not ended, by state, of all processes',
      labelNames: ['state'] as const,
      registers,
    }),
    deposit_commit_seconds: new Histogram({
      name: 'teller_deposit_commit_seconds',
      help: 'Seconds from the close time of the ledger of a deposit, which is a whole second, to the commit of the deposit',
      buckets: LEDGER_SECONDS,
      registers,
    }),
    deposit_told_seconds: new Histogram({
      name: 'teller_deposit_told_seconds',
      help: 'Seconds from the commit of a deposit to the first acknowledgement of its event by an endpoint',
      buckets: TOLD_SECONDS,
      registers,
    }),
    deposit_acknowledged_seconds: new Histogram({
      name: 'teller_deposit_acknowledged_seconds',
      help: 'Seconds from the close time of the ledger of a deposit to the first acknowledgement of its event by an endpoint',
      buckets: LEDGER_SECONDS,
      registers,
    }),
  };
}
