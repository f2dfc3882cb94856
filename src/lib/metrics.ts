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
    withdrawals_settled: new Counter({
      name: 'teller_withdrawals_settled_total',
      help: 'Withdrawals whose outcome this process has recorded',
      labelNames: ['outcome'] as const,
      registers,
    }),
    stray_transactions: new Counter({
      name: 'teller_stray_transactions_total',
      help: 'Transactions of wallets in the ledger that no withdrawal knows: their wallets are held until a person judges them',
      registers,
    }),
    withdrawals_in_flight: new Gauge({
      name: 'teller_withdrawals_in_flight',
      help: 'Signed withdrawals that this process works on',
      registers,
    }),
    accounted_ledger: new Gauge({
      name: 'teller_accounted_ledger',
      help: 'Through this ledger all transactions of the wallets are accounted for',
      registers,
    }),
  };
}

/** Memory, CPU time, event loop: of the process, so once in it. */
export function watchProcess({ registry }: Metrics): void {
  collectDefaultMetrics({ register: registry });
}
