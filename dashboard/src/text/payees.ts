/** Pure: which payee of the team a payment pays. */
import type { Payee } from '../api/contract.ts';
import { readAddress } from './strkey.ts';

/** Whom a payment pays, as the API names it. */
export type Paid = { destination: string; memo_id?: bigint | null | undefined };

/** Finds the payee of a payment. */
export type FindPayee = (paid: Paid) => Payee | undefined;

/**
 * Makes a function that finds a payee as the service does: the one that is the recipient, else the one that is its account and has no memo
 * of its own.
 */
export function payeeFinder(payees: Payee[]): FindPayee {
  const known = new Map(payees.map((payee) => [keyOf(payee), payee]));
  return (paid) => {
    const address = readAddress(paid.destination);
    const exact = known.get(keyOf(paid));
    // A contract with an id is another recipient than the contract alone.
    if (exact || 'problem' in address || address.kind === 'contract') return exact;
    return known.get(keyOf({ destination: address.account }));
  };
}

/** An address with an id in it (M…, W…) is one recipient with its account or contract and the same id beside it. */
function keyOf({ destination, memo_id = null }: Paid): string {
  const address = readAddress(destination);
  if ('problem' in address) return destination;
  return `${address.account} ${address.muxed_id ?? memo_id ?? ''}`;
}

/** True while the payee is marked as new. */
export function isNew({ new_until }: Payee, now_ms: number): boolean {
  return Date.parse(new_until) > now_ms;
}
