/** Withdrawals of one wallet, alone and while one API key of another wallet searches in parallel. */
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { fromJson } from '../test/support/api.ts';
import type { Grown } from './growth-world.ts';

/** In seconds. `searches`: how often each answer came. */
export type Flood = { without: number[]; during: number[]; searches: Map<string, number> };

const PARALLEL_SEARCHES = 40;
const PARALLEL_WITHDRAWALS = 5;
const ROUNDS = 2;
/** A search that is refused is asked again after this pause. */
const REFUSED_PAUSE_MS = 100;

/** Half of the withdrawals of each kind in each round. */
export async function measureFlood(grown: Grown, withdrawals: number): Promise<Flood> {
  const flood: Flood = { without: [], during: [], searches: new Map() };
  await withdraw(grown, PARALLEL_WITHDRAWALS * 2); // the first ones make the channel accounts
  for (let round = 0; round < ROUNDS; round++) {
    flood.without.push(...(await withdraw(grown, withdrawals / ROUNDS)));
    const searching = search(grown, flood.searches);
    flood.during.push(...(await withdraw(grown, withdrawals / ROUNDS)));
    await searching.stop();
  }
  return flood;
}

/** Gives how long each withdrawal took. */
async function withdraw({ service, token, other, large }: Grown, count: number): Promise<number[]> {
  const { account } = (await service.api('GET', `/v1/wallets/${large.id}`, { token })).body.data;
  const took: number[] = [];
  let left = count;
  const work = async () => {
    while (left-- > 0) {
      const began = performance.now();
      const headers = { 'idempotency-key': randomBytes(16).toString('hex') };
      const body = { destination: account, amount_stroops: 1n };
      const { status, text } = await service.api('POST', `/v1/wallets/${other.id}/withdraw`, {
        token,
        headers,
        body,
      });
      if (status !== 201) throw new Error(`withdraw: ${status} ${text}`);
      took.push((performance.now() - began) / 1000);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_WITHDRAWALS }, work));
  return took;
}

/** No two searches are for the same text, and none finds anything. */
function search({ service, large }: Grown, answers: Map<string, number>) {
  const pool = new Pool(service.url, { connections: PARALLEL_SEARCHES, headersTimeout: 0 });
  let running = true;
  const work = async () => {
    while (running) {
      const text = `nothing ${randomBytes(6).toString('hex')}`;
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: `/v1/wallets/${large.id}/transactions?search=${encodeURIComponent(text)}`,
        headers: { authorization: `Bearer ${large.api_key}` },
      });
      const { error } = fromJson(await body.text()) as { error?: { code: string } };
      const answer = error ? `${statusCode} ${error.code}` : `${statusCode}`;
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
      if (error) await setTimeout(REFUSED_PAUSE_MS);
    }
  };
  const working = Promise.all(Array.from({ length: PARALLEL_SEARCHES }, work));
  return {
    async stop() {
      running = false;
      await working;
      await pool.close();
    },
  };
}
