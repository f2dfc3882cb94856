import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** An attempt is given up after 15 s. */
const ATTEMPT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

export function createWebhookMetrics(registers: Registry[]) {
  return {
    deliveries: new Counter({
      name: 'teller_deliveries_total',
      help: 'Deliveries that ended with an attempt of this process, by outcome: delivered or given_up',
      labelNames: ['outcome'] as const,
      registers,
    }),
    delivery_attempt_seconds: new Histogram({
      name: 'teller_delivery_attempt_seconds',
      help: 'Seconds that an attempt of a delivery took, by result: acknowledged (2xx), refused (another status) or unanswered',
      labelNames: ['result'] as const,
      buckets: ATTEMPT_SECONDS,
      registers,
    }),
    webhook_endpoints_failing: new Gauge({
      name: 'teller_webhook_endpoints_failing',
      help: 'Enabled webhook endpoints that have acknowledged nothing and failed for five minutes or longer; 0 where no deliverer runs',
      registers,
    }),
    deliveries_pending: new Gauge({
      name: 'teller_deliveries_pending',
      help: 'Pending deliveries of enabled endpoints, of all processes; at most 100000 are counted',
      registers,
    }),
    delivery_due_age_seconds: new Gauge({
      name: 'teller_delivery_due_age_seconds',
      help: 'Seconds since the turn of the delivery that is due longest and that no process has claimed; 0 when there is none',
      registers,
    }),
  };
}
