/**
 * Withdrawals until their outcome is proven. What `withdrawAndWait` does with each state:
 *
 * | seen | then |
 * |---|---|
 * | `confirmed`, `failed` | proven by the ledger: this is the answer |
 * | `pending`, `awaiting_approval`, also in `data` of 504 and of 409 in flight | it asks for the withdrawal by its id, and the service waits |
 * | no answer, 409 in flight, 429, 502, 503, 504 | it asks the same again: the order with the same key never pays twice |
 * | nothing can be sent, and this client has never had an answer, or the certificate is wrong | TellerUnreachableError |
 * | its id is not found: the answer that named it was not of this service | it sends the same order with the same key again |
 * | any other refusal below 500 | thrown. After a try without an answer: NotKnownYetError, because that try may have been accepted |
 * | anything else, like 500 | NotKnownYetError with it as the cause |
 * | the deadline of the caller | NotKnownYetError with the key: the service goes on by itself |
 *
 * When this process dies, its successor calls again with the key that it has kept.
 */
import {
  type Answered,
  isObject,
  isUnanswered,
  mayAskAgain,
  outcomeOf,
  provesOnlyItself,
  retryAfterOf,
  unexpected,
} from './answers.ts';
import type { Withdrawal } from './contract.ts';
import { ApiError, NotKnownYetError, TellerError } from './errors.ts';
import type { Body } from './group.ts';
import { WithdrawalsOperations } from './operations.ts';
import { after, joined, pause, retryAfterSeconds, waitMs } from './retries.ts';
import { type CallOptions, noteRetry, type Send } from './transport.ts';

/** An order with its key, which the caller makes with `newIdempotencyKey` and keeps before the first call. */
export type WithdrawalOrder = Body<'createWithdrawal'> & { idempotency_key: string };

/** A withdrawal whose outcome is proven. */
export type ProvenWithdrawal = Withdrawal & { status: 'confirmed' | 'failed' };

export type WaitOptions = CallOptions & {
  /** After so long NotKnownYetError is thrown; absent: no deadline. */
  deadline_ms?: number;
};

/** How long the service holds one request while there is no outcome. */
const WAIT_SECONDS = 20;

/** A key for one payment, for ever. Keep it with the order before you withdraw: without the key you may pay twice. */
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
    const deadline = options.deadline_ms === undefined ? null : after(options.deadline_ms);
    const signal = joined(options.signal, deadline);
    const wait = new Wait(this.send, wallet_id, order, { ...options, signal, max_retries: 0 });
    try {
      return await wait.untilProven();
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!deadline?.aborted || error instanceof TellerError) throw error;
      const { seen, last_error: cause } = wait;
      const doubt = new NotKnownYetError(whyNotYet(seen, cause), seen, { cause });
      doubt.idempotency_key = order.idempotency_key;
      throw doubt;
    }
  }
}

class Wait {
  seen: Withdrawal | null = null;
  last_error: TellerError | undefined;
  readonly #send: Send;
  readonly #wallet_id: string;
  readonly #order: WithdrawalOrder;
  readonly #options: CallOptions;
  #unanswered = false;
  /** Tries in a row without an answer that helps. */
  #failures = 0;

  constructor(send: Send, wallet_id: string, order: WithdrawalOrder, options: CallOptions) {
    this.#send = send;
    this.#wallet_id = wallet_id;
    this.#order = order;
    this.#options = options;
  }

  async untilProven(): Promise<ProvenWithdrawal> {
    for (;;) {
      const seen = this.seen;
      const { asked_seconds, error } = await this.#look();
      if (isProven(this.seen)) return this.seen;
      const pause_ms = waitMs(this.#failures, asked_seconds, Math.random());
      // What an error tells of the withdrawal leads to another request.
      if (error && this.seen === seen) noteRetry(error, this.#failures, pause_ms);
      await pause(pause_ms, this.#options.signal);
    }
  }

  /** Asks once. `asked_seconds`: those that the service wants to pass before the next time. `error`: of a try without an answer that helps. */
  async #look(): Promise<{ asked_seconds: number | null; error?: TellerError }> {
    try {
      const answer = await (this.seen ? this.#read(this.seen.id) : this.#withdraw());
      if (!isWithdrawal(answer.data) || answer.data.idempotency_key !== this.#order.idempotency_key)
        throw unexpected(answer, 'is no withdrawal of this key');
      this.seen = answer.data;
      this.#failures = 0;
      return { asked_seconds: retryAfterSeconds(answer.headers.get('retry-after')) };
    } catch (error) {
      if (!(error instanceof TellerError)) throw error;
      this.last_error = error;
      this.#learn(error);
      this.#failures++;
      return { asked_seconds: retryAfterOf(error), error };
    }
  }

  /** @throws TellerError where asking again does not help */
  #learn(error: TellerError): void {
    const { code } = outcomeOf(error);
    if (this.seen !== null && code === 'not_found') {
      this.seen = null;
      this.#unanswered = true;
      return;
    }
    if (!mayAskAgain(error, true)) throw this.#withDoubt(error);
    this.#unanswered ||= isUnanswered(error);
    this.seen ??= withdrawalIn(error);
  }

  #withdraw(): Promise<Answered> {
    return this.#send('createWithdrawal', { id: this.#wallet_id }, this.#order, this.#options);
  }

  #read(withdrawal_id: string): Promise<Answered> {
    const path = { id: this.#wallet_id, withdrawal_id };
    return this.#send('getWithdrawal', path, { wait_seconds: WAIT_SECONDS }, this.#options);
  }

  /** Only a refusal of the first request that was answered proves that nothing was accepted; or one that is about the key. */
  #withDoubt(error: TellerError): TellerError {
    if (error instanceof NotKnownYetError) return error;
    const is_of_key = error instanceof ApiError && error.status === 409;
    const nothing_was_accepted = is_of_key || (provesOnlyItself(error) && !this.#unanswered);
    if (nothing_was_accepted && this.seen === null) return error;
    const message = `The withdrawal may have been accepted, and then: ${error.message}`;
    const doubt = new NotKnownYetError(message, this.seen, { cause: error });
    doubt.idempotency_key = this.#order.idempotency_key;
    return doubt;
  }
}

/** Returns what is known at the deadline. Members have up to a day for approvals, so such a wait is no fault of the network. */
function whyNotYet(seen: Withdrawal | null, last_error: TellerError | undefined): string {
  if (seen?.status === 'awaiting_approval')
    return `The withdrawal awaits approvals until ${seen.approval_expires_at}. Nothing is paid before. Call again with the same key.`;
  const last = last_error ? ` The last try: ${last_error.message}` : '';
  return `The outcome is not known yet at your deadline.${last}`;
}

function isProven(withdrawal: Withdrawal | null): withdrawal is ProvenWithdrawal {
  return withdrawal?.status === 'confirmed' || withdrawal?.status === 'failed';
}

/** The withdrawal of this key, as an error shows it. The one of `idempotency_key_mismatch` is another one. */
function withdrawalIn(error: TellerError): Withdrawal | null {
  const is_of_key =
    error instanceof ApiError && ['outcome_pending', 'idempotency_key_in_flight'].includes(error.code);
  return is_of_key && isWithdrawal(error.data) ? error.data : null;
}

function isWithdrawal(data: unknown): data is Withdrawal {
  return isObject(data) && typeof data.id === 'string' && typeof data.status === 'string';
}
