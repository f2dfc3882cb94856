/** How a request to a receiver can go wrong, with the errors that undici gives. */
import type { Random } from '../support/random.ts';
import type { Fault } from './faults.ts';

/** `before`: the receiver never has it. `after`: it took it. */
export type ReceiverFault = Fault &
  (
    | { error: () => Error; wait_ms?: number }
    | { status: number; headers?: Record<string, string> }
    /** An acknowledgement, that much later. */
    | { late_ms: (random: Random) => number }
    | { silent: true }
    /** The status line of an acknowledgement, and then nothing more. */
    | { cut_off: () => Error }
  );

const coded = (code: string) => () => Object.assign(new Error(code), { code });
const closed = coded('UND_ERR_SOCKET');
const reset = coded('ECONNRESET');
/** As in src/outgoing/post.ts. */
const CONNECT_TIMEOUT_MS = 5_000;
const ATTEMPT_TIMEOUT_MS = 15_000;

const answers = (status: number, headers?: Record<string, string>): ReceiverFault => ({
  name: `post_${status}`,
  at: 'after',
  status,
  ...(headers && { headers }),
});

/** The plain ones first. */
export const RECEIVER_FAULTS: readonly ReceiverFault[] = [
  { name: 'post_refused', at: 'before', error: coded('ECONNREFUSED') },
  answers(500),
  {
    name: 'post_no_connection',
    at: 'before',
    error: coded('UND_ERR_CONNECT_TIMEOUT'),
    wait_ms: CONNECT_TIMEOUT_MS,
  },
  { name: 'post_closed_before', at: 'before', error: closed },
  { name: 'post_closed_after', at: 'after', error: closed },
  { name: 'post_reset_after', at: 'after', error: reset },
  answers(301, { location: 'https://93.184.216.34/elsewhere' }),
  answers(410),
  answers(429, { 'retry-after': '7' }),
  answers(503, { 'retry-after': '40' }),
  { name: 'post_slow', at: 'after', late_ms: (random) => random.integer(1, ATTEMPT_TIMEOUT_MS - 1) },
  { name: 'post_late', at: 'after', late_ms: (random) => ATTEMPT_TIMEOUT_MS + random.integer(1, 60_000) },
  { name: 'post_silent', at: 'after', silent: true },
  { name: 'post_cut_off', at: 'after', cut_off: reset },
];
