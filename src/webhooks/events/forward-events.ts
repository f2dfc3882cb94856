/**
 * `teller listen`: forwards a wallet's events to a receiver without a public URL. It is a client of the public API: it
 * long-polls the events and posts each like a deliverer, signed with a secret of its own.
 *
 * One event after the other, in their order. It repeats an event until the receiver answers; any answer will do, so that
 * a receiver under development gets the next event too. When it stops, it names the number to continue from.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Clock } from '../../lib/clock.ts';
import { OperatorError } from '../../lib/errors.ts';
import { createPoster, failureText, type Poster } from '../../outgoing/post.ts';
import { checkUrl, parseExemptions } from '../../outgoing/public-url.ts';
import { resolveByDns } from '../../outgoing/resolve-host.ts';
import { signingKeys } from '../../outgoing/sign.ts';
import { headersSignedBy } from './delivery-headers.ts';
import {
  createServiceApi,
  refusalOf,
  requireData,
  requireOwnWallet,
  type ServiceApi,
  walletPath,
} from './service-api.ts';

const WAIT_SECONDS = 25;
const PAUSE_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;

/** `after`: the number of the event before the first one that is forwarded. */
export type Forwarding = {
  api_url: string;
  api_key: string;
  wallet_id: string;
  forward_to: string;
  signing_secret: string;
  after: number;
};

type ListedEvent = { id: string; event: string; sequence: number; body: string };
type Page = { items: ListedEvent[]; next_after: number };
/** `pause_ms` of a page: the service asks for it when too many requests wait. */
type Fetched = { page: Page; pause_ms: number } | { problem: string; pause_ms: number };

/**
 * Checks the URL, the service, the API key and the wallet before anything is forwarded, and whether something listens at the
 * URL. Gives the number to forward after, and why the receiver cannot be reached now, if it cannot.
 * @throws OperatorError with what to change
 */
export async function prepareForwarding(
  order: Omit<Forwarding, 'signing_secret' | 'after'> & { after: number | 'latest' },
): Promise<{ after: number; receiver_problem: string | null }> {
  const checked = checkUrl(order.forward_to, exemptionsOf(order));
  if ('refused' in checked) throw new OperatorError(`The URL to forward to ${checked.refused}.`);
  const api = createServiceApi(order);
  try {
    await requireOwnWallet(api, order.wallet_id);
    const query = { after: order.after, limit: 1 };
    const page = await requireData<Page>(api, {
      method: 'GET',
      path: walletPath(order.wallet_id, '/events'),
      query,
    });
    const after = order.after === 'latest' ? page.next_after : order.after;
    return { after, receiver_problem: await whyUnreachable(checked.url) };
  } finally {
    await api.close();
  }
}

/**
 * Forwards events until `signal` aborts; returns the number to continue after. `say` gets lines for a person.
 * @throws OperatorError when the API refuses the request.
 */
export async function forwardEvents(
  order: Forwarding,
  { clock, say, signal }: { clock: Clock; say: (line: string) => void; signal: AbortSignal },
): Promise<number> {
  const api = createServiceApi(order);
  const poster = createPoster({
    exemptions: exemptionsOf(order),
    show_exempt_answers: false,
    resolve: resolveByDns,
    clock,
  });
  // Abandons the request under way; the next run sends its event again.
  signal.addEventListener('abort', () => void poster.close(), { once: true });
  const sayOnce = withoutRepetition(say);
  let { after } = order;
  try {
    while (!signal.aborted) {
      const fetched = await fetchEvents(api, order.wallet_id, after, signal);
      if ('problem' in fetched) {
        if (!signal.aborted) sayOnce(`${fetched.problem}; retrying`);
        await clock.sleep(fetched.pause_ms, signal);
        continue;
      }
      const { items, next_after } = fetched.page;
      for (const event of items) {
        if (!(await forward(poster, order, event, { clock, sayOnce, signal }))) return after;
        after = event.sequence;
      }
      after = next_after;
      if (fetched.pause_ms > 0) await clock.sleep(fetched.pause_ms, signal);
    }
    return after;
  } catch (error) {
    // Without this number a new start would begin with the next event and skip those in between.
    say(continueAfter(after));
    throw error;
  } finally {
    await Promise.all([poster.close(), api.close()]);
  }
}

/** Returns the option for the next start that misses no event. */
export function continueAfter(number: number): string {
  return `To continue from here: --after ${number}`;
}

/** Exempts the receiver from the check: it is on a machine that the developer names, and need not be public. */
function exemptionsOf({ forward_to }: Pick<Forwarding, 'forward_to'>) {
  return parseExemptions([new URL(forward_to).host]);
}

/** Says why nothing answers there; null when something listens. */
async function whyUnreachable({ protocol, hostname, port }: URL): Promise<string | null> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
    return null;
  } catch (error) {
    if ((error as Error).name === 'AbortError')
      return `nothing listens there within ${CONNECT_TIMEOUT_MS / 1000} s`;
    return failureText(error as Error);
  } finally {
    socket.destroy();
  }
}

/** Forwards an event. Returns false when `signal` aborted before there was an answer. */
async function forward(
  poster: Poster,
  order: Forwarding,
  event: ListedEvent,
  { clock, sayOnce, signal }: { clock: Clock; sayOnce: (line: string) => void; signal: AbortSignal },
): Promise<boolean> {
  const body = Buffer.from(event.body);
  const message = { event_id: event.id, sequence: BigInt(event.sequence), body };
  const name = `#${event.sequence} ${event.event} ${event.id}`;
  while (!signal.aborted) {
    const began = clock.now();
    const keys = { current: signingKeys(order.signing_secret), old: [] };
    const headers = headersSignedBy(keys, message, began);
    const result = await poster.post({ url: order.forward_to, headers, body });
    if ('abandoned' in result) break;
    if ('status_code' in result) {
      const took_ms = clock.now().getTime() - began.getTime();
      sayOnce(`${began.toISOString()} ${name} → ${result.status_code} in ${took_ms} ms`);
      return true;
    }
    sayOnce(`${name} → ${result.error}; retrying`);
    await clock.sleep(PAUSE_MS, signal);
  }
  return false;
}

/** Fetches the next page, or a problem to retry after. @throws OperatorError */
async function fetchEvents(
  api: ServiceApi,
  wallet_id: string,
  after: number,
  signal: AbortSignal,
): Promise<Fetched> {
  const path = walletPath(wallet_id, '/events');
  const answer = await api.ask({ method: 'GET', path, query: { after, wait_seconds: WAIT_SECONDS }, signal });
  if ('unreachable' in answer)
    return { problem: `${api.api_url} cannot be reached: ${answer.unreachable}`, pause_ms: PAUSE_MS };
  const { status, body, retry_after_seconds } = answer;
  if (status >= 500) return { problem: `${api.api_url} answers ${status}`, pause_ms: PAUSE_MS };
  if (status === 429)
    return { problem: `${api.api_url} is busy`, pause_ms: (retry_after_seconds ?? 1) * 1000 };
  if (status === 200 && body?.data)
    return { page: body.data as Page, pause_ms: (retry_after_seconds ?? 0) * 1000 };
  throw refusalOf(api, answer);
}

/** Drops a line that is the same as the line before: a problem repeats every second. */
function withoutRepetition(say: (line: string) => void): (line: string) => void {
  let last = '';
  return (line) => {
    if (line !== last) say(line);
    last = line;
  };
}
