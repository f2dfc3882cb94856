import { xdr } from '@stellar/stellar-sdk/base';
import { hex } from '../../ledger/bytes.ts';
import type { Behaviour, Incident } from '../behaviour.ts';
import { isSubmission } from '../request-kind.ts';

/**
 * stellar-core answers TRY_AGAIN_LATER. No client can tell whether the transaction was accepted: the same answer
 * comes for a transaction that was applied in the last ten ledgers (Q8).
 */
export function tryAgainLater(taken: boolean): Behaviour {
  return {
    final: false,
    on: isSubmission,
    condition: () => ({ try_again_later: taken ? 'taken' : 'not_taken' }),
  };
}

/**
 * Submits the envelope that Horizon was sent, and does not wait for a ledger. An envelope that cannot be decoded
 * has no effect.
 */
export function submitUnanswered(incident: Incident): void {
  unlessGarbage(() => incident.node.submit(xdr.decodeBytes(incident.envelope, 'base64')));
}

/** The hash in hexadecimal, or undefined when the envelope cannot be decoded. */
export function hashOfEnvelope(incident: Incident): string | undefined {
  const transaction = unlessGarbage(() => incident.node.parse(xdr.decodeBytes(incident.envelope, 'base64')));
  return transaction === undefined ? undefined : hex(transaction.hash);
}

function unlessGarbage<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof xdr.XdrError) return undefined;
    throw error;
  }
}
