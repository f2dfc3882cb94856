import type { Deps } from '../../deps.ts';
import { OperatorError } from '../../lib/errors.ts';
import { acceptSequence, blockedTxSources } from '../engine/tx-source-store.ts';

/** Describes the blocked transaction sources, for which nothing is signed, as a text. */
export async function describeTxSources(deps: Pick<Deps, 'db'>): Promise<string> {
  const tx_sources = await blockedTxSources(deps.db);
  if (tx_sources.length === 0) return 'No transaction source is blocked.\n';
  return tx_sources
    .map(({ account, blocked_reason, waiting }) => `${account}: ${waiting} waiting. ${blocked_reason}\n`)
    .join('');
}

/**
 * Lets signing continue after the account's present sequence number. Returns a text for the operator. The operator has found
 * out which transactions used the unknown sequence numbers, and that none of them is the payment of an open withdrawal.
 * @throws OperatorError when the transaction source is not blocked, or its account is not on the network
 */
export async function acceptTxSource(deps: Pick<Deps, 'db' | 'stellar'>, account: string): Promise<string> {
  const { accounts } = await deps.stellar.readAccounts([account]);
  const sequence = accounts.get(account)?.sequence;
  if (sequence === undefined) throw new OperatorError(`${account} is not on the network.`);
  if (!(await acceptSequence(deps.db, account, sequence)))
    throw new OperatorError(`${account} is not blocked.`);
  return `Accepted: signing with ${account} continues after sequence number ${sequence}.\n`;
}
