/**
 * An upgrade of three processes, one after the other, while many clients withdraw through all of them: the next version
 * expands the schema while two processes of this one run on. Each version leads for a while, together with the other and
 * alone, the database is killed, and the network upgrades to protocol 30 while both versions run. Whatever happens, deposits,
 * withdrawals and webhooks go on.
 *
 * Then a version after that contracts the schema beside two older processes, of which one is frozen. Both must end, the other
 * one within seconds; neither may write once the schema is contracted; and the newest version goes on with what they had begun.
 *
 * The later versions are made up: this program with migrations of their own (next-version.ts).
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { eventually } from '../support/eventually.ts';
import { ROOT } from '../support/launch.ts';
import { CONTRACTING, EXPANDING, layNextVersion } from '../support/next-version.ts';
import { type RunOptions, runCluster } from './chaos.ts';
import type { ChaosTarget, Journal } from './chaos-target.ts';
import type { Cluster } from './cluster.ts';

/** In this time leases run out, another process leads, and expired envelopes are built again. */
const GO_ON_WITHIN_MS = 120_000;
/** PostgreSQL's class for what a statement names and the schema lacks, and for a value that a row must have. */
const MISFIT = /"code":"(42\w{3}|23502)"/;

/** What is wrong, in words. The files of the run are kept then. */
export function runUpgrade(options: RunOptions): Promise<string[]> {
  return runCluster(options, async (dir) => {
    const [next, last] = [join(dir, 'next-version'), join(dir, 'version-after-that')];
    layNextVersion(next, EXPANDING);
    layNextVersion(last, { ...EXPANDING, ...CONTRACTING });
    const roots = [ROOT, ROOT, ROOT];
    return {
      roots,
      strike: async (cluster, journal) => {
        await upgrade(cluster, journal, { roots, next, say: options.say });
        const found = await contract(cluster, journal, { roots, next: last, say: options.say });
        return [...found, ...misfits(dir)];
      },
    };
  });
}

async function upgrade(
  cluster: Cluster,
  journal: Journal,
  { roots, next, say }: { roots: string[]; next: string; say: RunOptions['say'] },
): Promise<void> {
  const [first, second, third] = cluster.services as [ChaosTarget, ChaosTarget, ChaosTarget];
  const { database_target: database } = cluster;
  const goesOn = async (phase: string) => say(`${phase}: ${await progress(cluster, phase)}`);
  const strike = async (act: 'kill' | 'stop' | 'freeze', target: ChaosTarget) => {
    await target[act]();
    journal.tallies[target.kind].blows[act]++;
  };
  const startNext = async (service: ChaosTarget) => {
    roots[cluster.services.indexOf(service)] = next;
    await service.start();
  };

  await goesOn('this version');
  await strike('stop', first);
  await startNext(first);
  assert.equal((await ask(cluster, EXPANDED)).length, 1, 'the next version has expanded the schema');
  await goesOn('the next version has expanded the schema');
  await strike('kill', first);
  await goesOn('this version alone with the expanded schema');
  await first.start();
  for (const older of [second, third]) await strike('freeze', older);
  await goesOn('the next version alone');
  for (const older of [second, third]) older.thaw();
  await goesOn('both again');
  await cluster.upgradeNetwork();
  await goesOn('both on protocol 30');
  await strike('kill', database);
  await database.start();
  await goesOn('after a kill of the database');
  await strike('kill', second);
  await startNext(second);
  await goesOn('two of the next version');
  await strike('stop', third);
  await startNext(third);
  await goesOn('the next version');
}

/** Gives what is wrong, in words. */
async function contract(
  cluster: Cluster,
  journal: Journal,
  { roots, next, say }: { roots: string[]; next: string; say: RunOptions['say'] },
): Promise<string[]> {
  const [first, second, frozen] = cluster.services as [ChaosTarget, ChaosTarget, ChaosTarget];
  const goesOn = async (phase: string) => say(`${phase}: ${await progress(cluster, phase)}`);
  const startNext = async (service: ChaosTarget) => {
    roots[cluster.services.indexOf(service)] = next;
    await service.start();
  };
  frozen.freeze();
  journal.tallies.service.blows.freeze++;
  const ended = async (service: ChaosTarget) => ({
    code: await service.endsByItself(),
    at_ms: performance.now(),
  });
  const [of_second, of_frozen] = [ended(second), ended(frozen)];
  await first.stop();
  const started = startNext(first);
  const announced = await eventually(
    'the announcement',
    async () => (await ask(cluster, ANNOUNCED)).length > 0 && performance.now(),
    GO_ON_WITHIN_MS,
  );
  const took_ms = Math.round((await of_second).at_ms - announced);
  say(`an older process ended ${took_ms} ms after the announcement`);
  await started;
  await goesOn('the version after that has contracted the schema, and is alone');
  frozen.thaw();
  const codes = [(await of_second).code, (await of_frozen).code];
  for (const service of [second, frozen]) await startNext(service);
  await goesOn('the version after that');
  const too_late = await ask(cluster, 'select session, written, count(*) from too_late group by 1, 2');
  return [
    ...codes.filter((code) => code !== 1).map((code) => `an older process ended with code ${code}`),
    ...too_late.map((row) => `written after the contraction: ${JSON.stringify(row)}`),
  ];
}

const EXPANDED = `select from migrations where name = '${Object.keys(EXPANDING).at(-1)}' and run_at is not null`;
const ANNOUNCED = `select from migrations where name = '${Object.keys(CONTRACTING).at(-1)}'`;

/** Waits until each role has done some work from now on; tells how much. */
async function progress(cluster: Cluster, phase: string): Promise<string> {
  const began = performance.now();
  const start = await counts(cluster);
  let now = start;
  await eventually(
    phase,
    async () => {
      now = await counts(cluster).catch(() => now); // the database may be down
      return start.every(({ count }, i) => (now[i]?.count ?? 0) >= count + 5);
    },
    GO_ON_WITHIN_MS,
  );
  const done = start.map(({ what, count }, i) => `${what} ${(now[i]?.count ?? 0) - count}`);
  return `${done.join(', ')} in ${Math.round(performance.now() - began)} ms`;
}

function counts(cluster: Cluster): Promise<{ what: string; count: number }[]> {
  return ask(
    cluster,
    `select 'deposits' as what, count(*)::int as count from deposits
     union all select 'withdrawals paid', count(*)::int from withdrawals where status = 'confirmed'
     union all select 'webhooks delivered', count(*)::int from webhook_deliveries where status = 'delivered'`,
  );
}

async function ask(cluster: Cluster, sql: string): Promise<any[]> {
  const client = new pg.Client(cluster.database());
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Statements of either version that do not fit the schema. */
function misfits(dir: string): string[] {
  const logs = readdirSync(dir).filter((name) => /^service-\d\.log$/.test(name));
  return logs.flatMap((name) => {
    const lines = readFileSync(join(dir, name), 'utf8').split('\n');
    return lines.filter((line) => MISFIT.test(line)).map((line) => `${name}: ${line}`);
  });
}
