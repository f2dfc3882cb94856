import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { ACTOR } from '../../test/support/acting.ts';
import {
  closingLedgers,
  type InProcessService,
  startInProcess,
} from '../../test/support/in-process-service.ts';
import { AppError } from '../lib/errors.ts';
import type { NewJournalKey } from '../vault/key-journal.ts';
import { createWallet } from './create-wallet.ts';

let world: InProcessService;
let owner_id: string;
before(async () => {
  world = await startInProcess({});
  owner_id = (await world.wallet()).owner_id;
});
after(() => world.close());

const countWallets = async () => (await world.deps.db.selectFrom('wallets').select('id').execute()).length;
const withJournal = (record: (keys: NewJournalKey[]) => Promise<void>) => ({
  ...world.deps,
  key_journal: { ...world.deps.key_journal, path: 'journal', record },
});

test('a wallet is in the key journal, as it is sealed in its row, before its row is committed', async () => {
  const recorded: NewJournalKey[] = [];
  const before = await countWallets();
  const journaling = withJournal(async (keys) => {
    recorded.push(...keys);
    assert.equal(await countWallets(), before);
  });
  const { wallet } = await closingLedgers(
    world.sandbox,
    createWallet(journaling, { owner_id, name: 'w' }, ACTOR),
  );
  const { id, account } = wallet;
  const { sealed_seed } = await world.deps.db
    .selectFrom('wallets')
    .select('sealed_seed')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  assert.deepEqual(
    recorded.map((key) => [key.id, key.account, key.sealed_seed, key.owner_id]),
    [[id, account, sealed_seed, owner_id]],
  );
});

test('a wallet whose key cannot be journaled is not made: 503', async () => {
  const before = await countWallets();
  const full = withJournal(() => Promise.reject(new AppError('key_journal_unavailable', 'full')));
  await assert.rejects(createWallet(full, { owner_id, name: 'w' }, ACTOR), {
    code: 'key_journal_unavailable',
  });
  assert.equal(await countWallets(), before);
});
