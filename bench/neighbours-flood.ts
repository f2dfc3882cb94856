/** What one team does to a service so that others could wait: each flood keeps `parallel` requests open. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Neighbour } from './neighbours-world.ts';

export type Flood = { name: string; parallel: number; request(team: Neighbour, index: number): Asked };
/** `body` of a POST; absent for a GET. */
type Asked = { path: string; body?: object };

/** A request that is refused is made again after this pause. */
const REFUSED_PAUSE_MS = 100;

export function floodsOf(): Flood[] {
  const withdrawalOf = ({ wallets }: Neighbour) => ({ destination: wallets[0]?.address, amount_stroops: 1 });
  const pathOf = ({ wallets }: Neighbour, index: number) =>
    `/v1/wallets/${wallets[index % wallets.length]?.id}`;
  return [
    {
      name: '500 withdrawals at a time from one wallet',
      parallel: 500,
      request: (team) => ({ path: `${pathOf(team, 0)}/withdraw`, body: withdrawalOf(team) }),
    },
    {
      name: '1,000 withdrawals at a time from 100 wallets',
      parallel: 1_000,
      request: (team, index) => ({ path: `${pathOf(team, index)}/withdraw`, body: withdrawalOf(team) }),
    },
    {
      name: '200 lists at a time',
      parallel: 200,
      request: (team, index) => ({ path: `${pathOf(team, index)}/transactions?limit=200` }),
    },
    {
      name: '2,000 long polls at a time',
      parallel: 2_000,
      request: (team, index) => ({ path: `${pathOf(team, index)}/events?after=latest&wait_seconds=30` }),
    },
    {
      name: '200 new addresses at a time',
      parallel: 200,
      request: (team, index) => ({ path: `${pathOf(team, index)}/addresses`, body: {} }),
    },
  ];
}

/** Starts the flood. `stop` gives how often each status came, without waiting for requests that wait. */
export function startFlood(url: string, team: Neighbour, { parallel, request }: Flood) {
  const pool = new Pool(url, { connections: parallel, headersTimeout: 0 });
  const answers = new Map<string, number>();
  const stopping = new AbortController();
  const work = async (index: number) => {
    while (!stopping.signal.aborted) {
      const { path, body } = request(team, index);
      const { statusCode, body: answer } = await pool.request({
        method: body === undefined ? 'GET' : 'POST',
        path,
        headers: {
          authorization: `Bearer ${team.token}`,
          ...(body && {
            'content-type': 'application/json',
            'idempotency-key': randomBytes(16).toString('hex'),
          }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: stopping.signal,
      });
      const text = await answer.text();
      const code = statusCode < 400 ? '' : ` ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`;
      const name = `${statusCode}${code}`;
      answers.set(name, (answers.get(name) ?? 0) + 1);
      if (statusCode >= 400) await sleep(REFUSED_PAUSE_MS, undefined, { signal: stopping.signal });
    }
  };
  const working = Promise.allSettled(Array.from({ length: parallel }, (_, index) => work(index)));
  return {
    async stop(): Promise<string> {
      stopping.abort();
      await working;
      await pool.destroy();
      return [...answers].map(([name, count]) => `${count} × ${name}`).join(', ');
    },
  };
}
