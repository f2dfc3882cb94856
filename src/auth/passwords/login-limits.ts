/**
 * How failed logins are limited. Each attempt is counted before its password is checked, so that of a burst of guesses at
 * any number of processes no more are checked than of guesses one after the other. A right password takes that back.
 *
 * | counted together | limit | a right password |
 * |---|---|---|
 * | attempts of one known device, or one session | 5 failures, then a delay | ends their count |
 * | attempts of all strangers on one e-mail | 10 failures, then a delay | takes its own back |
 * | attempts of the strangers of one address group on all accounts | 100 failures, then one in 36 s | takes its own back |
 * | passwords that are chosen for one e-mail | 10, then a delay | does not change it |
 * | failed exchanges of service users from one address group | 100 failures, then one in 36 s | is not counted, and passes in any case |
 * | tokens that open no invitation, from one address group | 100, then one in 36 s | is not counted, and passes in any case |
 *
 * A delay begins with 5 s and doubles to 60 s. Without a failure for an hour, a count is forgotten.
 */
import { createHmac } from 'node:crypto';
import { foldEmail } from '../../lib/email.ts';
import { AppError } from '../../lib/errors.ts';

/** The row of a count. A row that is absent has no failures. */
export type FailureCount = { failures: number; failed_at: Date };

export type Limit = {
  /** Which attempts are counted together. */
  key: string;
  /** Returns how long the next attempt must wait, in milliseconds. */
  wait_ms(count: FailureCount, now: Date): number;
  /** Returns the count with one more failure. */
  counted(count: FailureCount, now: Date): FailureCount;
  /** Whether a right password ends the count; otherwise it takes back its own attempt. */
  ends_with_success: boolean;
};

const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 60_000;
/** From then on a count changes no answer. */
export const FORGOTTEN_AFTER_MS = 3_600_000;

const DEVICE_FAILURES = 5;
const ACCOUNT_FAILURES = 10;
const GROUP_FAILURES = 100;
const GROUP_REFILL_MS = FORGOTTEN_AFTER_MS / GROUP_FAILURES;

/** Limits the attempts of a known device, or of a session. */
export function deviceLimit(key: Buffer, user_id: string, device: string): Limit {
  return growingDelay(`device:${digest(key, ['device count', user_id, device])}`, DEVICE_FAILURES);
}

/**
 * Limits the attempts of strangers on an e-mail, whether it has a user, or several, or none. Somebody may have one of these users, so
 * that a right password must not end the count.
 */
export function accountLimit(key: Buffer, email: string): Limit {
  const count = `account:${digest(key, ['account count', foldEmail(email)])}`;
  return { ...growingDelay(count, ACCOUNT_FAILURES), ends_with_success: false };
}

/** Limits the passwords that a person tries to choose for an e-mail: a refusal shows that another user with it has the password. */
export function choiceLimit(key: Buffer, email: string): Limit {
  return growingDelay(`choices:${digest(key, ['choice count', foldEmail(email)])}`, ACCOUNT_FAILURES);
}

/** Limits the attempts of strangers from one address group, on any account. */
export function addressGroupLimit(address_group: string): Limit {
  return refillingLimit(`addresses:${address_group}`);
}

/**
 * Limits the failed exchanges of service users from one address group. They are counted apart from logins: a program with an old
 * secret repeats it.
 */
export function exchangeLimit(address_group: string): Limit {
  return refillingLimit(`exchanges:${address_group}`);
}

/** Limits the tokens from one address group that open no invitation. */
export function invitationLimit(address_group: string): Limit {
  return refillingLimit(`invitations:${address_group}`);
}

/** Returns the refusal of an attempt that must wait. `failures`: what was counted, in words. */
export function tooMany(failures: string, wait_ms: number): AppError {
  const seconds = Math.ceil(wait_ms / 1000);
  const words = `Too many ${failures}. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  return new AppError('too_many_logins', words, { retry_after_seconds: seconds });
}

function refillingLimit(key: string): Limit {
  /** Returns the count without the failures that time has taken away. The rest of the time counts for the next one. */
  const decreased = ({ failures, failed_at }: FailureCount, now: Date): FailureCount => {
    const gone = Math.floor(elapsedMs(failed_at, now) / GROUP_REFILL_MS);
    if (gone >= failures) return { failures: 0, failed_at: now };
    return { failures: failures - gone, failed_at: new Date(failed_at.getTime() + gone * GROUP_REFILL_MS) };
  };
  return {
    key,
    wait_ms(count, now) {
      const { failures, failed_at } = decreased(count, now);
      return failures < GROUP_FAILURES ? 0 : GROUP_REFILL_MS - elapsedMs(failed_at, now);
    },
    counted(count, now) {
      const { failures, failed_at } = decreased(count, now);
      return { failures: failures + 1, failed_at };
    },
    ends_with_success: false, // else somebody with an account of his own could guess without end
  };
}

function growingDelay(key: string, free_failures: number): Limit {
  const remembered = ({ failures, failed_at }: FailureCount, now: Date) =>
    elapsedMs(failed_at, now) < FORGOTTEN_AFTER_MS ? failures : 0;
  return {
    key,
    wait_ms(count, now) {
      const delayed = remembered(count, now) - free_failures;
      if (delayed < 0) return 0;
      const delay_ms = Math.min(FIRST_DELAY_MS * 2 ** delayed, LONGEST_DELAY_MS);
      return Math.max(0, delay_ms - elapsedMs(count.failed_at, now));
    },
    counted: (count, now) => ({ failures: remembered(count, now) + 1, failed_at: now }),
    ends_with_success: true,
  };
}

/**
 * Returns the time between the two in milliseconds. A clock that was set back counts as time passed: a time in the future would
 * refuse everybody until then.
 */
function elapsedMs(since: Date, now: Date): number {
  return Math.abs(now.getTime() - since.getTime());
}

/** Returns the HMAC of the parts, so that the table shows no e-mail: people type passwords into that field too. */
function digest(key: Buffer, parts: string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
}
