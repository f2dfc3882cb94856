import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** The metrics of /metrics. Operators build alarms on these names. */
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
      help: 'Responses of the network that contradict themselves or cannot be read; they decide nothing',
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
      help: 'Outgoing transactions that match no withdrawal; their wallets are blocked until an operator resolves them',
      registers,
    }),
    withdrawals_in_flight: new Gauge({
      name: 'teller_withdrawals_in_flight',
      help: 'Signed withdrawals that this process is working on',
      registers,
    }),
    wallets_different: new Gauge({
      name: 'teller_wallets_different',
      help: 'Wallets whose balance on the ledger differs from their deposits and withdrawals',
      registers,
    }),
    reconciliation_age_seconds: new Gauge({
      name: 'teller_reconciliation_age_seconds',
      help: 'Age of the oldest comparison of a wallet with the ledger; of a wallet never compared, the age of the wallet',
      registers,
    }),
    withdrawal_cursor_ledger: new Gauge({
      name: 'teller_withdrawal_cursor_ledger',
      help: 'The withdrawal cursor: all transactions of the wallets up to this ledger are processed',
      registers,
    }),
    deposit_cursor_ledger: new Gauge({
      name: 'teller_deposit_cursor_ledger',
      help: 'The deposit cursor: all deposits up to this ledger are recorded; set by the process that reads them',
      registers,
    }),
    deposits_lag_seconds: new Gauge({
      name: 'teller_deposits_lag_seconds',
      help: 'Ledger time between the deposit cursor and the newest ledger; 0 when another process reads',
      registers,
    }),
    deposits_stop_reason: new Gauge({
      name: 'teller_deposits_stop_reason',
      help: '1 while the reading of deposits is stopped or late, by state: gap, reset, unreadable, behind, stalled',
      labelNames: ['state'] as const,
      registers,
    }),
    deposits: new Counter({
      name: 'teller_deposits_total',
      help: 'Deposits that this process has recorded, by whether they belong to a deposit address',
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
      help: 'Disabled webhook endpoints, by who disabled them: the service after five days of failures, or the owner; 0 when no deliverer runs here',
      labelNames: ['by'] as const,
      registers,
    }),
    quarantined_transactions: new Gauge({
      name: 'teller_quarantined_transactions',
      help: 'Transactions in quarantine; 0 when another process reads the ledgers',
      registers,
    }),
  };
}

/** Adds memory, CPU time and event loop of the process. Call it once in a process. */
export function watchProcess({ registry }: Metrics): void {
  collectDefaultMetrics({ register: registry });
}
