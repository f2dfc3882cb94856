/**
 * What the metrics cost a request: the CPU time of requests to an HTTP application with them and without, in turn. Client and
 * application are in one process, so that CPU time is all that both take.
 */
import { Pool } from 'undici';
import { z } from 'zod';
import { envelope, envelopeSchema } from '../src/http/envelope.ts';
import { createHttpApp } from '../src/http/http-app.ts';
import { measureRequests } from '../src/http/measure-requests.ts';
import { createLog } from '../src/lib/log.ts';
import { createMetrics } from '../src/lib/metrics.ts';
import { machine, markdown, median, rounded } from './measure.ts';

const CONNECTIONS = 20;
const REQUESTS = 10_000;

/** Prints medians over the rounds. */
export async function benchMetrics({ rounds }: { rounds: number }): Promise<void> {
  const cases = ['without metrics', 'with metrics'].map((name) => ({ name, cpu_us: [] as number[] }));
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { cpu_us }] of cases.entries()) {
      const measured = await cpuOfRequest(index === 1);
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
}

/** Microseconds of CPU time of a request, with its client. */
async function cpuOfRequest(measured: boolean): Promise<number> {
  const app = createHttpApp(createLog('silent', false), { loopback_only: true });
  if (measured) measureRequests(app, createMetrics());
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
  return (user + system) / REQUESTS;
}
