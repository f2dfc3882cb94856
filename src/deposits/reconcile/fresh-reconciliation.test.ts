import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { booksOf } from '../../../test/support/books.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { createFreshReconciliation } from './fresh-reconciliation.ts';

let world: InProcessService;
const books = booksOf(() => world);

before(async () => {
  world = await startInProcess({ CHANNELS_MAX: '0' });
  await books.catchUp();
});
after(() => world.close());

test('a comparison that another process makes at the same time, at a later ledger, is given, and no refusal', async () => {
  const wallet = await world.wallet();
  await books.catchUp();
  let later = 0;
  const { stellar } = world.deps;
  const readBalances: typeof stellar.readBalances = async (holders) => {
    const balances = await stellar.readBalances(holders);
    await books.paid(wallet, 1);
    later = (await books.assertAgrees(wallet)).ledger;
    return balances;
  };
  const fresh = createFreshReconciliation({ ...world.deps, stellar: { ...stellar, readBalances } });
  const [row] = await fresh(wallet);
  assert(later > 0);
  assert.equal(row?.ledger, later);
});
