/**
 * The drill of docs/backup.md: a backup under load, more payments, the loss of the whole data folder, a restore, and the steps
 * that the restore prints. Clients go on asking all the time. Then the ledger is the truth: nothing is paid twice, no deposit is
 * lost or doubled, and each payment that the restored database has forgotten was named by `teller unmatched`.
 *
 * Half of the seeds restore the backup alone, the others replay the archive of the log too.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { CrashEvidence } from '../crash/evidence.ts';
import { type FlakyReceiver, startFlakyReceiver } from '../crash/flaky-receiver.ts';
import { endLeases, gather, rest, watchDatabase } from '../crash/gather.ts';
import { RETRY_SECONDS, type UnreliableService } from '../crash/killable-service.ts';
import { type Load, startLoad } from '../crash/load.ts';
import { PASSPHRASE, serverOf } from '../crash/payers.ts';
import { persist } from '../crash/persistent-client.ts';
import { createLedgerReader } from '../oracle/read-ledger.ts';
import type { Receipt } from '../oracle/receipt.ts';
import { violations } from '../oracle/violations.ts';
import { call, fromJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { isAlive, postmasterPid } from '../support/holder.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { databaseServer } from '../support/running-service.ts';
import { teller } from '../support/service.ts';
import type { RunOptions } from './chaos.ts';
import { type ChaosTarget, newJournal, reportOf } from './chaos-target.ts';
import { inDirectoryOfRun } from './directory.ts';
import { createProgram } from './program.ts';

/** Ledger time runs four times as fast as ours. */
const CLOSE_MS = 250;
const VALID_SECONDS = 24;
const CALL_TIMEOUT_MS = 20_000;
const PROBE_TIMEOUT_MS = 1_000;
const WALLETS = 3;
const ADMIN = { email: 'drill@example.com', password: 'correct horse battery staple' };
/** Withdrawals with an outcome in each phase of the load. */
const PHASE = 15;
const PHASE_WITHIN_MS = 120_000;
const SETTLE_WITHIN_MS = 120_000;
const WAIT_FOR = { webhooks: false, withdrawals: false };

type Site = UnreliableService & {
  dir: string;
  env: Record<string, string>;
  sandbox: ChaosTarget;
  service: ChaosTarget;
};

/** What is wrong, in words; the files of the run are kept then. */
export function runRestore(options: RunOptions): Promise<string[]> {
  const random = seededRandom(options.seed);
  return inDirectoryOfRun(options, async (dir, toBeEnded) => {
    const journal = newJournal();
    const site = await createSite(dir, random.fork('site'), journal);
    toBeEnded.push(site.sandbox, site.service);
    const receiver = await startFlakyReceiver(random.fork('receiver').next);
    try {
      const found = await drill(site, { receiver, random, say: options.say });
      for (const line of reportOf(journal)) options.say(line);
      return [...found, ...journal.problem];
    } finally {
      await receiver.close();
      await killDatabase(site).catch(() => undefined); // it may be stopped already
    }
  });
}

async function createSite(
  dir: string,
  random: Random,
  journal: ReturnType<typeof newJournal>,
): Promise<Site> {
  const [port, sandbox_port] = [await freePort(random), await freePort(random)];
  const [url, rpc_url] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${sandbox_port}/rpc`];
  const data_dir = join(dir, 'data');
  const env = {
    DATA_DIR: data_dir,
    PORT: `${port}`,
    STELLAR_RPC_URL: rpc_url,
    KEY_JOURNAL: join(dir, 'key-journal'),
    BACKUP_WAL_DIR: join(dir, 'wal'),
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    JWT_TTL_SECONDS: `${7 * 86_400}`,
    SESSION_IDLE_SECONDS: '86400',
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    WEBHOOK_RETRY_SECONDS: RETRY_SECONDS.join(),
    WITHDRAW_VALID_SECONDS: `${VALID_SECONDS}`,
    WITHDRAW_WAIT_SECONDS: '20',
    FEE_MAX_STROOPS: '1000000',
    LOG_LEVEL: 'info',
  };
  const ledger = ['--close-ms', `${CLOSE_MS}`, '--dir', join(dir, 'ledger')];
  const sandbox = {
    kind: 'sandbox' as const,
    name: 'sandbox',
    args: ['sandbox', '--port', `${sandbox_port}`, ...ledger],
    env: () => ({ DATA_DIR: dir, SANDBOX_STEP_MS: '1000' }),
    log_file: join(dir, 'sandbox.log'),
    answers: () => answers(rpc_url, { jsonrpc: '2.0', id: 1, method: 'getHealth' }),
  };
  const service = {
    kind: 'service' as const,
    name: 'service',
    args: ['serve'],
    env: () => env,
    log_file: join(dir, 'service.log'),
    answers: () => answers(`${url}/healthz`),
  };
  return {
    dir,
    env,
    rpc_url,
    friendbot_url: `http://127.0.0.1:${sandbox_port}/friendbot`,
    sandbox: createProgram(sandbox, journal),
    service: createProgram(service, journal),
    credentials: () => ADMIN,
    database: () => ({ ...databaseServer(data_dir), database: 'postgres' }),
    master_key: () => Buffer.from(readFileSync(join(data_dir, 'master-key'), 'utf8'), 'base64'),
    retry_seconds: RETRY_SECONDS,
    treasury_pays: null,
    channel_stroops: null,
    up: async () => {},
    api: (method, path, given) => call(url, method, path, { ...given, timeout_ms: CALL_TIMEOUT_MS }),
  };
}

async function answers(url: string, body?: object): Promise<boolean> {
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  const json = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const response = await fetch(url, { signal, ...(body && json) });
  await response.arrayBuffer();
  return response.ok;
}

type Parts = { receiver: FlakyReceiver; random: Random; say: RunOptions['say'] };

async function drill(site: Site, { receiver, random, say }: Parts): Promise<string[]> {
  await site.sandbox.start();
  await site.service.start();
  await watchDatabase(site);
  const plan = { hook_url: receiver.url, orders_at_once: 2, native_only: true };
  const load = await startLoad(site, random.fork('load'), plan);
  await Promise.all(Array.from({ length: WALLETS }, () => load.addWallet()));
  await phase(site, 'before the backup', say);

  const backup = join(site.dir, 'backup');
  say(lineOf(await run(site, ['backup', 'create', backup]), /^Wrote the backup.*$/m));
  await load.addWallet();
  await phase(site, 'after the backup', say);
  say(lineOf(await run(site, ['backup', 'verify', backup]), /^The backup can be restored.*$/m));
  await switchLog(site);
  await phase(site, 'after the last archived segment', say);

  await lose(site);
  const follows = random.fork('restore').chance(0.5);
  const restored = await run(site, [
    'restore',
    backup,
    ...(follows ? ['--wal', `${site.env.BACKUP_WAL_DIR}`] : []),
  ]);
  say(lineOf(restored, /^Restored into.*$/m));
  say(lineOf(await run(site, ['keys', 'recover']), /^Recovered.*$/m));
  const restored_ms = Date.now();
  await site.service.start();
  const unnamed = await nameDifferences(site, load, say);
  return [...unnamed, ...(await checkAgainstLedger(site, load, { receiver, restored_ms, say }))];
}

/** @throws Error with the output of a command that fails */
async function run(site: Site, args: string[]): Promise<string> {
  const { code, output } = await teller(args, site.env);
  if (code !== 0) throw new Error(`teller ${args.join(' ')} ended with code ${code}:\n${output}`);
  return output;
}

function lineOf(output: string, pattern: RegExp): string {
  const [line] = pattern.exec(output) ?? [];
  if (line === undefined) throw new Error(`no ${pattern} in:\n${output}`);
  return line;
}

async function query(site: Site, text: string): Promise<any[]> {
  const client = new pg.Client(site.database());
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const SETTLED = "select count(*)::int as count from withdrawals where status in ('confirmed', 'failed')";

/** Waits until clients have got PHASE more outcomes. */
async function phase(site: Site, name: string, say: RunOptions['say']): Promise<void> {
  const count = async () => (await query(site, SETTLED))[0].count as number;
  const [began, first] = [performance.now(), await count()];
  await eventually(name, async () => (await count()) >= first + PHASE, PHASE_WITHIN_MS);
  say(
    `${name}: ${await count()} withdrawals with an outcome, after ${Math.round(performance.now() - began)} ms`,
  );
}

async function switchLog(site: Site): Promise<void> {
  const [{ name }] = await query(site, 'select pg_walfile_name(pg_switch_wal()) as name');
  await eventually('the segment is archived', async () => {
    const [row] = await query(site, `select last_archived_wal >= '${name}' as done from pg_stat_archiver`);
    return row.done;
  });
}

/** All at once, as with a machine; only the master key was kept elsewhere. */
async function lose(site: Site): Promise<void> {
  const data_dir = `${site.env.DATA_DIR}`;
  const key_file = join(data_dir, 'master-key');
  const kept = join(site.dir, 'kept-key');
  cpSync(key_file, kept);
  await Promise.all([site.service.kill(), killDatabase(site)]);
  rmSync(data_dir, { recursive: true });
  mkdirSync(data_dir, { mode: 0o711 });
  cpSync(kept, key_file);
}

async function killDatabase(site: Site): Promise<void> {
  const pid = postmasterPid(join(`${site.env.DATA_DIR}`, 'postgres'));
  process.kill(pid, 'SIGKILL');
  await eventually('the end of PostgreSQL', () => !isAlive(pid));
}

/**
 * The step of the runbook: the operator compares what the database has forgotten with the lists of the clients. Gives the
 * payments that nobody named.
 */
async function nameDifferences(site: Site, load: Load, say: RunOptions['say']): Promise<string[]> {
  const { sequence } = await persist(site, () => serverOf(site).getLatestLedger());
  await eventually(
    'every ledger of before is processed',
    async () => (await query(site, `select ledger >= ${sequence} as done from withdrawal_cursor`))[0]?.done,
    SETTLE_WITHIN_MS,
  );
  const unmatched = async () =>
    JSON.parse(await run(site, ['unmatched', '--json'])).transactions as { hash: string }[];
  // The list first: a client that asks again takes its payment off the list, and into the rows.
  const listed = new Set((await unmatched()).map(({ hash }) => hash));
  const rows = new Set(
    (await query(site, 'select stellar_tx_hash as hash from withdrawals')).map(({ hash }) => hash),
  );
  const { transactions } = await createLedgerReader(site.rpc_url, PASSPHRASE)();
  const accounts = new Set((await query(site, 'select account from wallets')).map(({ account }) => account));
  const unnamed = transactions.filter(
    ({ ledger, hash, payments }) =>
      ledger <= sequence &&
      payments.some(({ source }) => accounts.has(source)) &&
      !listed.has(hash) &&
      !rows.has(hash),
  );
  const list = join(site.dir, 'requests');
  const keys = new Set(load.journal.calls.map(({ order }) => order.key));
  writeFileSync(list, [...keys].map((key) => `${key}\n`).join(''));
  const resolved = await run(site, ['unmatched', 'resolve', '--from-requests', list, '--yes']);
  say(`${listed.size} forgotten payments were named; ${lineOf(resolved, /^Done: .*$/m)}`);
  return unnamed.map(({ hash }) => `nobody named ${hash}, which pays from a wallet`);
}

async function checkAgainstLedger(
  site: Site,
  load: Load,
  { receiver, restored_ms, say }: Omit<Parts, 'random'> & { restored_ms: number },
): Promise<string[]> {
  receiver.calmDown();
  await endLeases(site, WAIT_FOR);
  const late = new AbortController();
  const settled = await Promise.race([
    load.finish().then(() => true),
    setTimeout(SETTLE_WITHIN_MS, false, { signal: late.signal }),
  ]);
  late.abort();
  if (!settled) return [`clients still wait after ${SETTLE_WITHIN_MS} ms`];
  const problem = await rest(site, WAIT_FOR);
  const left = JSON.parse(await run(site, ['unmatched', '--json'])).transactions as { hash: string }[];
  const books = await teller(['reconcile'], site.env);
  const gathered = await gather(site, load.journal, {
    receipts: receiver.receipts,
    waited: false,
    restored: true,
  });
  const evidence = withoutForgottenReceipts(gathered, restored_ms);
  say(
    `${evidence.transactions.length} transactions on the ledger, ${evidence.rows.length} withdrawals, ${evidence.deposits.rows.length} deposits`,
  );
  await site.service.stop();
  await site.sandbox.stop();
  return [
    ...(problem === null ? [] : [problem]),
    ...left.map(({ hash }) => `${hash} is unmatched after all keys of all clients were compared`),
    ...(books.code === 0 ? [] : [`the books do not agree: ${books.output}`]),
    ...violations(evidence),
    ...renamedEvents(receiver),
    ...load.journal.unexpected,
    ...unnoticed(evidence),
  ];
}

/** What the database has forgotten of requests before the loss cannot be compared with its rows: events, and whole endpoints. */
function withoutForgottenReceipts(evidence: CrashEvidence, restored_ms: number): CrashEvidence {
  const { webhooks } = evidence;
  const urls = new Set(webhooks.seen.endpoints.map(({ url }) => url));
  const bodies = new Map(webhooks.seen.events.map(({ id, bodies: of }) => [id, of]));
  const isKnown = ({ url, webhook_id, body }: Receipt) =>
    urls.has(url) && bodies.get(webhook_id)?.includes(body) === true;
  const receipts = webhooks.receipts.filter((receipt) => receipt.at_ms >= restored_ms || isKnown(receipt));
  return { ...evidence, webhooks: { ...webhooks, receipts } };
}

/** A deposit that is read again has the event id of before, so that a receiver knows it. Of all requests, before and after. */
function renamedEvents({ receipts }: FlakyReceiver): string[] {
  const ids = new Map<string, Set<string>>();
  for (const { url, webhook_id, body } of receipts) {
    const { event, data } = fromJson(body) as any;
    if (event !== 'deposit.created') continue;
    const deposit = `${url} ${data.stellar_tx_hash} ${data.memo_id} ${data.amount_stroops}`;
    ids.set(deposit, (ids.get(deposit) ?? new Set()).add(webhook_id));
  }
  return [...ids].flatMap(([deposit, of]) => (of.size === 1 ? [] : [`${deposit} was told as ${[...of]}`]));
}

/** A check that cannot fail proves nothing: a second payment of a key and a lost deposit in this very evidence must be noticed. */
function unnoticed(evidence: CrashEvidence): string[] {
  const { rows, transactions, deposits } = evidence;
  const paid = transactions.find(({ hash }) => rows.some(({ stellar_tx_hash }) => stellar_tx_hash === hash));
  const [, ...fewer] = deposits.rows;
  const twice = paid && [...transactions, { ...paid, hash: 'another', inner_hash: 'another' }];
  const tampered = [
    ['a second payment of a key', twice && { ...evidence, transactions: twice }],
    ['a lost deposit', fewer.length > 0 && { ...evidence, deposits: { ...deposits, rows: fewer } }],
  ] as const;
  return tampered.flatMap(([name, other]) => {
    if (!other) return [`there is nothing to try "${name}" with`];
    return violations(other).length > 0 ? [] : [`nobody noticed: ${name}`];
  });
}
