/** How many ledgers a payout takes beside the least that could hold it, and how much it delays single withdrawals. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { TestService } from '../test/support/service.ts';
import { machine, markdown, median } from './measure.ts';
import { startBenchService, startDatabases, startNetwork } from './withdrawals-world.ts';

export type PayoutsOptions = {
  rows: number;
  channels: number;
  withdrawals: number;
  operations: number;
  close_ms: number;
};

const LOOK_MS = 250;

type Wallet = { id: string; account: string };
type World = { service: TestService; token: string; paying: Wallet; other: Wallet; database: pg.Pool };

export async function benchPayouts(options: PayoutsOptions): Promise<void> {
  const databases = await startDatabases();
  const { close_ms, operations, channels } = options;
  const network = await startNetwork({ close_ms, max_operations: operations });
  const database_url = await databases.create();
  const { rpc_url } = network;
  const bench = await startBenchService({ database_url, rpc_url, channels, channel_fees: 'channel' });
  const database = new pg.Pool({ connectionString: database_url, max: 1 });
  try {
    const { service, token, wallet_id } = bench;
    const paying = await read<Wallet>(service, token, `/v1/wallets/${wallet_id}`);
    const other = await send<Wallet>(service, token, '/v1/wallets', { name: 'Other' });
    console.log(await measure({ service, token, paying, other, database }, options));
  } finally {
    await database.end();
    await bench.stop();
    await network.stop();
    await databases.stop();
  }
}

async function measure(
  world: World,
  { rows, operations, withdrawals, channels }: PayoutsOptions,
): Promise<string> {
  await latencies(world, world.paying, 1);
  const alone = await Promise.all([
    latencies(world, world.paying, withdrawals),
    latencies(world, world.other, withdrawals),
  ]);
  const { checked_ms, path } = await make(world, rows);
  const began = performance.now();
  await send(world.service, world.token, `${path}/start`);
  const paid = untilCompleted(world, path);
  await sleep(2_000); // the queues are full then
  const beside = await Promise.all([
    latencies(world, world.paying, withdrawals),
    latencies(world, world.other, withdrawals),
  ]);
  const isBeside = await Promise.race([paid.then(() => false), sleep(0).then(() => true)]);
  await paid;
  const seconds = (performance.now() - began) / 1_000;
  const ledgers = await countLedgers(world, path);
  const floor = Math.ceil(rows / Math.min(operations, channels + 1));
  const figures = [
    ['the whole file checked and kept', `${checked_ms.toFixed(0)} ms`, ''],
    [`ledgers for ${rows} rows`, `${ledgers}`, `${(ledgers / floor).toFixed(2)} of ${floor}`],
    ['time from the start to the last outcome noted', `${seconds.toFixed(1)} s`, ''],
    ...['the same wallet', 'another wallet'].map((of, index) =>
      compared(of, alone[index] ?? [], beside[index] ?? []),
    ),
  ];
  const note = isBeside ? '' : '\n\nThe payout ended before the last single withdrawal: take more rows.';
  return `${machine()}; ${channels} channels\n\n${markdown(['', 'figure', 'beside'], figures)}${note}`;
}

function compared(of: string, alone: number[], beside: number[]): string[] {
  const [before, now] = [median(alone), median(beside)];
  const longest = Math.max(...beside).toFixed(0);
  return [
    `a single withdrawal of ${of} during the payout`,
    `${now.toFixed(0)} ms, longest ${longest} ms`,
    `${(now / before).toFixed(2)} of ${before.toFixed(0)} ms alone`,
  ];
}

/** One withdrawal after the other, to the wallet itself. In ms. */
async function latencies(
  { service, token }: World,
  { id, account }: Wallet,
  count: number,
): Promise<number[]> {
  const found: number[] = [];
  while (found.length < count) {
    const began = performance.now();
    const body = { destination: account, amount_stroops: 1 };
    await send(service, token, `/v1/wallets/${id}/withdraw`, body, {
      'idempotency-key': randomBytes(16).toString('hex'),
    });
    found.push(performance.now() - began);
  }
  return found;
}

async function make({ service, token, paying, other }: World, count: number) {
  const rows = Array.from({ length: count }, (_, index) => ({
    idempotency_key: `row-${index}`,
    destination: other.account,
    amount_stroops: 1,
    memo_id: index,
  }));
  const base = `/v1/wallets/${paying.id}/payouts`;
  const began = performance.now();
  const { id } = await send<{ id: string }>(service, token, base, { name: 'Bench', rows });
  return { checked_ms: performance.now() - began, path: `${base}/${id}` };
}

async function untilCompleted({ service, token }: World, path: string): Promise<void> {
  while ((await read<{ status: string }>(service, token, path)).status !== 'completed') await sleep(LOOK_MS);
}

/** From the first ledger that has a row to the last. */
async function countLedgers({ database }: World, path: string): Promise<number> {
  const { rows } = await database.query(
    'select max(ledger) - min(ledger) + 1 as ledgers from withdrawals where payout_id = $1',
    [path.split('/').at(-1)],
  );
  return Number(rows[0]?.ledgers);
}

async function read<T>(service: TestService, token: string, path: string): Promise<T> {
  const { status, text, body } = await service.api('GET', path, { token });
  if (status !== 200) throw new Error(`${path}: ${text}`);
  return body.data;
}

async function send<T>(
  service: TestService,
  token: string,
  path: string,
  body: object = {},
  headers: Record<string, string> = {},
): Promise<T> {
  const answer = await service.api('POST', path, { token, body, headers });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
  return answer.body.data;
}
