/** Many withdrawals on a network whose ledgers take few: ours do not outbid each other. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { withdrawalSteps } from '../../../test/support/withdrawal-steps.ts';

const COUNT = 30;
const LEAST_FEE_STROOPS = 100n;

for (const max_operations of [3, 10, 20]) {
  test(`${COUNT} withdrawals at once in ledgers of ${max_operations} operations cost the least fee, and no fee-bump`, async (t) => {
    const env = { WITHDRAW_VALID_SECONDS: '600', CHANNELS_MAX: '0' };
    const world: InProcessService = await startInProcess(env, { max_operations });
    t.after(() => world.close());
    const { claim, processLedgers, read, waitForOutcomes } = withdrawalSteps(() => world);
    await processLedgers();
    const payee = (await world.wallet()).account;
    const wallets = await Promise.all(Array.from({ length: COUNT }, () => world.wallet()));
    const orders = await Promise.all(wallets.map((wallet) => claim(wallet, 5n, payee)));
    await waitForOutcomes(orders.map(({ id }) => id));
    const rows = await Promise.all(orders.map(({ id }) => read(id)));
    const told = rows.map(({ status, fee_bump_hashes, fee_charged_stroops }) => ({
      status,
      fee_bumps: fee_bump_hashes.length,
      fee_charged_stroops,
    }));
    const cheap = { status: 'confirmed', fee_bumps: 0, fee_charged_stroops: LEAST_FEE_STROOPS };
    assert.deepEqual(told, Array(COUNT).fill(cheap));
  });
}
