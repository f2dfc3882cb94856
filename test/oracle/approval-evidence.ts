/** What is known of approvals after a run: each step as the database has noted it. */

/** What members decided, as a row has it. */
export type Decided = {
  user_id: string;
  decision: 'approved' | 'rejected';
  order_hash: string;
  /** RFC 3339, by the clock of the process. */
  at: string;
};

/** A rule of approvals, as a column has it. */
export type ApprovalRule = {
  required: number;
  above: { asset_code: string; asset_issuer: string | null; amount_stroops: string }[];
  for: string[];
};

/** The policy at one moment. `changes`: looser rules that were approved, in their order; null ends the rule. */
export type PolicyThen = {
  rule: ApprovalRule | null;
  /** By the operator. */
  frozen: boolean;
  changes: { rule: ApprovalRule | null; takes_effect_ms: number }[];
};

/** A member of the team at one moment. `since_ms`: since when the member has this role and these wallets. `joined_ms`: since when in the team. */
export type MemberThen = {
  user_id: string;
  role: string;
  wallet_ids: string[] | null;
  since_ms: number;
  joined_ms: number;
  disabled: boolean;
  /** The programs of which the member knows a credential. */
  knows: string[];
};

/** What decides who may approve: of a withdrawal, or of a looser policy. */
export type Asked = {
  wallet_id: string;
  requested_by: string | null;
  created_ms: number;
  members: MemberThen[];
};

/** A withdrawal after a step, in the order of the commits. An older copy of the database takes no step back. */
export type ApprovalStep = Asked & {
  id: string;
  /** Null: it was made by this step. */
  was: string | null;
  status: string;
  asset_code: string;
  asset_issuer: string | null;
  amount_stroops: bigint;
  destination: string;
  memo_id: bigint | null;
  memo_return: string | null;
  idempotency_key: string;
  approvals_required: number;
  /** What had been decided before the step. */
  had: Decided[];
  approvals: Decided[];
  order_hash: string | null;
  expires_ms: number | null;
  settled_ms: number | null;
  failure_code: string | null;
  inner_tx_hash: string | null;
  /** The payout whose row the withdrawal pays. */
  payout_id: string | null;
  policy: PolicyThen;
};

/** A looser policy that has its approvals. */
export type ChangeStep = Asked & { id: string; approvals_required: number; approvals: Decided[] };

export type ApprovalEvidence = {
  passphrase: string;
  steps: ApprovalStep[];
  changes: ChangeStep[];
  /** By how much the clocks of processes may be wrong. */
  skew_ms: number;
};
