import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { type InProcessService, startInProcess } from '../../test/support/in-process-service.ts';
import { newestProcessedLedger, readBothCursors } from './both-cursors.ts';

let world: InProcessService;
before(async () => {
  world = await startInProcess();
});
after(() => world.close());

/** Each cursor at a ledger, or without a row. */
async function put(ledgers: { deposit: number | null; withdrawal: number | null }): Promise<void> {
  for (const [name, ledger] of Object.entries(ledgers)) {
    const table = `${name}_cursor` as 'deposit_cursor' | 'withdrawal_cursor';
    await world.deps.db.deleteFrom(table).execute();
    if (ledger !== null) await world.deps.db.insertInto(table).values({ ledger, close_time: 0n }).execute();
  }
}

test('a ledger is processed by both when the older cursor has it, and by somebody when the newer has', async () => {
  const { db } = world.deps;
  for (const [deposit, withdrawal, both, newest] of [
    [7, 9, 7, 9],
    [9, 7, 7, 9],
    [7, null, undefined, 7],
    [null, 7, undefined, 7],
    [null, null, undefined, null],
  ] as const) {
    await put({ deposit, withdrawal });
    assert.equal((await readBothCursors(db))?.ledger, both);
    assert.equal(await newestProcessedLedger(db), newest);
  }
});
