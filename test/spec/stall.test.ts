/**
 * The database stands still for longer than a third of an envelope's validity, and answers again. After the same primary, signing
 * goes on at once. After a server that may be another one, signing waits.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, it } from 'node:test';
import pg from 'pg';
import { eventually } from '../support/eventually.ts';
import { type RunningService, startRunningService } from '../support/running-service.ts';
import { teller } from '../support/service.ts';
import { type Standby, startStandby } from '../support/standby.ts';

/** Of ledger time; ten of them are a second of ours. A third of it is the shortest stall that a copy could be as old as. */
const VALID_SECONDS = 120;
const HOLD = /nothing is signed for some time/;

const stops: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const stop of stops.reverse()) await stop();
});

async function start(options: { embedded?: boolean } = {}) {
  const world = await startRunningService({ WITHDRAW_VALID_SECONDS: `${VALID_SECONDS}` }, options);
  stops.push(() => world.stop());
  const db = new pg.Client({ connectionString: world.environment.DATABASE_URL });
  await db.connect();
  stops.push(() => db.end());
  const wallet = await world.newWallet();
  const sink = await world.ledger.fund();
  const pay = () => world.withdraw(wallet, { destination: sink.publicKey(), amount_stroops: 5n });
  assert.equal((await pay()).status, 201);
  return { world, db, pay, output: world.service.output };
}

/** Lets nobody read ledgers for half a validity, calls `change` in that time, and asks for a withdrawal. */
async function stall({ world, db, pay }: Awaited<ReturnType<typeof start>>, change?: () => Promise<void>) {
  const newest = async () => (await world.ledger.server.getHealth()).latestLedger;
  await db.query('begin; lock table withdrawal_cursor in access exclusive mode');
  const began = await newest();
  await change?.();
  await eventually('half a validity', async () => (await newest()) > began + VALID_SECONDS / 2);
  const waiting = pay();
  await db.query('commit');
  return waiting;
}

function assertPaid({ status, body }: Awaited<ReturnType<RunningService['withdraw']>>) {
  assert.equal(status, 201);
  assert.equal(body.data.status, 'confirmed');
}

it('a lock that stops the reading of ledgers for half a validity delays withdrawals for its own length only', async () => {
  const service = await start();
  assertPaid(await stall(service));
  assert.doesNotMatch(service.output(), HOLD);
});

it('a standby holds signing after a stall only when it no longer copies the primary, be its connection open', async () => {
  const service = await start({ embedded: true });
  const cluster_dir = join(service.world.environment.DATA_DIR as string, 'postgres');
  const standby: Standby = await startStandby(service.db, cluster_dir);
  stops.push(() => standby.stop());
  const started = await teller(['migrate'], {
    DATABASE_URL: standby.url,
    MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
  });
  assert.match(started.output, /^The database is in recovery: .* DATABASE_URL must name the primary\.\n$/);
  assertPaid(await service.pay()); // the process has seen the standby
  assertPaid(await stall(service));
  assert.doesNotMatch(service.output(), HOLD, 'the standby still copies the primary');

  assertPaid(await stall(service, () => standby.freeze()));
  // It may be cut off, and promoted. The log comes through a pipe, and may come later than the answer.
  await eventually('the line of the hold', () => HOLD.test(service.output()));
  standby.thaw();
});
