/** The alerts that rest on gauges of what is: each fires within two minutes of its incident, and ends with it. */
import { strict as assert } from 'node:assert';
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../../test/support/eventually.ts';
import { firesIn, firingAlerts, hasPromtool, NO_PROMTOOL } from '../../test/support/firing-alerts.ts';
import { type InProcessService, startInProcess } from '../../test/support/in-process-service.ts';
import { sampleOf } from '../../test/support/metrics-text.ts';
import { databaseUrl } from '../../test/support/postgres.ts';
import { startReceiver } from '../../test/support/receiver.ts';
import { temporaryDirectory } from '../../test/support/service.ts';
import { runOnSmallDisk } from '../../test/support/small-disk.ts';
import { storageForDatabases } from '../../test/support/storage.ts';
import { startWebhookWorld } from '../../test/support/webhooks.ts';
import { withdrawalSteps } from '../../test/support/withdrawal-steps.ts';
import { watchArchive } from '../cli/watch-archive.ts';
import { openDatabase } from '../db/database.ts';
import { createLeadership } from '../db/leadership.ts';
import type { Deps } from '../deps.ts';
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import { acceptTransaction } from '../ledgers/unmatched-store.ts';
import { createLog } from '../lib/log.ts';
import { createMetrics } from '../lib/metrics.ts';
import { Deliverer } from '../webhooks/delivery/deliverer.ts';
import { countForMetrics } from '../webhooks/upkeep.ts';
import { createDatabaseGauges } from './database-gauges.ts';

let world: InProcessService;
const { claim, namingNoKeys, processLedgers, waitForOutcomes } = withdrawalSteps(() => world);
before(async () => {
  world = await startInProcess({ CHANNELS_MAX: '0' });
  await processLedgers();
});
after(() => world.close());

/** What a process that begins now says of the database, to somebody who asks so many seconds later. */
async function saysOf(deps: Deps, seconds_later = 0): Promise<string> {
  const metrics = createMetrics();
  for (const unused of [metrics.treasury_spendable_stroops, metrics.key_journal_writable]) unused.remove();
  metrics.leads.set({ work: 'deposits' }, 1);
  const now = () => new Date(deps.clock.now().getTime() + seconds_later * 1000);
  await createDatabaseGauges({ ...deps, metrics, clock: { ...deps.clock, now } })();
  await countForMetrics({ ...deps, metrics });
  return metrics.registry.metrics();
}
const says = async (seconds_later = 0) => {
  world.sandbox.closeLedger();
  await processLedgers();
  return saysOf(world.deps, seconds_later);
};

function assertTold(alert: string, [sound, broken, mended]: [string, string, string]): void {
  assert.deepEqual(firingAlerts(sound, broken, mended), [[], [alert], []]);
}

const skip = hasPromtool() ? false : NO_PROMTOOL;

test('one wallet whose seed does not open, while another pays', { skip }, async () => {
  const { db } = world.deps;
  const [broken, sound] = [await world.wallet(), await world.wallet()];
  const before = await says();
  const flip = () =>
    db
      .updateTable('wallets')
      .set({ sealed_seed: sql`set_byte(sealed_seed, 40, get_byte(sealed_seed, 40) # 1)` })
      .where('id', '=', broken.id)
      .execute();
  await flip();
  const [stuck, paid] = [await claim(broken), await claim(sound)];
  await waitForOutcomes([paid.id]);
  const during = await says();
  await flip();
  await waitForOutcomes([stuck.id]);
  assertTold('TellerTxSourceBlocked', [before, during, await says()]);
});

test('a withdrawal that gets no outcome', { skip }, async () => {
  const before = await says();
  const { id } = await claim(await world.wallet());
  await processLedgers();
  const during = await saysOf(world.deps, 91);
  await waitForOutcomes([id]);
  assert.deepEqual(firesIn('TellerWithdrawalLate', before, during, await says()), [false, true, false]);
});

test('ledgers that nobody processes', { skip }, async () => {
  const before = await says();
  const during = await saysOf(world.deps, 3600); // the ledgers of these tests close ahead of the clock
  assertTold('TellerLedgersNotProcessed', [before, during, await says()]);
});

test('a transaction that somebody else makes with the key of a wallet', { skip }, async () => {
  const { db, clock } = world.deps;
  const before = await says();
  const cursor = await db.selectFrom('withdrawal_cursor').selectAll().executeTakeFirstOrThrow();
  const { id } = await claim(await world.wallet());
  await waitForOutcomes([id]);
  await db.deleteFrom('withdrawals').where('id', '=', id).execute();
  await db.updateTable('withdrawal_cursor').set(cursor).execute();
  await processLedgers(namingNoKeys());
  const during = await says();
  const { hash } = await db.selectFrom('unmatched_transactions').select('hash').executeTakeFirstOrThrow();
  await acceptTransaction(db, hash, clock.now());
  assertTold('TellerUnmatchedTransaction', [before, during, await says()]);
});

test('two processes that had the lead at once', { skip }, async () => {
  const disputedAt = (minutes_ago: number) =>
    sql`update leaderships set disputed_at = now() - make_interval(mins => ${minutes_ago}) where work = 'deposits'`;
  const leadership = createLeadership(world.deps, 'deposits');
  await leadership.hold();
  await leadership.release();
  const before = await says();
  await disputedAt(0).execute(world.deps.db);
  const during = await says();
  await disputedAt(60).execute(world.deps.db);
  assertTold('TellerTwoLeaders', [before, during, await says()]);
});

/** What a process says of the disk of its data: at first, when it is full, and when it has room again. */
const ON_A_SMALL_DISK = `
  const { closeSync, openSync, rmSync, writeSync } = await import('node:fs');
  const { watchDisks } = await import(process.env.SRC + '/cli/watch-disks.ts');
  const { createMetrics } = await import(process.env.SRC + '/lib/metrics.ts');
  const { systemClock } = await import(process.env.SRC + '/lib/clock.ts');
  const { createLog } = await import(process.env.SRC + '/lib/log.ts');
  const said = [];
  async function look() {
    const [metrics, stops] = [createMetrics(), []];
    metrics.leads.set({ work: 'deposits' }, 1);
    const config = { data_dir: process.env.TARGET, key_journal: null, backup_wal_dir: null };
    const log = createLog('silent', false);
    await watchDisks({ config, key_journal: { path: null }, clock: systemClock, log, metrics }, stops);
    for (const stop of stops) await stop();
    said.push((await metrics.registry.metrics()).split('\\n').filter((line) => /^teller_(disk|leads)/.test(line)).join('\\n'));
  }
  await look();
  const filler = openSync(process.env.TARGET + '/filler', 'w');
  try { for (;;) writeSync(filler, Buffer.alloc(4096)); } catch {}
  await look();
  closeSync(filler);
  rmSync(process.env.TARGET + '/filler');
  await look();
  console.log(JSON.stringify(said));
`;

test('a disk that is full', { skip }, (t) => {
  const target = temporaryDirectory();
  const env = { SRC: join(import.meta.dirname, '..'), TARGET: target };
  const ran = runOnSmallDisk(
    [process.execPath, ...process.execArgv, '--input-type=module', '-e', ON_A_SMALL_DISK],
    {
      size: '2m',
      target,
      cwd: import.meta.dirname,
      env,
    },
  );
  if (ran === null) return t.skip('needs the right to mount a small file system');
  assert.equal(ran.status, 0, ran.stderr);
  assertTold('TellerDiskFull', JSON.parse(ran.stdout.split('\n')[0] ?? ''));
});

test('an archive that takes no segment of the log of the embedded database', { skip }, async (t) => {
  const folder = mkdtempSync(join(await storageForDatabases(), 'teller-incident-'));
  chmodSync(folder, 0o755); // as root the database runs as somebody else, who must get there
  const wal_dir = join(folder, 'wal');
  const log = createLog('silent', false);
  const server = await startEmbeddedPostgres({ data_dir: join(folder, 'data'), log, fsync: false, wal_dir });
  const { db, close } = openDatabase(databaseUrl(server, 'postgres'), log);
  t.after(async () => {
    await close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const config = { ...world.deps.config, database_url: undefined, backup_wal_dir: wal_dir };
  async function look(): Promise<string> {
    const [metrics, stops] = [createMetrics(), [] as (() => Promise<void>)[]];
    metrics.leads.set({ work: 'deposits' }, 1);
    watchArchive({ ...world.deps, db, log, config, metrics }, stops);
    const text = await eventually('a look at the archive', async () => {
      const said = await metrics.registry.metrics();
      const looked = sampleOf(said, 'teller_loop_success_timestamp_seconds', { loop: 'log archive' });
      return looked > 0 ? said : null;
    });
    for (const stop of stops) await stop();
    const lines = text.split('\n').filter((line) => /^teller_(wal_archive|leads)/.test(line));
    return lines.join('\n');
  }
  async function looksAs(refused: number): Promise<string> {
    await sql`select pg_logical_emit_message(false, 't', 'x')`.execute(db);
    await sql`select pg_switch_wal()`.execute(db); // the archiver tries again at once
    return eventually(`refused: ${refused}`, async () => {
      const said = await look();
      return sampleOf(said, 'teller_wal_archive_refused') === refused ? said : null;
    });
  }
  const before = await looksAs(0);
  renameSync(wal_dir, `${wal_dir}.away`);
  writeFileSync(wal_dir, ''); // so that nothing makes the folder again
  const during = await looksAs(1);
  rmSync(wal_dir);
  renameSync(`${wal_dir}.away`, wal_dir);
  assertTold('TellerLogNotArchived', [before, during, await looksAs(0)]);
});

test('deliveries that nobody sends, and an endpoint that refuses every delivery', { skip }, async (t) => {
  const hooks = await startWebhookWorld();
  const { deps, clock } = hooks;
  const receiver = await startReceiver();
  const deliverer = new Deliverer(deps, { random: () => 0.5 });
  t.after(async () => {
    await deliverer.stop();
    await receiver.close();
    await hooks.close();
  });
  const deliver = async () => {
    while (await deliverer.step()) await deliverer.idle();
  };
  receiver.answer(500);
  await hooks.register(receiver.url);
  const before = await saysOf(deps);
  await hooks.deposit();
  clock.advance(61_000);
  const unsent = await saysOf(deps);
  await deliver();
  const sent = await saysOf(deps);
  for (let waited_seconds = 0; waited_seconds < 310; waited_seconds += 31) {
    clock.advance(31_000);
    await deliver();
  }
  const refused = await saysOf(deps);
  receiver.answer(200);
  clock.advance(600_000);
  await deliver();
  assert.deepEqual(firingAlerts(before, unsent, sent, refused, await saysOf(deps)), [
    [],
    ['TellerDeliveriesLate'],
    [],
    ['TellerEndpointFails'],
    [],
  ]);
});
