/**
 * What the engine asks of the rooms beside it. The engine imports none of them, so that this folder alone answers "can this
 * pay twice?". `../engine-hooks.ts` joins both sides. README.md says when each hook is asked, and what happens without it. Every
 * member is required: the compiler names a place that lacks one.
 */

import type { Actor } from '../../audit/audit.ts';
import type { Config } from '../../config.ts';
import type { Db, Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { ErrorCode, ErrorDetail } from '../../lib/errors.ts';
import type { LogContext } from '../../lib/log-context.ts';
import type { NewWithdrawal, Outcome, Recorded, Withdrawal } from './store.ts';
import type { AssignedWithdrawal } from './tx-source-store.ts';

/** `actor`: who asks for it; with `requested_by`, the service itself claims what that user has started. */
export type ClaimOrder = NewWithdrawal & { wallet_account: string; actor: Actor };

/** `held`: those of `made` that await approvals. `contexts`: of the requests, by the ids of their orders. */
export type NewClaims = {
  made: ClaimOrder[];
  held: ClaimOrder[];
  contexts: Map<string, LogContext | undefined>;
};

export type ClaimDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'log' | 'metrics'>;

/** Why a withdrawal must not be made. `data`: the withdrawal that stands against it, as the API shows it. */
export type Violation = { code: ErrorCode; message: string; details?: ErrorDetail[]; data?: object };

/** `approvals_required`: how many members must approve the withdrawal; 0: none. `approvals_cause`: why. */
export type PolicyVerdict = { violation: Violation | null } & Pick<
  Withdrawal,
  'approvals_required' | 'approvals_cause'
>;

/** Appends the events of these outcomes, in the transaction that has recorded them. */
export type AppendOutcomeEvents = (
  trx: Trx,
  recorded: Pick<Withdrawal, 'id' | 'wallet_id'>[],
  now: Date,
) => Promise<void>;

/** `began`: when the reading of the ledgers began; `ledger`: the last of them. */
export type LedgersRead = { began: number; ledger: number };

/** Makes more channels in the background, and fills those that have too little for the fees that they pay. */
export type ChannelGrowth = {
  /** Asks for a pool of `wanted` channels: those in use, and those that queued withdrawals wait for. Returns at once, never throws. */
  ensureChannels(wanted: number): void;
  /** Fills the channels that are low (channel-fees.ts). Returns at once, never throws. */
  fillChannels(): void;
  stop(): Promise<void>;
};

export type EngineHooks = {
  /** Asked in the transaction that claims the keys. */
  checks: {
    /** Returns by order id why a refund must not be made. Locks the deposits until the transaction ends. */
    refunds(trx: Trx, orders: NewWithdrawal[]): Promise<Map<string, Violation>>;
    /** Returns what the policies say of the orders, in the same order. Locks those of all `wallet_ids` until the transaction ends. */
    policies(
      trx: Trx,
      orders: NewWithdrawal[],
      now: Date,
      wallet_ids: readonly string[],
    ): Promise<PolicyVerdict[]>;
    /** Returns why the budgets refuse the orders, in the same order. Locks those of all `team_ids` until the transaction ends. */
    treasuryBudgets(
      trx: Trx,
      config: Config,
      orders: NewWithdrawal[],
      now: Date,
      team_ids: readonly string[],
    ): Promise<(Violation | null)[]>;
  };
  guards: {
    /**
     * Reads the payouts of the rows. The function that it returns is called for each row before its signature, and throws
     * NotApproved for a row that is not the one of its payout.
     */
    payoutRows(
      db: Db,
      passphrase: string,
      rows: AssignedWithdrawal[],
    ): Promise<(row: AssignedWithdrawal) => void>;
  };
  outcomes: {
    /** Returns the outcomes, with an explanation of each transfer that a contract refused. Reads the network, and never throws. */
    explain(
      deps: Pick<Deps, 'stellar' | 'config' | 'log'>,
      outcomes: Outcome[],
      rows: Map<string, Withdrawal>,
    ): Promise<Outcome[]>;
    /** Reads what the events of these rows show of the network, 5 s at most, and never throws. Call it before the transaction. */
    events(
      deps: Pick<Deps, 'db' | 'stellar' | 'clock' | 'log' | 'config'>,
      rows: Withdrawal[],
    ): Promise<AppendOutcomeEvents>;
    /** Writes the log, the metrics and the traces, after the commit. `read`: null where a look-up by hash gave the outcome. */
    report(
      deps: Pick<Deps, 'log' | 'metrics' | 'traces'>,
      recorded: Recorded[],
      read: LedgersRead | null,
    ): void;
  };
  /**
   * Appends the entries of the audit log, and the events of withdrawals that await approvals, as the last statements of the
   * transaction that has claimed them. Returns what writes the log lines after the commit.
   */
  appendClaims(trx: Trx, deps: ClaimDeps, claims: NewClaims): Promise<() => void>;
  createChannelGrowth(deps: Deps): ChannelGrowth;
};

/** What the engine needs: all that a slice may use, and the hooks. */
export type EngineDeps = Deps & { hooks: EngineHooks };
