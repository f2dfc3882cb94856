/** A stall of the same primary stops no signing; whatever may be an older copy does. */
import { strict as assert } from 'node:assert';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { LEASE, withdrawalSteps } from '../../../test/support/withdrawal-steps.ts';
import { readWithdrawalCursor } from '../../ledgers/withdrawal-cursor.ts';
import { ingestOutcomes, type Seen } from './ingest-outcomes.ts';
import { createKnownPrimary, type KnownPrimary } from './known-primary.ts';
import { assignTxSources } from './tx-source-store.ts';

/** More than the third of the 600 s for which an envelope is valid: a copy could be as old. */
const STALL_SECONDS = 250n;

let world: InProcessService;
let now_ms = 0;
let primary: KnownPrimary;
const { claim, closeInSteps, waitForOutcomes } = withdrawalSteps(() => world);

before(async () => {
  world = await startInProcess({ WITHDRAW_VALID_SECONDS: '600', CHANNELS_MAX: '0' });
});
after(() => world.close());
beforeEach(async () => {
  primary = createKnownPrimary({ now: () => new Date(now_ms), sleep: () => Promise.resolve() });
  const { close_time } = await world.deps.stellar.latestLedger();
  const cursor = await readWithdrawalCursor(world.deps.db);
  await closeInSteps(cursor && cursor.sign_after > close_time ? cursor.sign_after : close_time + 1n);
  world.sandbox.closeLedger();
  await step();
});

/** What a process that was there before does. */
async function step() {
  const ledger = (await readWithdrawalCursor(world.deps.db))?.ledger ?? 0;
  const seen: Seen = { ledger, primary, told: new Set() };
  let result = await ingestOutcomes(world.deps, seen);
  while (result.behind) result = await ingestOutcomes(world.deps, seen);
  return result.cursor;
}

/** Nobody reads ledgers for so long. */
async function stall(): Promise<void> {
  const { close_time } = await world.deps.stellar.latestLedger();
  while ((await world.deps.stellar.latestLedger()).close_time < close_time + STALL_SECONDS)
    for (let i = 0; i < 50; i++) world.sandbox.closeLedger();
}

const copies = async (standbys: number) => {
  const { identity } = (await readWithdrawalCursor(world.deps.db))?.primary ?? { identity: '' };
  const standby = { name: 'a standby', flushed: null };
  primary.note({ identity, standbys: Array.from({ length: standbys }, () => standby) }, false);
};

test('after a stall of the same primary signing goes on at once', async () => {
  const left = await claim(await world.wallet());
  const { sign_after } = await step();
  await stall();
  const cursor = await step();
  assert.equal(cursor.sign_after, sign_after, 'no hold');
  assert.deepEqual(await assignTxSources(world.deps.db, LEASE), [left.id]);
  await waitForOutcomes([left.id]);
});

test('a process that has just started holds signing after the same stall', async () => {
  await stall();
  primary = createKnownPrimary(world.deps.clock);
  const cursor = await step();
  assert(cursor.sign_after > cursor.close_time);
});

test('a commit that fails does not take the hold with it', async () => {
  const left = await claim(await world.wallet());
  await stall();
  primary = createKnownPrimary(world.deps.clock);
  const db = new Proxy(world.deps.db, {
    get(target, name) {
      if (name === 'transaction') throw new Error('disk full');
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  await assert.rejects(
    ingestOutcomes({ ...world.deps, db }, { ledger: 0, primary, told: new Set() }),
    /disk full/,
  );
  const cursor = await step();
  assert(cursor.sign_after > cursor.close_time);
  assert.deepEqual(await assignTxSources(world.deps.db, LEASE), []);
  await closeInSteps(cursor.sign_after);
  await waitForOutcomes([left.id]);
});

test('tables that were restored from a dump into the same server hold signing', async () => {
  await stall();
  const { db } = world.deps;
  await db.transaction().execute(async (trx) => {
    await sql`create temporary table copied on commit drop as table withdrawal_cursor`.execute(trx);
    await sql`truncate withdrawal_cursor`.execute(trx);
    await sql`insert into withdrawal_cursor table copied`.execute(trx);
  });
  const cursor = await step();
  assert(cursor.sign_after > cursor.close_time);
});

test('a standby that does not come back holds signing; the decision waits 15 s for it', async () => {
  await copies(1);
  const before = await step();
  await stall();
  assert.equal((await step()).ledger, before.ledger, 'undecided: the cursor stays');
  now_ms += 14_999;
  assert.equal((await step()).ledger, before.ledger);
  now_ms += 1;
  const cursor = await step();
  assert(cursor.ledger > before.ledger);
  assert(cursor.sign_after > cursor.close_time);
});

const at = (identity: string, standbys: Record<string, number | null>) => ({
  identity,
  standbys: Object.entries(standbys).map(([name, flushed]) => ({ name, flushed })),
});

test('the rest of a long way waits no 15 s again', () => {
  const clock = { at: 0, now: () => new Date(clock.at), sleep: () => Promise.resolve() };
  const known = createKnownPrimary(clock);
  const away = at('a', {});
  known.note(at('a', { one: 10 }), false);
  assert.equal(known.classify(away), 'undecided');
  clock.at += 15_000;
  assert.equal(known.classify(away), 'unknown');
  known.note(away, true);
  assert.equal(known.classify(away), 'unknown');
  known.note(away, false);
  assert.equal(known.classify(away), 'undecided', 'the next stall is another question');
});

test('a long way of more than 15 s is no sign against standbys that copy the primary all the time', () => {
  const clock = { at: 0, now: () => new Date(clock.at), sleep: () => Promise.resolve() };
  const known = createKnownPrimary(clock);
  known.note(at('a', { one: 10 }), false);
  for (let step = 1; step < 5; step++) {
    assert.equal(known.classify(at('a', { one: 10 * step })), 'undecided');
    known.expect(10 * step);
    assert.equal(known.classify(at('a', { one: 10 * step + 5 })), 'same');
    known.note(at('a', { one: 10 * step + 5 }), true);
    clock.at += 15_000;
  }
});

test('only standbys that have log of after the question show that none was promoted', () => {
  const known = createKnownPrimary({ now: () => new Date(0), sleep: () => Promise.resolve() });
  known.note(at('a', { one: 10, two: 10 }), false);
  known.note(at('a', { one: 20 }), false); // two was away already before the stall
  assert.equal(
    known.classify(at('a', { one: 20, two: 20 })),
    'undecided',
    'both may have been cut off since',
  );
  known.expect(30);
  assert.equal(known.classify(at('a', { one: 30, two: 40 })), 'undecided');
  assert.equal(known.classify(at('a', { two: 40 })), 'undecided');
  assert.equal(known.classify(at('a', { one: 40, three: 40 })), 'undecided', 'another one is in its place');
  assert.equal(known.classify(at('a', { one: 40, two: null })), 'undecided', 'a role that may not see it');
  known.expect(50); // the first write stays the measure
  assert.equal(known.classify(at('a', { one: 31, two: 40 })), 'same');
  assert.equal(known.classify(at('b', { one: 31, two: 40 })), 'unknown');
  known.note(at('a', { one: 40, two: 40 }), false);
  assert.equal(
    known.classify(at('a', { one: 60, two: 60 })),
    'undecided',
    'the next stall is another question',
  );
});
