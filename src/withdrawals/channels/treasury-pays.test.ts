/** Which account pays for wallets, and what a start says when there is none. */
import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { temporaryDirectory } from '../../../test/support/service.ts';
import { signWith } from '../../../test/support/sign.ts';
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { newestTreasury } from './channel-store.ts';
import { readTreasury, refusalOfTreasury, requireTreasury } from './treasury-pays.ts';

let world: InProcessService;
const dir = temporaryDirectory();

before(async () => {
  world = await startInProcess();
});
after(() => world.close());

const configured = (config: Partial<Config>): Deps => ({
  ...world.deps,
  config: { ...world.deps.config, treasury_pays: { fees: true, reserves: true }, ...config },
});

function seedFile(key: Keypair): string {
  const file = join(dir, key.publicKey());
  writeFileSync(file, `${key.secret()}\n`);
  return file;
}

test('on the public network a start without a treasury says how to give one; without TREASURY_PAYS none is needed', async () => {
  await assert.rejects(
    requireTreasury(configured({ network: 'public' })),
    /TREASURY_PAYS.*TREASURY_SEED_FILE/,
  );
  await requireTreasury(configured({ network: 'public', treasury_pays: { fees: false, reserves: false } }));
  assert.equal(await newestTreasury(world.deps.db), undefined);
});

test('a treasury that is not on the public network is refused as one without money; on others friendbot funds it', async () => {
  const treasury_seed_file = seedFile(Keypair.random());
  const publicly = configured({ network: 'public', treasury_seed_file });
  await requireTreasury(publicly);
  assert.equal(await readTreasury(publicly), null);
  const refusal = await refusalOfTreasury(publicly, { operation: 'payment' }, 100n);
  assert.deepEqual([refusal?.code, refusal?.status], ['treasury_unfunded', 503]);
  const refused = refusalOfTreasury(configured({}), { operation: 'payment' }, 100n);
  const closing = setInterval(() => world.sandbox.closeLedger(), 20);
  assert.equal(await refused, null);
  clearInterval(closing);
});

test('each part is asked for only where it is due: fees always, reserves of new trust lines', async () => {
  const spendable = async () => (await readTreasury(configured({})))?.state.spendable_stroops ?? 0n;
  const fee_max_stroops = 10n ** 15n;
  const rate = await spendable(); // twice as much is more than it has
  const fees = configured({ treasury_pays: { fees: true, reserves: false }, fee_max_stroops });
  const reserves = configured({ treasury_pays: { fees: false, reserves: true }, fee_max_stroops });
  for (const operation of ['payment', 'add_trust_line', 'remove_trust_line'] as const) {
    assert.equal((await refusalOfTreasury(fees, { operation }, rate))?.code, 'treasury_unfunded');
    assert.equal(await refusalOfTreasury(reserves, { operation }, rate), null);
  }
});

test('the account of a wallet is no treasury', async () => {
  const key = Keypair.random();
  const wallet = await world.wallet();
  await world.deps.db
    .updateTable('wallets')
    .set({ account: key.publicKey() })
    .where('id', '=', wallet.id)
    .execute();
  await assert.rejects(
    requireTreasury(configured({ treasury_seed_file: seedFile(key) })),
    /is the account of a wallet/,
  );
  assert.notEqual((await newestTreasury(world.deps.db))?.account, key.publicKey(), 'and pays nothing');
});

test('the seed that was given last pays, though it was known before; its row has the seed sealed for its new id', async () => {
  const { db, vault } = world.deps;
  const [first, second] = [Keypair.random(), Keypair.random()];
  for (const key of [first, second, first, first]) {
    await requireTreasury(configured({ treasury_seed_file: seedFile(key) }));
    const newest = await newestTreasury(db);
    assert.equal(newest?.account, key.publicKey());
    const public_key = Buffer.from(key.rawPublicKey());
    const hash = Buffer.alloc(32, 7);
    const signature = await signWith(vault, newest.sealed_seed, { id: newest.id, public_key }, hash);
    assert(key.verify(hash, signature));
  }
  const rows = await db.selectFrom('treasury').select('account').execute();
  assert.equal(rows.filter(({ account }) => account === first.publicKey()).length, 1);
});
