/** Measures how long a claim takes with few and with very many pending deliveries. */
import { openDatabase } from '../src/db/database.ts';
import { createLog } from '../src/lib/log.ts';
import { claimDue } from '../src/webhooks/store/delivery-store.ts';
import { median } from './measure.ts';
import { webhookDatabase } from './webhooks-database.ts';
import type { Databases } from './withdrawals-world.ts';

const ENDPOINTS = 100;
const FEW = 5_000;
const MANY = 1_000_000;
/** Free slots of each endpoint. */
const FREE = 16;
const CLAIMS = 300;

/** Claims from both databases in turn; each claim is rolled back. */
export async function claimTimes(databases: Databases) {
  const few = await claimsOf(databases, FEW);
  const many = await claimsOf(databases, MANY);
  const [few_ms, many_ms]: number[][] = [[], []];
  for (let claim = 0; claim < CLAIMS; claim++) {
    few_ms?.push(await few.claim());
    many_ms?.push(await many.claim());
  }
  await few.close();
  await many.close();
  return { few: FEW, many: MANY, few_ms: median(few_ms ?? []), many_ms: median(many_ms ?? []) };
}

async function claimsOf(databases: Databases, pending: number) {
  const urls = Array.from({ length: ENDPOINTS }, () => 'http://127.0.0.1:1/');
  const database = await webhookDatabase(databases, urls);
  await database.fill(1);
  await database.pile(pending - 1);
  const { db, close } = openDatabase(database.url, createLog('warn', false));
  const free = new Map(urls.map((_, index) => [`whk_${index}`, FREE]));
  return {
    async claim() {
      const trx = await db.startTransaction().execute();
      const now = new Date();
      const began = performance.now();
      const claimed = await claimDue(trx, {
        now,
        lease_until: new Date(now.getTime() + 60_000),
        room: 4_096,
        free,
      });
      const took_ms = performance.now() - began;
      await trx.rollback().execute();
      if (claimed.length !== ENDPOINTS * FREE) throw new Error(`${claimed.length} claimed`);
      return took_ms;
    },
    async close() {
      await close();
      await database.close();
    },
  };
}
