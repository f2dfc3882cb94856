/**
 * Two withdrawals of one wallet, on its own account and on a channel, fee-bumped because others bid more; and two to one new account,
 * of which one creates the account.
 */
import { Operation } from '@stellar/stellar-sdk/base';
import type { Random } from '../support/random.ts';
import { ask } from './clients.ts';
import { type Scenario, SMALLEST } from './exhaustive.ts';
import { newOrder } from './orders.ts';
import type { SimulatedService } from './simulated-service.ts';

export const scenarioOfWithdrawals: Scenario = {
  name: 'withdrawals',
  setting: {
    ...SMALLEST,
    env: { CHANNELS_MAX: '0', WITHDRAW_VALID_SECONDS: '30', WITHDRAW_WAIT_SECONDS: '60' },
    nodes: 2,
    channels: 1,
    roles: ['settler'],
  },
  async play(world) {
    const { desk, scheduler } = world;
    crowd(world);
    const insist = async (random: Random, kinds: Parameters<typeof newOrder>[1] = ['plain', 'memo']) => {
      const order = newOrder({ ...desk, random }, kinds, desk.serial++);
      for (let tries = 0; tries < 10; tries++) {
        const answer = await ask(desk, order);
        if (answer && answer.status < 500 && answer.code !== 'idempotency_key_in_flight') return;
        await scheduler.sleep(world.world, 3_000);
      }
    };
    await Promise.all([insist(world.random.fork('one')), insist(world.random.fork('two'))]);
    const together = ['three', 'four'].map((name) => insist(world.random.fork(name), ['create with others']));
    await Promise.all(together);
  },
};

/** Four ledgers in which others bid more than we do at first, so that a fee-bump is called for. */
function crowd({ network, accounts }: SimulatedService): void {
  network.network.maxOperations = 4;
  let ledgers = 4;
  network.beforeClose = () => {
    if (ledgers-- === 0) network.network.maxOperations = 1000;
    if (ledgers < 0) return;
    for (const rival of accounts.rivals) {
      network.submit(
        network.build(rival, { operations: [Operation.bumpSequence({ bumpTo: '0' })] }, { fee: '1500' }),
      );
    }
  };
}
