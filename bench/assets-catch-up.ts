/** The service catches up with ledgers of the same size that are full of native payments, and of issued ones. */
import type { AssetsOptions, Pair } from './assets-options.ts';
import { madeLedgers, type PaidAsset } from './catch-up-made.ts';
import type { NodeOrder, NodeReady } from './catch-up-node.ts';
import type { ReaderOrder, ReadRound, ReadThrough } from './catch-up-reader.ts';
import {
  type Child,
  databaseFor,
  depositsUntil,
  forget,
  paidAccounts,
  startChild,
} from './catch-up-world.ts';
import { startDatabases } from './withdrawals-world.ts';

export type ReadAssets = { per_second: number; cpu_ms: number };

type Side = { child: Child; database_url: string };

const FIRST = 70_000_000;
const SIZE = { wallets: 20, addresses: 1_000 };
const SIDES = ['native', 'issued'] as const satisfies PaidAsset[];

export async function benchAssetCatchUp({ rounds, ledgers }: AssetsOptions): Promise<Pair<ReadAssets>> {
  const databases = await startDatabases();
  const children: Child[] = [];
  const through = FIRST + ledgers - 1;
  const startSide = async (made: PaidAsset): Promise<Side> => {
    const template = madeLedgers(made);
    const node = await startChild('catch-up-node.ts', {
      first: FIRST,
      count: ledgers,
      made,
    } satisfies NodeOrder);
    children.push(node);
    const database_url = await databaseFor(databases, SIZE, paidAccounts(template, SIZE.wallets));
    const at = { rpc_url: (node.ready as NodeReady).url, passphrase: template.passphrase, first: FIRST };
    const order = { ...at, way: 'ingester', database_url } satisfies ReaderOrder;
    const child = await startChild('catch-up-reader.ts', order);
    children.push(child);
    return { child, database_url };
  };
  try {
    const sides = { native: await startSide('native'), issued: await startSide('issued') };
    const pair: Pair<ReadAssets> = { native: [], issued: [] };
    for (let number = 0; number <= rounds; number++) {
      for (const name of number % 2 === 0 ? SIDES : SIDES.toReversed()) {
        const { child, database_url } = sides[name];
        await forget(database_url, FIRST);
        const round = (await child.ask({ through } satisfies ReadThrough)) as ReadRound;
        const per_second = round.ledgers / round.seconds;
        console.error(
          `${number === 0 ? 'warm-up' : `round ${number}`}, ${name}: ${per_second.toFixed(1)} ledgers/s`,
        );
        if (number > 0) pair[name].push({ per_second, cpu_ms: round.cpu_ms / round.ledgers });
      }
      if (number === 0) await requireSameDeposits(sides, through);
    }
    return pair;
  } finally {
    for (const { stop } of children) stop();
    await databases.stop();
  }
}

/** @throws Error when both sides have not recorded as many deposits, or none: then the bench is invalid */
async function requireSameDeposits(sides: Record<PaidAsset, Side>, through: number): Promise<void> {
  const [native, issued] = await Promise.all(
    SIDES.map(async (name) => (await depositsUntil(sides[name].database_url, through)).length),
  );
  if (!native || native !== issued) throw new Error(`${native} native deposits, ${issued} issued ones`);
}
