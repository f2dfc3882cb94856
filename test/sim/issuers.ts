/** Issuers who approve trust lines, withdraw their approval, and take back what they have issued. */
import { Operation } from '@stellar/stellar-sdk/base';
import { toUnits } from '../support/ledger.ts';
import type { Desk } from './desk.ts';
import type { Issue } from './market.ts';
import type { SimulatedNetwork } from './simulated-network.ts';

/** What is wanted is over after so long, so that a run comes to an end. */
const VALID_SECONDS = 60;

/** One operation after another, until the desk closes. */
export async function useThePowerOf(
  { desk, network }: { desk: Desk; network: SimulatedNetwork },
  issue: Issue,
  pause_ms: number,
): Promise<void> {
  const { random, scheduler, world } = desk;
  while (!desk.closing) {
    await scheduler.sleep(world, random.integer(1_000, pause_ms));
    const operation = newOperation(desk, issue);
    if (!operation) continue;
    const max_time = Number(network.latest.close_time) + VALID_SECONDS;
    const transaction = network.build(issue.issuer, { operations: [operation] }, { max_time });
    const status = network.submit(transaction);
    const hash = Buffer.from(transaction.hash()).toString('hex').slice(0, 8);
    scheduler.history.record('issuer', `${hash}: ${issue.power}, ${status}`);
  }
}

/** Nothing when nobody of ours has a trust line. */
function newOperation(desk: Desk, { asset, power }: Issue) {
  const { random, accounts } = desk;
  const holders = accounts.wallets.flatMap(({ account }) => {
    const line = desk.lineOf(account, asset);
    return line ? [{ account, line }] : [];
  });
  if (holders.length === 0) return null;
  const waiting = holders.filter(({ line }) => line.authorization !== 'full');
  const { account, line } = random.pick(waiting.length > 0 && random.chance(0.7) ? waiting : holders);
  if (power === 'takes back' && random.chance(0.8)) {
    if (line.balance_stroops === 0n) return null;
    // Now and then more than there is: that is refused.
    const share = random.pick([1n, 3n, 7n, 8n]);
    const amount = (line.balance_stroops * share) / 7n;
    return amount === 0n ? null : Operation.clawback({ asset, from: account, amount: toUnits(amount) });
  }
  const approve = line.authorization !== 'full' && random.chance(0.85);
  const maintain = !approve && random.chance(0.5);
  return Operation.setTrustLineFlags({
    trustor: account,
    asset,
    flags: { authorized: approve, authorizedToMaintainLiabilities: maintain },
  });
}
