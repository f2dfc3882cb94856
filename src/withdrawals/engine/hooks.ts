/**
 * What the engine asks of the rooms beside it. The engine imports none of them, so that this folder alone answers "can this
 * pay twice?". `../engine-hooks.ts` joins both sides. Every member is required: the compiler names a place that lacks one.
 *
 * | hook                  | asked by             | without it                                                              |
 * |-----------------------|----------------------|-------------------------------------------------------------------------|
 * | `checks.refunds`      | the claim of a key   | a deposit is refunded twice, by two keys                                |
 * | `checks.policies`     | the claim of a key   | a limit or a rule for approvals is passed over; nothing is paid twice   |
 * | `guards.payoutRows`   | each signature       | a row that was changed after its approval is signed                     |
 * | `events.awaiting`     | the claim of a key   | nobody learns that a withdrawal awaits approvals                        |
 * | `events.outcomes`     | each outcome         | the integration learns an outcome only when it asks                     |
 * | `createChannelGrowth` | the start of a process | withdrawals wait for the channels that there are                      |
 */
import type { Db, Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { ErrorCode, ErrorDetail } from '../../errors.ts';
import type { NewWithdrawal, Withdrawal } from './store.ts';
import type { AssignedWithdrawal } from './tx-source-store.ts';

/** Why a withdrawal must not be made. `data`: the withdrawal that stands against it, as the API shows it. */
export type Violation = { code: ErrorCode; message: string; details?: ErrorDetail[]; data?: object };

/** `approvals_required`: how many members must approve the withdrawal; 0: none. */
export type PolicyVerdict = { violation: Violation | null; approvals_required: number };

/** Appends the events of these outcomes, in the transaction that has recorded them. */
export type AppendOutcomeEvents = (
  trx: Trx,
  recorded: Pick<Withdrawal, 'id' | 'wallet_id'>[],
  now: Date,
) => Promise<void>;

/** Makes more channels in the background. */
export type ChannelGrowth = {
  /** Asks for a pool of `wanted` channels: those in use, and those that queued withdrawals wait for. Returns at once, never throws. */
  ensureChannels(wanted: number): void;
  stop(): Promise<void>;
};

export type EngineHooks = {
  checks: {
    /** Returns by order id why a refund must not be made. Locks the deposits until the transaction ends. */
    refunds(trx: Trx, orders: NewWithdrawal[]): Promise<Map<string, Violation>>;
    /** Returns what the policies say of the orders, in the same order. Locks those of all `wallet_ids` too. */
    policies(
      trx: Trx,
      orders: NewWithdrawal[],
      now: Date,
      wallet_ids: readonly string[],
    ): Promise<PolicyVerdict[]>;
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
  events: {
    /** Appends the events of withdrawals that the transaction has just claimed and that await approvals. */
    awaiting(trx: Trx, held: Pick<Withdrawal, 'id' | 'wallet_id'>[], now: Date): Promise<void>;
    /** Reads what the events of these rows will show from the network, 5 s at most, and never throws: before the transaction. */
    outcomes(
      deps: Pick<Deps, 'db' | 'stellar' | 'clock' | 'log' | 'config'>,
      rows: Withdrawal[],
    ): Promise<AppendOutcomeEvents>;
  };
  createChannelGrowth(deps: Deps): ChannelGrowth;
};

/** What the engine needs: all that a slice may use, and the hooks. */
export type EngineDeps = Deps & { hooks: EngineHooks };
