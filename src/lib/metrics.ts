import { Counter, Registry } from 'prom-client';

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
  };
}
