import { mayAskAgain, retryAfterOf } from './answers.ts';
import type { Payout, PayoutReport } from './contract.ts';
import { NotKnownYetError, TellerError } from './errors.ts';
import type { Body } from './group.ts';
import { PayoutsOperations } from './operations.ts';
import { after, joined, pause, waitMs } from './retries.ts';
import { type CallOptions, noteRetry } from './transport.ts';
import type { WaitOptions } from './withdrawals.ts';

const LOOK_MS = 1_000;

/** Many payments as one file. Each row has its own idempotency key: a row is paid at most once, whatever is sent again. */
export class Payouts extends PayoutsOperations {
  /** Checks every row and keeps nothing: totals, fees, warnings, and what is wrong with which row. */
  preview(wallet_id: string, payout: Body<'createPayout'>, options: CallOptions = {}): Promise<PayoutReport> {
    return super.create(wallet_id, { ...payout, preview: true }, options) as Promise<PayoutReport>;
  }

  /**
   * Makes a draft: nothing is paid before `start`.
   * @throws InvalidRequestError when any row is wrong; `data` is the report, and nothing is kept.
   */
  override create(
    wallet_id: string,
    payout: Body<'createPayout'> & { idempotency_key?: string },
    options: CallOptions = {},
  ): Promise<Payout> {
    return super.create(wallet_id, payout, options) as Promise<Payout>;
  }

  /**
   * Gives the payout once it is `completed`, `cancelled` or `paused`: a paused one goes on only when somebody resumes it.
   * @throws NotKnownYetError at the deadline; the reason of `signal`.
   */
  async untilEnded(wallet_id: string, payout_id: string, options: WaitOptions = {}): Promise<Payout> {
    const deadline = options.deadline_ms === undefined ? null : after(options.deadline_ms);
    const signal = joined(options.signal, deadline);
    try {
      for (let failures = 0; ; ) {
        try {
          const payout = await this.get(wallet_id, payout_id, { ...options, signal });
          if (['completed', 'cancelled', 'paused'].includes(payout.status)) return payout;
          failures = 0;
          await pause(LOOK_MS, signal);
        } catch (error) {
          if (!(error instanceof TellerError) || !mayAskAgain(error, true)) throw error;
          const pause_ms = waitMs(++failures, retryAfterOf(error), Math.random());
          noteRetry(error, failures, pause_ms);
          await pause(pause_ms, signal);
        }
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!deadline?.aborted || error instanceof TellerError) throw error;
      throw new NotKnownYetError('The payout has not ended at your deadline.', null);
    }
  }
}
