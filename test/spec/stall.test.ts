/** The database stands still for longer than a third of an envelope's validity, and answers again: nothing has to wait for that. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import pg from 'pg';
import { eventually } from '../support/eventually.ts';
import { type RunningService, startRunningService } from '../support/running-service.ts';

/** Of ledger time; ten of them are a second of ours. A third of it is the shortest stall that a copy could be as old as. */
const VALID_SECONDS = 120;
const HOLD = /nothing is signed for some time/;

let world: RunningService | undefined;
after(() => world?.stop());

it('a lock that stops the reading of ledgers for half a validity delays withdrawals for its own length only', async () => {
  world = await startRunningService({ WITHDRAW_VALID_SECONDS: `${VALID_SECONDS}` });
  const { service, ledger, environment } = world;
  const wallet = await world.newWallet();
  const sink = await ledger.fund();
  const pay = (amount_stroops: bigint) =>
    (world as RunningService).withdraw(wallet, { destination: sink.publicKey(), amount_stroops });
  assert.equal((await pay(5n)).status, 201);
  const newest = async () => (await ledger.server.getHealth()).latestLedger;

  const locker = new pg.Client({ connectionString: environment.DATABASE_URL });
  await locker.connect();
  await locker.query('begin; lock table withdrawal_cursor in access exclusive mode');
  const began = await newest();
  await eventually('half a validity', async () => (await newest()) > began + VALID_SECONDS / 2);
  const waiting = pay(6n);
  await locker.query('commit');
  await locker.end();

  const { status, body } = await waiting;
  assert.equal(status, 201);
  assert.equal(body.data.status, 'confirmed');
  assert.doesNotMatch(service.output(), HOLD);
});
