import type { QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Withdrawal } from '../../api/contract.ts';
import type { LoginOperation } from '../../api/me.ts';

export type Verdict = { verb: 'approve' | 'reject'; body: { order_hash: string; comment?: string } };

/** A request that awaited or awaits approvals, whatever its kind: what a card shows of it, and how members decide about it. */
export type ApprovalRequest = {
  asked: Asked;
  /** In the question of a dialog: “this withdrawal”. */
  what: string;
  /** What members decide about: on the card, and in the dialog once more. */
  facts: ReactNode;
  /** Null where no wallet is concerned, or more than one. */
  wallet_id: string | null;
  /** To the page of what is asked for, where it has one. */
  link: ReactNode;
  operations: Record<Verdict['verb'], LoginOperation>;
  /** The payment whose outcome the service foresees: nobody approves what cannot be sent. */
  foreseen?: Withdrawal;
  /** In the dialog: what the facts leave out, with a link to it that closes the dialog. */
  leftOut?: (close: () => void) => ReactNode;
  decide: (verdict: Verdict, client: QueryClient) => Promise<unknown>;
};

/** The part that every kind has. */
type Asked = {
  id: string;
  requested_by: string | null;
  approvals_required: number;
  /** Of a payment. */
  approvals_cause?: 'amount' | 'sum' | null;
  approvals: { user_id: string; decision: 'approved' | 'rejected'; comment: string | null; at: string }[];
  order_hash: string | null;
  approval_expires_at: string | null;
};
