/** Whatever a key provider does at any of its calls, a withdrawal is paid once, and none fails that can still be signed. */
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { addChannel } from '../../../test/support/channels.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { type FakeKms, startFakeKms } from '../../../test/support/fake-kms.ts';
import { isLong } from '../../../test/support/form.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { LEASE, withdrawalSteps } from '../../../test/support/withdrawal-steps.ts';
import { describeTxSources } from '../operator/tx-sources.ts';
import { signBatch } from './sign-batch.ts';
import { assignTxSources } from './tx-source-store.ts';

const AMOUNT = 20_000_000n;

let kms: FakeKms;
let world: InProcessService;
const { read, claim, waitForOutcomes, balanceOf, processLedgers } = withdrawalSteps(() => world);

before(async () => {
  kms = await startFakeKms();
  process.env.AWS_ACCESS_KEY_ID = kms.env.AWS_ACCESS_KEY_ID;
  process.env.AWS_SECRET_ACCESS_KEY = kms.env.AWS_SECRET_ACCESS_KEY;
  world = await startInProcess({ ...kms.env, WITHDRAW_VALID_SECONDS: '600', CHANNELS_MAX: '0' });
  await addChannel(world);
  await processLedgers();
});
after(async () => {
  await world.close();
  await kms.close();
});

/** As many calls as an operation makes while nothing fails. */
async function callsOf(work: () => Promise<unknown>): Promise<number> {
  const calls = kms.calls.length;
  await work();
  return kms.calls.length - calls;
}

async function usableAgain(): Promise<void> {
  kms.fail(null);
  await eventually('the provider is used again', async () => {
    await world.deps.data_keys?.provider.check();
    return world.deps.data_keys?.provider.state().ok || null;
  });
}

/** In the short form: it did its work, or it did not; trying again helps, or it does not. */
const SHORT = ['no answer, though it has done its work', 'one answer lost', 'denied'];
// As often as the provider is asked before it gives up: 3 times, or once where another try would be in vain.
const ALL_FAULTS = [
  ['no answer, though it has done its work', 'cut', 3],
  ['a broken connection', 'reset', 3],
  ['a page of a proxy', 'html', 3],
  ['one answer lost', 'cut', 1],
  ['denied', { error: 'AccessDeniedException' }, 1],
  ['disabled', { error: 'DisabledException' }, 1],
  ['throttled', { error: 'ThrottlingException' }, 3],
] as const;
const FAULTS = ALL_FAULTS.filter(([name]) => isLong || SHORT.includes(name));

test('at each call of a payment, each fault only costs time', async () => {
  const wallet = await world.wallet();
  const paying = async () => {
    const rows = [await claim(wallet), await claim(wallet)]; // by the wallet itself, and by a channel account
    await waitForOutcomes(rows.map(({ id }) => id));
    return rows;
  };
  const calls = await callsOf(paying);
  assert(calls >= 2, 'the seeds of the wallet and of the channel account');
  for (const [name, fault, times] of FAULTS) {
    for (let at = 0; at < calls; at++) {
      kms.fail(fault, times, at);
      for (const { id, destination } of await paying()) {
        assert.equal((await read(id)).status, 'confirmed', `${name} at call ${at}`);
        assert.equal(await balanceOf(destination), AMOUNT, `${name} at call ${at}`);
      }
      await usableAgain();
    }
  }
});

test('at each call of the making of a wallet, each fault leaves no row, or the whole wallet', async () => {
  const { db } = world.deps;
  const rows = () => db.selectFrom('wallets').select('id').execute();
  const calls = await callsOf(() => world.wallet());
  for (const [name, fault, times] of FAULTS) {
    for (let at = 0; at < calls; at++) {
      const before_it = (await rows()).length;
      kms.fail(fault, times, at);
      const made = await world.wallet().catch((error: { code?: string }) => {
        assert.equal(error.code, 'key_provider_unavailable', `${name} at call ${at}`);
        return null;
      });
      assert.equal((await rows()).length, before_it + (made ? 1 : 0), `${name} at call ${at}`);
      await usableAgain();
      if (made) assert((await claim(made)).id);
    }
  }
});

test('seeds that cannot be read are reported at their own rows, and the others of the round are signed', async () => {
  const { db } = world.deps;
  const [cut, strange, sound] = [await world.wallet(), await world.wallet(), await world.wallet()];
  const sealedOf = async (id: string) =>
    (await db.selectFrom('wallets').select('sealed_seed').where('id', '=', id).executeTakeFirstOrThrow())
      .sealed_seed;
  const other_master = Buffer.from(await sealedOf(strange.id));
  other_master.fill(0xee, 1, 5);
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx); // without the triggers
    const damaged = { [cut.id]: (await sealedOf(cut.id)).subarray(0, 9), [strange.id]: other_master };
    for (const [id, sealed_seed] of Object.entries(damaged))
      await trx.updateTable('wallets').set({ sealed_seed }).where('id', '=', id).execute();
  });
  const ids: string[] = [];
  for (const wallet of [cut, strange, sound]) ids.push((await claim(wallet)).id);
  await processLedgers();
  await assignTxSources(db, LEASE);
  const { signed, gone } = await signBatch(world.deps, ids, LEASE.until);
  assert.deepEqual([signed.map(({ id }) => id), gone], [[ids[2]], []]);
  const told = await describeTxSources(world.deps);
  for (const { account } of [cut, strange])
    assert.match(told, new RegExp(`${account}: 1 waiting. A withdrawal cannot be signed`));
});
