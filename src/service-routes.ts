import { z } from 'zod';
import { ping } from './db/database.ts';
import { findCursor } from './deposits/store.ts';
import type { Deps } from './deps.ts';
import { envelope, envelopeSchema } from './http/envelope.ts';
import type { HttpApp } from './http/http-app.ts';
import { countHeldWallets, readCursor } from './withdrawals/cursor-store.ts';
import { lanesInTrouble } from './withdrawals/lane-store.ts';

/** A healthy network closes a ledger every 5 s or so; half a minute without one read means that something stands. */
const MAX_INGEST_SILENCE_MS = 30_000;
const READINESS_CACHE_MS = 1_000;

const Check = z.object({ ok: z.boolean(), message: z.string() });
/** `withdrawals` tells of single wallets and does not make the service unready. */
const Readiness = z.object({ database: Check, network: Check, deposits: Check, withdrawals: Check });

const About = z.object({ name: z.string(), network: z.string(), api: z.string(), openapi: z.string() });

/** What is not about money: what this is, whether the process answers, and whether it can do its work. */
export function serviceRoutes(app: HttpApp, deps: Deps): void {
  const readiness = cachedReadiness(deps);

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
      const data = await readiness();
      const ready = data.database.ok && data.network.ok && data.deposits.ok;
      if (ready) return reply.code(200).send(envelope(200, data));
      return reply.code(503).send(envelope(503, data));
    },
  );
}

/** Anyone may ask, any number of times a second: the database and the network are asked once. */
function cachedReadiness(deps: Deps): () => Promise<z.output<typeof Readiness>> {
  let cached: { until_ms: number; answer: Promise<z.output<typeof Readiness>> } | null = null;
  return () => {
    const now_ms = deps.clock.now().getTime();
    if (!cached || cached.until_ms <= now_ms) {
      cached = { until_ms: now_ms + READINESS_CACHE_MS, answer: readinessOf(deps) };
    }
    return cached.answer;
  };
}

async function readinessOf(deps: Deps): Promise<z.output<typeof Readiness>> {
  const [database, network, deposits, withdrawals] = await Promise.all([
    check(deps, 'cannot be reached', async () => {
      await ping(deps.db);
      return say(true, 'reachable');
    }),
    check(deps, 'cannot be reached', async () =>
      say(true, `at ledger ${(await deps.chain.latestLedger()).sequence}`),
    ),
    check(deps, 'the database cannot be reached', () => describeIngestion(deps)),
    check(deps, 'the database cannot be reached', () => describeWithdrawals(deps)),
  ]);
  return { database, network, deposits, withdrawals };
}

type Checked = z.output<typeof Check>;

function say(ok: boolean, message: string): Checked {
  return { ok, message };
}

/** What went wrong inside is for the log: it may name addresses and users. */
async function check(deps: Deps, failure: string, work: () => Promise<Checked>): Promise<Checked> {
  try {
    return await work();
  } catch (error) {
    deps.log.warn({ err: error }, 'readiness check failed');
    return say(false, failure);
  }
}

async function describeIngestion(deps: Deps): Promise<Checked> {
  const cursor = await findCursor(deps.db);
  if (!cursor) return say(false, 'no ledger has been read yet');
  if (cursor.trouble) return say(false, cursor.trouble);
  const silence_ms = deps.clock.now().getTime() - cursor.updated_at.getTime();
  if (silence_ms > MAX_INGEST_SILENCE_MS) {
    return say(
      false,
      `no ledger was read for ${Math.round(silence_ms / 1000)} s; the last one was ${cursor.ledger}`,
    );
  }
  return say(true, `read up to ledger ${cursor.ledger}`);
}

async function describeWithdrawals(deps: Deps): Promise<Checked> {
  const cursor = await readCursor(deps.db);
  if (cursor?.trouble) return say(false, `nothing is signed: ${cursor.trouble}`);
  if (cursor && cursor.close_time < cursor.sign_after) {
    const waits_seconds = cursor.sign_after - cursor.close_time;
    return say(
      false,
      `nothing is signed for ${waits_seconds} s more: what may be in flight has to expire first`,
    );
  }
  const [lanes, held] = [await lanesInTrouble(deps.db), await countHeldWallets(deps.db)];
  if (lanes.length === 0 && held === 0n) return say(true, 'no wallet is held up');
  return say(
    false,
    `${lanes.length} lanes and ${held} wallets are held up: see "teller lanes", "teller strays" and the runbook`,
  );
}
