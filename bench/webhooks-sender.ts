/** The senders of the webhooks bench, each in its own process: the deliverer, a bare undici loop, and a plain queue. */

import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { Pool } from 'undici';
import { readConfig } from '../src/config.ts';
import { openConnections } from '../src/db/connections.ts';
import type { Deps } from '../src/deps.ts';
import { systemClock } from '../src/lib/clock.ts';
import { createLog } from '../src/lib/log.ts';
import { createMetrics } from '../src/lib/metrics.ts';
import { NO_TRACES } from '../src/lib/traces.ts';
import { newSigningSecret, signingKeys } from '../src/outgoing/sign.ts';
import { NO_LOOKUPS } from '../src/stellar/home-domains/home-domains.ts';
import type { Stellar } from '../src/stellar/stellar.ts';
import { NO_KEY_JOURNAL } from '../src/vault/key-journal.ts';
import { createKeys } from '../src/vault/keys.ts';
import { startDeliverer } from '../src/webhooks/delivery/deliverer.ts';
import { headersSignedBy } from '../src/webhooks/events/delivery-headers.ts';
import { plainQueue } from './webhooks-plain.ts';

export type SenderOrder =
  | { way: 'deliverer'; database_url: string; master_key: string }
  | { way: 'plain'; database_url: string; master_key: string }
  | { way: 'bare'; url: string };
/** `count`: how many the bare loop or the plain queue sends. The deliverer sends all that are due. */
export type SenderRound = { count: number };
/** The answer to a message without a count: used memory after garbage collection, and resident memory. */
export type SenderMemory = { used_mib: number; rss_mib: number };

const order = JSON.parse(process.argv[2] ?? '{}') as SenderOrder;
const send = await senderOf(order);
async function answer({ count }: Partial<SenderRound>): Promise<void> {
  if (count !== undefined) await send(count);
  process.send?.(count === undefined ? await memory() : {});
}
process.on('message', (order: Partial<SenderRound>) => void answer(order)); // a failure ends the process and the benchmark
process.on('SIGTERM', () => process.exit());
process.send?.({});

async function memory(): Promise<SenderMemory> {
  const MIB = 2 ** 20;
  const rss_mib = process.memoryUsage.rss() / MIB;
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');
  collectGarbage();
  await sleep(100); // the second collection frees what the first one finalizes
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return { used_mib: (heapUsed + external) / MIB, rss_mib };
}

async function senderOf(by: SenderOrder): Promise<(count: number) => Promise<void>> {
  if (by.way === 'bare') return bareLoop(by.url);
  if (by.way === 'plain') return plainQueue(by.database_url, Buffer.from(by.master_key, 'base64'));
  startDeliverer(depsFor(by.database_url, by.master_key));
  const client = new pg.Client({ connectionString: by.database_url });
  await client.connect();
  let last_id = '';
  return async () => {
    // In the order of the ids, from the end of the last query: waiting must cost little.
    const next =
      'select id from webhook_deliveries where id >= $1 and settled_at is null order by id limit 1';
    for (;;) {
      const { rows } = await client.query(next, [last_id]);
      if (rows.length === 0) return;
      last_id = rows[0].id;
      await sleep(20);
    }
  };
}

/** Sends requests of a delivery's length over kept connections, and does nothing else. */
function bareLoop(url: string): (count: number) => Promise<void> {
  const CONNECTIONS = 64;
  const pool = new Pool(url, { connections: CONNECTIONS });
  const body = Buffer.alloc(700, 'x');
  const secret = newSigningSecret();
  const message = { event_id: 'evt_01JXAMPLEXAMPLEXAMPLEXAMPLE', sequence: 1n, body };
  const headers = headersSignedBy({ current: signingKeys(secret), old: [] }, message, new Date());
  return async (count) => {
    let left = count;
    const work = async () => {
      while (left-- > 0) {
        const answer = await pool.request({ path: '/', method: 'POST', headers, body });
        await answer.body.dump();
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
  };
}

function depsFor(database_url: string, master_key: string): Deps {
  const log = createLog('warn', false);
  const { connections } = openConnections(database_url, log);
  return {
    config: readConfig({
      DATABASE_URL: database_url,
      MASTER_KEY: master_key,
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    }),
    ...connections,
    stellar: {} as Stellar, // webhooks use neither
    home_domains: NO_LOOKUPS,
    showChangedLines: async () => [],
    mailer: null,
    ...createKeys([Buffer.from(master_key, 'base64')]),
    withSealingKey: (work) => work(),
    key_journal: NO_KEY_JOURNAL,
    clock: systemClock,
    log,
    metrics: createMetrics(),
    traces: NO_TRACES,
  };
}
