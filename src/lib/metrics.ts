import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { lostLines } from './log-output.ts';
import { createHttpMetrics } from './metrics/http-metrics.ts';
import { createMoneyMetrics } from './metrics/money-metrics.ts';
import { createNetworkMetrics } from './metrics/network-metrics.ts';
import { createProcessMetrics } from './metrics/process-metrics.ts';
import { createWebhookMetrics } from './metrics/webhook-metrics.ts';
import { version } from './version.ts';

/** The metrics of /metrics. Operators build alerts on their names. */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  measureProgram(registers);
  return {
    registry,
    ...createHttpMetrics(registers),
    ...createMoneyMetrics(registers),
    ...createWebhookMetrics(registers),
    ...createNetworkMetrics(registers),
    ...createProcessMetrics(registers),
    key_provider_up: new Gauge({
      name: 'teller_key_provider_up',
      help: 'Whether the key provider gives keys: 1 or 0; absent without a key provider',
      labelNames: ['provider'] as const,
      registers,
    }),
    key_provider_call_seconds: new Histogram({
      name: 'teller_key_provider_call_seconds',
      help: 'Seconds of a call of the key provider, by operation (make or unwrap) and outcome: ok, refused, denied, disabled, unusable, throttled or away',
      labelNames: ['operation', 'outcome'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    withdrawal_outcomes: new Counter({
      name: 'teller_withdrawal_outcomes_total',
      help: 'Withdrawals whose outcome this process has recorded, by outcome: confirmed, failed (a ledger has the payment) or expired (no ledger has it)',
      labelNames: ['outcome'] as const,
      registers,
    }),
    unmatched_transactions: new Counter({
      name: 'teller_unmatched_transactions_total',
      help: 'Outgoing transactions without a withdrawal that this process has found, those too that were matched since',
      registers,
    }),
    unmatched_transactions_open: new Gauge({
      name: 'teller_unmatched_transactions_open',
      help: 'Unmatched transactions that nobody has resolved, of all processes, by what they block: wallet (nothing is signed for it) or key (only its withdrawal)',
      labelNames: ['blocks'] as const,
      registers,
    }),
    tx_sources_blocked: new Gauge({
      name: 'teller_tx_sources_blocked',
      help: 'Blocked transaction sources, of all processes, by state: assigned (withdrawals wait for it) or free (a channel without a withdrawal)',
      labelNames: ['state'] as const,
      registers,
    }),
    withdrawals_in_flight: new Gauge({
      name: 'teller_withdrawals_in_flight',
      help: 'In-flight submissions of this process: signed withdrawals without an outcome',
      registers,
    }),
    wallets_different: new Gauge({
      name: 'teller_wallets_different',
      help: 'Wallets whose balance on the ledger differs from the sum of their deposits and withdrawals',
      registers,
    }),
    reconciliation_age_seconds: new Gauge({
      name: 'teller_reconciliation_age_seconds',
      help: 'Seconds since the last comparison with the ledger, of the wallet that waits longest; since its creation if there was none',
      registers,
    }),
    reconciliation_sum_age_seconds: new Gauge({
      name: 'teller_reconciliation_sum_age_seconds',
      help: 'Seconds since the books were last summed from all rows, of the wallet that waits longest; since its creation if they never were',
      registers,
    }),
    withdrawal_cursor_ledger: new Gauge({
      name: 'teller_withdrawal_cursor_ledger',
      help: 'The newest processed ledger: all outgoing transactions up to it are processed',
      registers,
    }),
    treasury_fees_stroops: new Counter({
      name: 'teller_treasury_fees_stroops_total',
      help: 'Fees that the treasury was charged for transactions of wallets whose outcome this process has recorded',
      registers,
    }),
    treasury_spendable_stroops: new Gauge({
      name: 'teller_treasury_spendable_stroops',
      help: 'What the treasury can spend, read twice a minute; absent where it pays nothing for wallets and fills no channel accounts',
      registers,
    }),
    deposit_cursor_ledger: new Gauge({
      name: 'teller_deposit_cursor_ledger',
      help: 'Newest ledger processed for deposits; set by the process that reads the ledgers',
      registers,
    }),
    deposits_lag_seconds: new Gauge({
      name: 'teller_deposits_lag_seconds',
      help: 'Ledger time between the newest ledger processed for deposits and the newest ledger of the network; 0 where another process reads the ledgers',
      registers,
    }),
    deposits_stop_reason: new Gauge({
      name: 'teller_deposits_stop_reason',
      help: '1 while deposits are not read normally, by stop reason: gap, reset, unreadable, behind, stalled',
      labelNames: ['state'] as const,
      registers,
    }),
    deposits: new Counter({
      name: 'teller_deposits_total',
      help: 'Deposits that this process has recorded, by whether they were attributed to an address',
      labelNames: ['attributed'] as const,
      registers,
    }),
    adjustments: new Counter({
      name: 'teller_adjustments_total',
      help: 'What others did to wallets without paying them, as this process has recorded it, by reason: clawback, contract_transfer, contract_burn, authorized, maintain_liabilities, authorization_revoked',
      labelNames: ['reason'] as const,
      registers,
    }),
    transactions_quarantined: new Counter({
      name: 'teller_transactions_quarantined_total',
      help: 'Transactions that concern a wallet, could not be read, and were quarantined by this process',
      registers,
    }),
    webhook_endpoints_disabled: new Gauge({
      name: 'teller_webhook_endpoints_disabled',
      help: 'Disabled webhook endpoints, by cause: five days of failures only, or their owner; 0 where no deliverer runs',
      labelNames: ['by'] as const,
      registers,
    }),
    quarantined_transactions: new Gauge({
      name: 'teller_quarantined_transactions',
      help: 'Transactions in quarantine; 0 where another process reads the ledgers',
      registers,
    }),
  };
}

/** Adds memory, CPU time and event loop of the process. Call it once per process. */
export function watchProcess({ registry }: Metrics): void {
  collectDefaultMetrics({ register: registry });
}

/** Registers what the program says of itself: its version, and the lines of its log that are lost. */
function measureProgram(registers: Registry[]): void {
  const build_info = new Gauge({
    name: 'teller_build_info',
    help: 'Always 1, with the version of the process',
    labelNames: ['version'] as const,
    registers,
  });
  build_info.set({ version }, 1);
  new Counter({
    name: 'teller_log_lines_lost_total',
    help: 'Lines of the log that were not written, because nobody has read standard output for some time',
    registers,
    collect() {
      this.reset();
      this.inc(lostLines());
    },
  });
}
