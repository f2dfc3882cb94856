import { UnusableAnswer, xdrBytes } from './answers.ts';
import { appliedTransaction } from './applied.ts';
import type { Lookup } from './chain.ts';

/**
 * A transaction that a source says it has under the hash that we asked for (inner or outer), believed only when its own
 * XDR says the same: this hash, this outcome. @throws UnusableAnswer
 */
export function foundApplied(
  method: string,
  asked: { passphrase: string; hash: string },
  claimed: { ledger: number; envelope_xdr: string; result_xdr: string; successful: boolean },
): Extract<Lookup, { found: 'applied' }> {
  const { ledger: claimed_ledger, envelope_xdr, result_xdr } = claimed;
  const [envelope, result] = [xdrBytes(method, envelope_xdr), xdrBytes(method, result_xdr)];
  const applied = appliedTransaction(asked.passphrase, { ledger: claimed_ledger, envelope, result });
  if ('unusable' in applied) throw new UnusableAnswer(method, applied.unusable);
  const { ledger, hash, inner_hash, successful, fee_stroops, failure_code } = applied;
  if (asked.hash !== hash && asked.hash !== inner_hash)
    throw new UnusableAnswer(method, `asked for ${asked.hash}, got ${hash}`);
  if (successful !== claimed.successful) throw new UnusableAnswer(method, 'status and result differ');
  return { found: 'applied', ledger, hash, successful, fee_stroops, failure_code };
}
