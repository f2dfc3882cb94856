import { z } from 'zod';
import { ping } from './db/database.ts';
import { findCursor } from './deposits/store.ts';
import type { Deps } from './deps.ts';
import { envelope, envelopeSchema } from './http/envelope.ts';
import type { HttpApp } from './http/http-app.ts';

/** A healthy network closes a ledger every 5 s or so; half a minute without one read means that something stands. */
const MAX_INGEST_SILENCE_MS = 30_000;

const Check = z.object({ ok: z.boolean(), message: z.string() });
const Readiness = z.object({ database: Check, network: Check, deposits: Check });

const About = z.object({ name: z.string(), network: z.string(), api: z.string(), openapi: z.string() });

/** What is not about money: what this is, whether the process answers, and whether it can do its work. */
export function serviceRoutes(app: HttpApp, deps: Deps): void {
  app.get(
    '/',
    {
      schema: {
        operationId: 'about',
        tags: ['service'],
        summary: 'What this is, and where to go on',
        response: { 200: envelopeSchema(200, About) },
      },
    },
    async (_request, reply) => {
      const about = {
        name: 'Stellar Teller',
        network: deps.config.network,
        api: '/v1',
        openapi: '/openapi.json',
      };
      return reply.code(200).send(envelope(200, about));
    },
  );

  app.get(
    '/healthz',
    {
      schema: {
        operationId: 'healthz',
        tags: ['service'],
        summary: 'The process is alive',
        response: { 200: envelopeSchema(200, z.object({})) },
      },
    },
    async (_request, reply) => reply.code(200).send(envelope(200, {})),
  );

  app.get(
    '/readyz',
    {
      schema: {
        operationId: 'readyz',
        tags: ['service'],
        summary: 'Database, network and the reading of deposits work',
        response: { 200: envelopeSchema(200, Readiness), 503: envelopeSchema(503, Readiness) },
      },
    },
    async (_request, reply) => {
      const [database, network, deposits] = await Promise.all([
        check(() => ping(deps.db).then(() => 'reachable')),
        check(async () => `at ledger ${(await deps.chain.latestLedger()).sequence}`),
        check(() => describeIngestion(deps)),
      ]);
      const ready = database.ok && network.ok && deposits.ok;
      const data = { database, network, deposits };
      if (ready) return reply.code(200).send(envelope(200, data));
      return reply.code(503).send(envelope(503, data));
    },
  );
}

async function check(work: () => Promise<string>): Promise<z.output<typeof Check>> {
  try {
    return { ok: true, message: await work() };
  } catch (error) {
    return { ok: false, message: (error as Error).message };
  }
}

async function describeIngestion(deps: Deps): Promise<string> {
  const cursor = await findCursor(deps.db);
  if (!cursor) throw new Error('no ledger has been read yet');
  if (cursor.trouble) throw new Error(cursor.trouble);
  const silence_ms = deps.clock.now().getTime() - cursor.updated_at.getTime();
  if (silence_ms > MAX_INGEST_SILENCE_MS) {
    throw new Error(
      `no ledger was read for ${Math.round(silence_ms / 1000)} s; the last one was ${cursor.ledger}`,
    );
  }
  return `read up to ledger ${cursor.ledger}`;
}
