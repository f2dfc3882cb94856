/**
 * An upgrade of three processes, one after the other, while many clients withdraw through all of them: the newer version
 * changes the schema while two processes of the version before run on. Each version leads for a while, together with the
 * other and alone, and the database is killed. Whatever happens, deposits, withdrawals and webhooks go on.
 *
 * Then a next version contracts the schema beside two processes of this one, of which one is frozen. Both must end, the other
 * one within seconds; neither may write once the schema is contracted; and the next version goes on with what they had begun.
 *
 * The network upgrades to protocol 30 when the version before, which does not know it, is gone.
 *
 * The version before knows no assets: clients use none. But the newer version is asked for trust lines just before it is
 * killed, so their rows wait beside processes that must not sign them. The oracle reads what became of each.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { newAccount } from '../crash/payers.ts';
import { have, listAll } from '../crash/persistent-client.ts';
import { call } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { CONTRACTING, layNextVersion } from '../support/next-version.ts';
import { type RunOptions, runCluster } from './chaos.ts';
import type { ChaosTarget, Journal } from './chaos-target.ts';
import type { Cluster } from './cluster.ts';
import { ROOT } from './program.ts';
import { unpackVersionBefore } from './version-before.ts';

/** Leases run out in it, another process leads, and what expires is built anew. */
const GO_ON_WITHIN_MS = 120_000;
/** A process looks every 5 s, and answers what waits; the machine is loaded. */
const ENDS_WITHIN_MS = 20_000;
const TRIES = 20;
const CALL_TIMEOUT_MS = 20_000;
/** PostgreSQL's class for what a statement names and the schema lacks, and for a value that a row must have. */
const MISFIT = /"code":"(42\w{3}|23502)"/;

/** What is wrong, in words. The files of the run are kept then. */
export function runUpgrade(options: RunOptions): Promise<string[]> {
  return runCluster(options, async (dir) => {
    const before = join(dir, 'version-before');
    unpackVersionBefore(before);
    const roots = [before, before, before];
    return {
      roots,
      native_only: true,
      strike: async (cluster, journal) => {
        await upgrade(cluster, journal, { roots, say: options.say });
        const next = join(dir, 'next-version');
        layNextVersion(next, CONTRACTING);
        const found = await contract(cluster, journal, { roots, next, say: options.say });
        return [...found, ...misfits(dir)];
      },
    };
  });
}

async function upgrade(
  cluster: Cluster,
  journal: Journal,
  { roots, say }: { roots: string[]; say: RunOptions['say'] },
): Promise<void> {
  const [first, second, third] = cluster.services as [ChaosTarget, ChaosTarget, ChaosTarget];
  const { database_target: database } = cluster;
  const goesOn = async (phase: string) => say(`${phase}: ${await progress(cluster, phase)}`);
  const strike = async (act: 'kill' | 'stop' | 'freeze', target: ChaosTarget) => {
    await target[act]();
    journal.tallies[target.kind].blows[act]++;
  };
  const startNewer = async (service: ChaosTarget) => {
    roots[cluster.services.indexOf(service)] = ROOT;
    await service.start();
  };

  await goesOn('the version before');
  await strike('stop', first);
  await startNewer(first);
  await goesOn('the newer version has changed the schema');
  const asked = askForTrustLines(cluster, cluster.urls[0] ?? '');
  await trustLinesWait(cluster);
  await strike('kill', first);
  await asked;
  await goesOn('the version before alone');
  await first.start();
  for (const older of [second, third]) await strike('freeze', older);
  await goesOn('the newer version alone');
  for (const older of [second, third]) older.thaw();
  await goesOn('both again');
  await strike('kill', database);
  await database.start();
  await goesOn('after a kill of the database');
  await strike('kill', second);
  await startNewer(second);
  await goesOn('two of the newer version');
  await strike('stop', third);
  await startNewer(third);
  await goesOn('the newer version');
  await cluster.upgradeNetwork();
  await goesOn('the newer version on protocol 30');
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
  await goesOn('the next version has contracted the schema, and is alone');
  frozen.thaw();
  const codes = [(await of_second).code, (await of_frozen).code];
  for (const service of [second, frozen]) await startNext(service);
  await goesOn('the next version');
  const too_late = await ask(cluster, 'select session, written, count(*) from too_late group by 1, 2');
  return [
    ...(took_ms > ENDS_WITHIN_MS ? [`an older process went on for ${took_ms} ms`] : []),
    ...codes.filter((code) => code !== 1).map((code) => `an older process ended with code ${code}`),
    ...too_late.map((row) => `written after the contraction: ${JSON.stringify(row)}`),
  ];
}

const ANNOUNCED = `select from migrations where name = '${Object.keys(CONTRACTING).at(-1)}'`;

/** Of every wallet; nobody hears an answer. */
async function askForTrustLines(cluster: Cluster, url: string): Promise<void> {
  const issuer = (await newAccount(cluster)).publicKey();
  const body = { asset_code: 'UPGRADE', asset_issuer: issuer };
  const { token } = await have(cluster, 'POST', '/v1/auth/login', { body: cluster.credentials() });
  const wallets = await listAll(cluster, '/v1/wallets', token);
  const add = async (id: string) => {
    const path = `/v1/wallets/${id}/assets`;
    for (let tries = 0; tries < TRIES; tries++) {
      const { status } = await call(url, 'POST', path, { token, body, timeout_ms: CALL_TIMEOUT_MS });
      if (status !== 503) return; // a slow machine makes the network look slow
    }
  };
  await Promise.allSettled(wallets.map(({ id }) => add(id))); // it is killed
}

async function trustLinesWait(cluster: Cluster): Promise<void> {
  await eventually('rows of trust lines', async () => (await trustLines(cluster)) > 0);
}

async function trustLines(cluster: Cluster): Promise<number> {
  const sql = "select count(*)::int as count from withdrawals where operation = 'add_trust_line'";
  return (await ask(cluster, sql))[0].count;
}

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
