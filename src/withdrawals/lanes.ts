import type { Deps } from '../deps.ts';
import { OperatorError } from '../errors.ts';
import { acceptSequence, lanesInTrouble } from './lane-store.ts';

/** The lanes for which nothing is signed, in words. */
export async function describeLanes(deps: Pick<Deps, 'db'>): Promise<string> {
  const lanes = await lanesInTrouble(deps.db);
  if (lanes.length === 0) return 'No lane is in trouble.\n';
  return lanes
    .map(({ account, trouble, waiting }) => `${account}: ${waiting} waiting. ${trouble}\n`)
    .join('');
}

/**
 * Signing goes on after the account's present sequence number: the operator has found out which transactions used the
 * ones that the database does not know, and that none of the waiting withdrawals is among them.
 * @throws OperatorError when the lane is not in trouble, or its account is not on the network.
 */
export async function acceptLane(deps: Pick<Deps, 'db' | 'chain'>, account: string): Promise<string> {
  const { accounts } = await deps.chain.readAccounts([account]);
  const sequence = accounts.get(account)?.sequence;
  if (sequence === undefined) throw new OperatorError(`${account} is not on the network.`);
  if (!(await acceptSequence(deps.db, account, sequence)))
    throw new OperatorError(`${account} is not in trouble.`);
  return `Accepted: withdrawals of ${account} go on after sequence number ${sequence}.\n`;
}
