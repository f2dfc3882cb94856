/**
 * What claims for withdrawals gain by sharing transactions: 200 concurrent ones through one `createClaims`, and through
 * one of its own for each, so that every claim is a transaction on a connection of the pool.
 */

import { Keypair } from '@stellar/stellar-sdk';
import type { Config } from '../src/config.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { systemClock } from '../src/lib/clock.ts';
import { newId } from '../src/lib/ids.ts';
import { createLog } from '../src/lib/log.ts';
import { createMetrics } from '../src/lib/metrics.ts';
import { createClaims } from '../src/withdrawals/engine/claims.ts';
import type { ClaimOrder } from '../src/withdrawals/engine/hooks.ts';
import { ENGINE_HOOKS } from '../src/withdrawals/engine-hooks.ts';
import { ACTOR } from '../test/support/acting.ts';
import { machine, markdown, median, quantile } from './measure.ts';
import { startDatabases } from './withdrawals-world.ts';

const CONCURRENT = 200;
const DESTINATION = Keypair.random().publicKey();

type WalletRow = { id: string; owner_id: string; account: string };
/** `lost`: claims that got no connection of the pool within its 5 s. */
type Measured = { total_ms: number; p50_ms: number; p99_ms: number; cpu_ms: number; lost: number };

/** Prints medians over the rounds, of claims of one wallet and of as many wallets as claims. */
export async function benchClaims({ rounds }: { rounds: number }): Promise<void> {
  const databases = await startDatabases();
  const url = await databases.create();
  await migrate(url);
  const database = openDatabase(url, createLog('silent', false));
  try {
    const wallets = await insertWallets(database);
    const [one] = wallets as [WalletRow];
    const cases: [string, WalletRow[], boolean][] = [
      ['200 wallets, shared transactions', wallets, true],
      ['200 wallets, one transaction each', wallets, false],
      ['one wallet, shared transactions', wallets.map(() => one), true],
      ['one wallet, one transaction each', wallets.map(() => one), false],
    ];
    const figures = cases.map(([name]) => ({ name, measured: [] as Measured[] }));
    for (let round = 0; round <= rounds; round++) {
      for (const [index, [, payers, shared]] of cases.entries()) {
        const measured = await claimAtOnce(database, payers, shared);
        if (round > 0) figures[index]?.measured.push(measured); // the first round warms up
      }
    }
    print(figures);
  } finally {
    await database.close();
    await databases.stop();
  }
}

async function insertWallets({ db }: Database): Promise<WalletRow[]> {
  const now = new Date();
  const owner_id = newId('usr', now);
  await db
    .insertInto('users')
    .values({ id: owner_id, email: 'a@b.c', email_folded: 'a@b.c', name: '', password_hash: '' })
    .execute();
  const wallets = Array.from({ length: CONCURRENT }, () => {
    return { id: newId('wal', now), owner_id, account: Keypair.random().publicKey() };
  });
  const rest = { name: '', network: 'sandbox' as const, sealed_seed: Buffer.alloc(0) };
  await db
    .insertInto('wallets')
    .values(wallets.map((wallet) => ({ ...wallet, ...rest })))
    .execute();
  return wallets;
}

async function claimAtOnce({ db }: Database, payers: WalletRow[], shared: boolean): Promise<Measured> {
  const log = createLog('silent', false);
  const deps = {
    db,
    clock: systemClock,
    log,
    metrics: createMetrics(),
    hooks: ENGINE_HOOKS,
    config: { passphrase: '' } as Config,
  };
  const together = createClaims(deps);
  const orders = payers.map(orderOf);
  const began = performance.now();
  const cpu = process.cpuUsage();
  const claimed = await Promise.allSettled(
    orders.map(async (order) => {
      const { holder } = await (shared ? together : createClaims(deps)).claim(order);
      if (holder?.id !== order.id) throw new Error('a claim was not taken');
      return performance.now() - began;
    }),
  );
  const latencies = claimed.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const { user, system } = process.cpuUsage(cpu);
  return {
    total_ms: Math.max(...latencies),
    p50_ms: median(latencies),
    p99_ms: quantile(latencies, 0.99),
    cpu_ms: (user + system) / 1000,
    lost: claimed.length - latencies.length,
  };
}

function orderOf({ id: wallet_id, owner_id, account: wallet_account }: WalletRow): ClaimOrder {
  const created_at = new Date();
  const id = newId('wd', created_at);
  return {
    id,
    wallet_id,
    owner_id,
    wallet_account,
    idempotency_key: id,
    created_at,
    operation: 'payment',
    asset_code: 'native',
    asset_issuer: null,
    destination: DESTINATION,
    amount_stroops: 1n,
    memo_id: null,
    memo_return: null,
    refund_of: null,
    actor: ACTOR,
  };
}

function print(figures: { name: string; measured: Measured[] }[]): void {
  const rows = figures.map(({ name, measured }) => {
    const of = (key: keyof Measured) => `${median(measured.map((each) => each[key])).toFixed(0)} ms`;
    const lost = measured.reduce((sum, each) => sum + each.lost, 0);
    return [name, of('total_ms'), of('p50_ms'), of('p99_ms'), of('cpu_ms'), lost];
  });
  console.log(`${machine()}\n`);
  console.log(markdown(['200 claims at once', 'all', 'p50', 'p99', 'CPU of the process', 'lost'], rows));
}
