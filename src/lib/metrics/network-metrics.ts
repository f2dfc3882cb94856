import { Counter, Gauge, type Registry } from 'prom-client';

/** Creates the metrics of the network and its sources. */
export function createNetworkMetrics(registers: Registry[]) {
  return {
    network_requests: new Counter({
      name: 'teller_network_requests_total',
      help: 'Requests to Stellar RPC and Horizon',
      labelNames: ['method'] as const,
      registers,
    }),
    unusable_answers: new Counter({
      name: 'teller_network_unusable_answers_total',
      help: 'Answers of the network that were ignored because they contradict themselves or cannot be read',
      labelNames: ['method'] as const,
      registers,
    }),
    unknown_arms: new Counter({
      name: 'teller_unknown_arms_total',
      help: 'Parts of proven ledgers that this version does not know, because they are of a later protocol, by the type of stellar-xdr',
      labelNames: ['type'] as const,
      registers,
    }),
    network_protocol: new Gauge({
      name: 'teller_network_protocol',
      help: 'The protocol of the network, the highest that a source tells; 0 until one has told it',
      registers,
    }),
    known_protocol: new Gauge({
      name: 'teller_known_protocol',
      help: 'The highest protocol of the network that this version reads',
      registers,
    }),
    source_supported_protocol: new Gauge({
      name: 'teller_source_supported_protocol',
      help: 'The highest protocol that a source and its stellar-core support, by the place of the source in the configuration; absent where the source does not tell it',
      labelNames: ['source'] as const,
      registers,
    }),
  };
}
