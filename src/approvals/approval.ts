/** Pure: what members have decided about a withdrawal, a payout, a change of a policy or a change of access. */
import { hash } from 'node:crypto';

/** `order_hash`: what the member saw and decided about. `at`: RFC 3339, UTC. */
export type Approval = {
  user_id: string;
  decision: 'approved' | 'rejected';
  comment: string | null;
  order_hash: string;
  at: string;
};

/** Returns the SHA-256 of what members approve, hex. JSON keeps the fields apart: no text can move from one into the next. */
export function approvedHash(fields: (string | number | null | string[])[]): string {
  return hash('sha256', JSON.stringify(fields));
}

/** How long members have to decide. */
export const APPROVAL_HOURS = 24;

/** Returns the time at which a request that is made at `now` ends without a decision. */
export function expiryOf(now: Date): Date {
  return new Date(now.getTime() + APPROVAL_HOURS * 3_600_000);
}
