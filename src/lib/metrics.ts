import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** What /metrics shows. Names and help are for whoever builds alarms on them. */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    network_requests: new Counter({
      name: 'teller_network_requests_total',
      help: 'Requests to Stellar RPC and Horizon',
      labelNames: ['method'] as const,
      registers,
    }),
    unusable_answers: new Counter({
      name: 'teller_network_unusable_answers_total',
      help: 'Answers of the network that contradict themselves or cannot be read; they decide nothing',
      labelNames: ['method'] as const,
      registers,
    }),
    withdrawal_outcomes: new Counter({
      name: 'teller_withdrawal_outcomes_total',
      help: 'Withdrawals whose outcome this process has recorded',
      labelNames: ['outcome'] as const,
      registers,
    }),
    unmatched_transactions: new Counter({
      name: 'teller_unmatched_transactions_total',
      help: 'Outgoing transactions that match no withdrawal: nothing is signed for their wallets until an operator resolves them',
      registers,
    }),
    withdrawals_in_flight: new Gauge({
      name: 'teller_withdrawals_in_flight',
      help: 'In-flight submissions of this process: signed withdrawals without an outcome',
      registers,
    }),
    wallets_different: new Gauge({
      name: 'teller_wallets_different',
      help: 'Wallets whose balance on the ledger is not what their deposits and withdrawals say',
      registers,
    }),
    reconciliation_age_seconds: new Gauge({
      name: 'teller_reconciliation_age_seconds',
      help: 'How long ago the wallet that waits longest was compared with the ledger, or made if it never was',
      registers,
    }),
    withdrawal_cursor_ledger: new Gauge({
      name: 'teller_withdrawal_cursor_ledger',
      help: 'The newest processed ledger: all outgoing transactions up to it are processed',
      registers,
    }),
    deposit_cursor_ledger: new Gauge({
      name: 'teller_deposit_cursor_ledger',
      help: 'Through this ledger all deposits are recorded; set by the process that reads them',
      registers,
    }),
    deposits_lag_seconds: new Gauge({
      name: 'teller_deposits_lag_seconds',
      help: 'Ledger time between the last ledger read for deposits and the newest one; 0 where another process reads',
      registers,
    }),
    deposits_stop_reason: new Gauge({
      name: 'teller_deposits_stop_reason',
      help: '1 while deposits are not read as they should be, by state: gap, reset, unreadable, behind, stalled',
      labelNames: ['state'] as const,
      registers,
    }),
    deposits: new Counter({
      name: 'teller_deposits_total',
      help: 'Deposits that this process has recorded, by whether they found their address',
      labelNames: ['attributed'] as const,
      registers,
    }),
    transactions_quarantined: new Counter({
      name: 'teller_transactions_quarantined_total',
      help: 'Transactions that mention a wallet, could not be read, and were quarantined by this process',
      registers,
    }),
    webhook_endpoints_disabled: new Gauge({
      name: 'teller_webhook_endpoints_disabled',
      help: 'Webhook endpoints that nothing is sent to: by five days of nothing but failures, or by their owner; 0 where no deliverer runs',
      labelNames: ['by'] as const,
      registers,
    }),
    quarantined_transactions: new Gauge({
      name: 'teller_quarantined_transactions',
      help: 'Transactions that wait in quarantine; 0 where another process reads the ledgers',
      registers,
    }),
  };
}

/** Memory, CPU time, event loop: of the process, so once in it. */
export function watchProcess({ registry }: Metrics): void {
  collectDefaultMetrics({ register: registry });
}
