/** Measures how fast the service catches up with large ledgers, compared with fetching alone and with a plain loop. */
import { templates } from './catch-up-ledgers.ts';
import type { NodeOrder, NodeReady } from './catch-up-node.ts';
import type { ReaderOrder, ReadRound, ReadThrough, Way } from './catch-up-reader.ts';
import { type CatchUpCase, report } from './catch-up-report.ts';
import {
  type Child,
  databaseFor,
  depositsUntil,
  forget,
  paidAccounts,
  type Size,
  startChild,
} from './catch-up-world.ts';
import { machine } from './measure.ts';
import { startDatabases } from './withdrawals-world.ts';

export type CatchUpOptions = { rounds: number; ledgers: number };

const FIRST = 70_000_000;
/** The plain loop gets only this fraction of the ledgers, because it is slower. */
const PLAIN_SHARE = 6;
/** All wallets are paid. */
const USUAL: Size = { wallets: 20, addresses: 1_000 };
/** One wallet is paid. */
const SIZES: Size[] = [
  { wallets: 1, addresses: 10 },
  { wallets: 10_000, addresses: 10 },
  { wallets: 1, addresses: 100_000 },
];

type Case = CatchUpCase & { child: Child; database_url: string; through: number };

export async function benchCatchUp({ rounds, ledgers }: CatchUpOptions): Promise<void> {
  // Ctrl-C ends the children, so the round fails, and `finally` stops the database.
  process.on('SIGINT', () => undefined);
  const template = templates();
  const paid = paidAccounts(template, USUAL.wallets);
  const databases = await startDatabases();
  const children: Child[] = [];
  const start = async (file: string, order: object) => {
    const child = await startChild(file, order);
    children.push(child);
    return child;
  };
  try {
    const node = await start('catch-up-node.ts', { first: FIRST, count: ledgers } satisfies NodeOrder);
    const served = node.ready as NodeReady;
    const whole = FIRST + ledgers - 1;
    const part = FIRST + Math.ceil(ledgers / PLAIN_SHARE) - 1;
    const caseOf = async (name: string, way: Way, through: number, size?: Size, to = paid): Promise<Case> => {
      const database_url = size ? await databaseFor(databases, size, to) : '';
      const at = { rpc_url: served.url, passphrase: template.passphrase, first: FIRST };
      const child = await start('catch-up-reader.ts', { ...at, way, database_url } satisfies ReaderOrder);
      return { name, rounds: [], child, database_url, through };
    };
    const transactions = await caseOf('getTransactions discarded', 'getTransactions', whole);
    const fetched = await caseOf('getLedgers discarded', 'getLedgers', whole);
    const service = await caseOf('the service', 'ingester', whole, USUAL);
    const plain = await caseOf('SDK loop', 'plain', part, USUAL);
    const sizes: Case[] = [];
    for (const size of SIZES)
      sizes.push(await caseOf(nameOf(size), 'ingester', whole, size, paid.slice(0, 1)));
    const cases = [transactions, fetched, service, plain, ...sizes];
    await round(cases, 'warm-up');
    // Before anything is measured: there are no figures of other deposits, nor of none.
    const deposits = await sameDeposits(service, plain, part);
    for (let number = 1; number <= rounds; number++) {
      const measured = await round(cases, `round ${number}`);
      for (const [index, one] of cases.entries()) one.rounds.push(measured[index] as ReadRound);
    }
    console.log(
      `${machine()}; ${rounds} rounds after one to warm up; ${ledgers} ledgers ${template.name}, of`,
    );
    console.log(
      `${kib(served.ledger_bytes)} KiB each by getLedgers and ${kib(served.transaction_bytes)} KiB by`,
    );
    console.log(
      `getTransactions; the service and the SDK loop found the same ${deposits} deposits in the first`,
    );
    console.log(
      `${part - FIRST + 1}\n\n${report({ transactions, ledgers: fetched, service, plain, sizes })}`,
    );
  } finally {
    for (const { stop } of children) stop();
    await databases.stop();
  }
}

/** Runs all cases in each round, so that other load on the machine affects them equally. */
async function round(cases: Case[], label: string): Promise<ReadRound[]> {
  const measured: ReadRound[] = [];
  for (const { name, child, database_url, through } of cases) {
    if (database_url) await forget(database_url, FIRST);
    const one = (await child.ask({ through } satisfies ReadThrough)) as ReadRound;
    console.error(`${label}, ${name}: ${(one.ledgers / one.seconds).toFixed(1)} ledgers/s`);
    measured.push(one);
  }
  return measured;
}

/** Number of deposits. @throws Error when service and loop found different ones: then the bench is invalid */
async function sameDeposits(service: Case, plain: Case, through: number): Promise<number> {
  const [ours, theirs] = await Promise.all(
    [service, plain].map(({ database_url }) => depositsUntil(database_url, through)),
  );
  if (!ours?.length || `${ours}` !== `${theirs}`)
    throw new Error(`${ours?.length} deposits of the service, ${theirs?.length} of the SDK loop`);
  return ours.length;
}

const nameOf = ({ wallets, addresses }: Size) =>
  `${wallets.toLocaleString('en')} wallet${wallets === 1 ? '' : 's'}, ${addresses.toLocaleString('en')} addresses`;

const kib = (bytes: number) => Math.round(bytes / 1024).toLocaleString('en');
