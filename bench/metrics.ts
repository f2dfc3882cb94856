/**
 * What metrics and traces cost a request: the CPU time of requests to an HTTP application with them and without, in turn. Client and
 * application are in one process, so that CPU time is all that both take. And what the calls of a withdrawal cost that nobody traces.
 */
import { Pool } from 'undici';
import { z } from 'zod';
import { readConfig } from '../src/config.ts';
import { envelope, envelopeSchema } from '../src/http/envelope.ts';
import { createHttpApp } from '../src/http/http-app.ts';
import { measureRequests } from '../src/http/measure-requests.ts';
import { traceRequests } from '../src/http/trace-requests.ts';
import { createLog } from '../src/lib/log.ts';
import { createMetrics } from '../src/lib/metrics.ts';
import { createOtelTraces } from '../src/lib/traces/otel-traces.ts';
import { NO_TRACES } from '../src/lib/traces.ts';
import { startCollector } from '../test/support/collector.ts';
import { machine, markdown, median, rounded } from './measure.ts';

/** Traces that are switched off add no hook to a request: that is the second case. */
const CASES = ['without metrics', 'with metrics', 'with traces'] as const;
const CONNECTIONS = 20;
const REQUESTS = 10_000;

/** Prints medians over the rounds. */
export async function benchMetrics({ rounds }: { rounds: number }): Promise<void> {
  const collector = await startCollector();
  const cases = CASES.map((name) => ({ name, cpu_us: [] as number[] }));
  for (let round = 0; round <= rounds; round++) {
    for (const { name, cpu_us } of cases) {
      const measured = await cpuOfRequest(name, collector.url);
      if (round > 0) cpu_us.push(measured); // the first round warms up
    }
  }
  console.log(`${machine()}; ${rounds} rounds of ${rounded(REQUESTS)} requests\n`);
  const rows = cases.map(({ name, cpu_us }) => [
    name,
    `${rounded(median(cpu_us))} µs`,
    `${rounded(Math.min(...cpu_us))} – ${rounded(Math.max(...cpu_us))}`,
  ]);
  console.log(markdown(['a request', 'CPU, median', 'range'], rows));
  console.log(`\nThe calls of a withdrawal while nothing is traced: ${rounded(untracedNs())} ns`);
  await collector.close();
}

/** Nanoseconds for what a withdrawal calls of the traces that are switched off. */
function untracedNs(): number {
  const rounds = 1_000_000;
  const began = process.hrtime.bigint();
  let traced = 0;
  for (let round = 0; round < rounds; round++) {
    for (const name of [
      'claim withdrawal',
      'sign withdrawal',
      'send transaction',
      'record outcome',
      'POST webhook',
    ]) {
      const span = NO_TRACES.start(name, {
        parent: null,
        attributes: { withdrawal_id: name, ledger: round },
      });
      span.set({ answer: 'pending' });
      span.end();
      traced += Number(span.traceparent !== null);
    }
  }
  if (traced > 0) throw new Error('nothing should be traced');
  return Number(process.hrtime.bigint() - began) / rounds;
}

/** Microseconds of CPU time of a request, with its client. */
async function cpuOfRequest(name: (typeof CASES)[number], collector: string): Promise<number> {
  const log = createLog('silent', false);
  const app = createHttpApp(log, { loopback_only: true });
  const metrics = createMetrics();
  if (name !== 'without metrics') measureRequests(app, metrics);
  const { traces: settings } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector });
  const traces =
    name === 'with traces' && settings ? createOtelTraces(settings, { log, metrics }) : NO_TRACES;
  if (traces !== NO_TRACES) traceRequests(app, traces);
  app.get(
    '/v1/things/:id',
    {
      config: { access: 'public' },
      schema: {
        params: z.object({ id: z.string() }),
        response: { 200: envelopeSchema(z.object({ id: z.string() })) },
      },
    },
    async (request, reply) => reply.code(200).send(envelope(200, { id: request.params.id })),
  );
  const pool = new Pool(await app.listen({ host: '127.0.0.1', port: 0 }), { connections: CONNECTIONS });
  const one = async (path: string) =>
    (await (await pool.request({ method: 'GET', path })).body.text()).length;
  await Promise.all(Array.from({ length: 1_000 }, (_, thing) => one(`/v1/things/${thing}`)));
  const began = process.cpuUsage();
  let asked = 0;
  const worker = async () => {
    while (asked < REQUESTS) await one(`/v1/things/${asked++}`);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const { user, system } = process.cpuUsage(began);
  await pool.close();
  await app.close();
  await traces.close();
  return (user + system) / REQUESTS;
}
