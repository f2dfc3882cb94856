/**
 * Withdrawals until their outcome is proven. What `withdrawAndWait` does with each state:
 *
 * | seen | then |
 * |---|---|
 * | `confirmed`, `failed` | proven by the ledger: this is the answer |
 * | `pending`, `awaiting_approval` | it asks for the withdrawal again |
 * | no answer, 409 in flight, 429, 502, 503, 504 | it sends the same order with the same key again, which never pays twice |
 * | any other refusal below 500 | thrown. After a try without an answer: NotKnownYetError, because that try may have been accepted |
 * | anything else, like 500 | NotKnownYetError with it as the cause |
 * | the deadline of the caller | NotKnownYetError with the key: the service goes on by itself |
 *
 * When this process dies, its successor calls again with the key that it has kept.
 */
import { type Answered, isUnanswered, outcomeOf } from './answers.ts';
import type { Withdrawal } from './contract.ts';
import { ApiError, NotKnownYetError, TellerError } from './errors.ts';
import type { Body } from './group.ts';
import { WithdrawalsOperations } from './operations.ts';
import { mayRepeat, pause, pauseMs } from './retries.ts';
import type { CallOptions, Send } from './transport.ts';

/** An order with its key, which the caller makes with `newIdempotencyKey` and keeps before the first call. */
export type WithdrawalOrder = Body<'createWithdrawal'> & { idempotency_key: string };

/** A withdrawal whose outcome is proven. */
export type ProvenWithdrawal = Withdrawal & { status: 'confirmed' | 'failed' };

export type WaitOptions = CallOptions & {
  /** After so long NotKnownYetError is thrown; absent: no deadline. */
  deadline_ms?: number;
};

/** Between two looks at a withdrawal that waits: a second at first, and half a minute for one that people must approve. */
const LOOK_MS = 1_000;
const LONGEST_LOOK_MS = 30_000;

/** A key for one payment, for ever. Keep it with the order before you withdraw: who loses the key may pay twice. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID();
}

export class Withdrawals extends WithdrawalsOperations {
  /**
   * Withdraws, and gives the withdrawal once its outcome is proven: `confirmed`, or `failed` with the reason.
   * @throws NotKnownYetError at the deadline, and where a refusal proves nothing; ApiError where nothing was accepted; the
   *   reason of `signal`.
   */
  async withdrawAndWait(
    wallet_id: string,
    order: WithdrawalOrder,
    options: WaitOptions = {},
  ): Promise<ProvenWithdrawal> {
    const deadline = options.deadline_ms === undefined ? null : AbortSignal.timeout(options.deadline_ms);
    const signal = joined(options.signal, deadline);
    const wait = new Wait(this.send, wallet_id, order, { ...options, signal });
    try {
      return await wait.untilProven();
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!deadline?.aborted || error instanceof TellerError) throw error;
      const doubt = new NotKnownYetError('The outcome is not known yet at your deadline.', wait.seen);
      doubt.idempotency_key = order.idempotency_key;
      throw doubt;
    }
  }
}

class Wait {
  seen: Withdrawal | null = null;
  readonly #send: Send;
  readonly #wallet_id: string;
  readonly #order: WithdrawalOrder;
  readonly #options: CallOptions;
  #unanswered = false;

  constructor(send: Send, wallet_id: string, order: WithdrawalOrder, options: CallOptions) {
    this.#send = send;
    this.#wallet_id = wallet_id;
    this.#order = order;
    this.#options = options;
  }

  async untilProven(): Promise<ProvenWithdrawal> {
    for (let tries = 1; ; tries++) {
      const wait_ms = await this.#look(tries);
      if (isProven(this.seen)) return this.seen;
      await pause(wait_ms, this.#options.signal);
    }
  }

  /** Asks once; gives the milliseconds before the next time. */
  async #look(tries: number): Promise<number> {
    try {
      this.seen = (await (this.seen ? this.#read(this.seen.id) : this.#withdraw())).data as Withdrawal;
      return Math.min(LONGEST_LOOK_MS, LOOK_MS * 2 ** Math.floor((tries - 1) / 5));
    } catch (error) {
      if (!(error instanceof TellerError)) throw error;
      if (!mayRepeat(true, outcomeOf(error))) throw this.#withDoubt(error);
      this.#unanswered ||= isUnanswered(error);
      const asked_seconds = error instanceof ApiError ? error.retry_after_seconds : null;
      return pauseMs(Math.min(tries, 10), asked_seconds, Math.random()) ?? LONGEST_LOOK_MS;
    }
  }

  #withdraw(): Promise<Answered> {
    return this.#send('createWithdrawal', { id: this.#wallet_id }, this.#order, this.#options);
  }

  #read(withdrawal_id: string): Promise<Answered> {
    return this.#send('getWithdrawal', { id: this.#wallet_id, withdrawal_id }, {}, this.#options);
  }

  /** Only a refusal of the first request that was answered proves that nothing was accepted; or one that is about the key. */
  #withDoubt(error: TellerError): TellerError {
    if (error instanceof NotKnownYetError) return error;
    const is_refusal = error instanceof ApiError && error.status < 500;
    if (is_refusal && this.seen === null && (!this.#unanswered || error.status === 409)) return error;
    const message = `The withdrawal may have been accepted, and then: ${error.message}`;
    const doubt = new NotKnownYetError(message, this.seen, { cause: error });
    doubt.idempotency_key = this.#order.idempotency_key;
    return doubt;
  }
}

function isProven(withdrawal: Withdrawal | null): withdrawal is ProvenWithdrawal {
  return withdrawal?.status === 'confirmed' || withdrawal?.status === 'failed';
}

function joined(...signals: (AbortSignal | null | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal instanceof AbortSignal);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}
