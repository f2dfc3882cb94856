/**
 * Two files: one of two rows, of which the ledger fails one, that is started, paused, resumed and retried; and one that is
 * cancelled once it is started. An endpoint has chosen to be told of the ends.
 */
import { strict as assert } from 'node:assert';
import { registerEndpoint } from '../../src/webhooks/endpoints/endpoints.ts';
import type { PayoutFile, PayoutVerb } from '../oracle/payout-evidence.ts';
import { onId } from '../support/acting.ts';
import { pastAllGates, type Scenario, SMALLEST } from './exhaustive.ts';
import { newOrder } from './orders.ts';
import { changePayout, upload } from './payout-users.ts';
import type { SimulatedService } from './simulated-service.ts';

const MOST_TRIES = 20;
const PAUSE_MS = 3_000;
const ENDED = ['completed', 'cancelled'];

export const scenarioOfPayouts: Scenario = {
  name: 'payouts',
  setting: {
    ...SMALLEST,
    env: { CHANNELS_MAX: '0', WITHDRAW_VALID_SECONDS: '30', WITHDRAW_WAIT_SECONDS: '60' },
    ...{ roles: ['settler', 'payouts'] },
  },
  async play(world) {
    const [wallet] = world.accounts.wallets;
    assert(wallet);
    await pastAllGates(world, (deps) =>
      registerEndpoint(deps, onId(wallet.id), {
        ...{ url: 'https://93.184.216.34/ends', description: null, events: ['payout.completed'] },
      }),
    );
    await Promise.all([playRetried(world), playCancelled(world)]);
  },
};

async function playRetried(world: SimulatedService): Promise<void> {
  const file = fileOf(world, ['create', 'plain']);
  const [created, other] = file.rows;
  assert(created && other);
  // The first row makes the account, so the second, which is to make it too, fails. Its retry is an ordinary payment.
  other.destination = created.destination;
  const id = await insist(world, file);
  if (id === null) return;
  await until(world, id, 'start', ['running', 'completed']);
  await until(world, id, 'pause', ['paused', 'completed']);
  await until(world, id, 'resume', ['running', 'completed']);
  await until(world, id, null, ENDED);
  await until(world, id, 'retry', ENDED);
}

async function playCancelled(world: SimulatedService): Promise<void> {
  const id = await insist(world, fileOf(world, ['memo']));
  if (id === null) return;
  await until(world, id, 'start', ['running', 'completed']);
  await until(world, id, 'cancel', ENDED);
}

function fileOf({ desk, accounts }: SimulatedService, kinds: Parameters<typeof newOrder>[1]): PayoutFile {
  const rows = kinds.map((kind) => newOrder(desk, [kind], desk.serial++));
  const name = `file ${desk.serial++}`;
  return { name, wallet_id: accounts.wallets[0]?.id ?? '', confirm_duplicates: false, rows };
}

/** Uploads the file until the service has it: a lost answer may be that of a payout that was made. */
async function insist(
  { desk, office, scheduler, world }: SimulatedService,
  file: PayoutFile,
): Promise<string | null> {
  for (let tries = MOST_TRIES; tries > 0; tries--) {
    const [made] = await office.ask('select id from payouts where name = $1 order by id', [file.name]);
    if (made) return made.id;
    await upload(desk, file);
    await scheduler.sleep(world, PAUSE_MS);
  }
  return null;
}

/** Asks again until the payout has one of the statuses. */
async function until(
  { desk, office, scheduler, world }: SimulatedService,
  payout_id: string,
  verb: PayoutVerb | null,
  statuses: string[],
): Promise<void> {
  for (let tries = MOST_TRIES; tries > 0; tries--) {
    const [payout] = await office.ask('select status, wallet_id from payouts where id = $1', [payout_id]);
    const retries = await office.ask('select id from payouts where retry_of = $1', [payout_id]);
    if (verb === 'retry' ? retries.length > 0 : statuses.includes(payout.status)) return;
    if (verb) await changePayout(desk, { payout_id, wallet_id: payout.wallet_id, verb, order_hash: null });
    await scheduler.sleep(world, PAUSE_MS);
  }
}
