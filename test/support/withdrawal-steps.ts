/** What processes do for withdrawals, one step at a time, on a `World` whose ledgers close when the test says so. */
import { strict as assert } from 'node:assert';
import type { Chain } from '../../src/chain/chain.ts';
import type { Deps } from '../../src/deps.ts';
import { sign } from '../../src/withdrawals/dispatch.ts';
import { follow } from '../../src/withdrawals/follow.ts';
import { takeLanes } from '../../src/withdrawals/lane-store.ts';
import { findWithdrawals, type Withdrawal } from '../../src/withdrawals/store.ts';
import type { World } from './deps.ts';

export const LEASE = { until: new Date(Date.now() + 60_000), limit: 100 };

export function withdrawalSteps(world: () => World) {
  const withChain = (chain: Partial<Chain>): Deps => ({
    ...world().deps,
    chain: { ...world().deps.chain, ...chain },
  });

  async function read(id: string): Promise<Withdrawal> {
    const found = (await findWithdrawals(world().deps.db, [id])).get(id);
    assert(found);
    return found;
  }

  /** Every ledger that has closed; gives the cursor. */
  async function accountFor(deps = world().deps) {
    while ((await follow(deps)).behind);
    return (await follow(deps)).cursor;
  }

  /** As a follower sees time pass that keeps up. */
  async function closeInSteps(close_time: bigint): Promise<void> {
    while ((await world().deps.chain.latestLedger()).close_time < close_time) {
      for (let i = 0; i < 10; i++) world().sandbox.closeLedger();
      await accountFor();
    }
  }

  /** Takes the lane, signs and commits, as a process does that dies before it sends. */
  async function signOnly(id: string, deps = world().deps): Promise<Withdrawal> {
    await accountFor(deps);
    await takeLanes(deps.db, LEASE);
    const { signed } = await sign(deps, [id], LEASE.until);
    const row = await read(id);
    assert.deepEqual(signed, [row], 'what it hands on is what the row holds');
    return row;
  }

  return { withChain, read, accountFor, closeInSteps, signOnly };
}
