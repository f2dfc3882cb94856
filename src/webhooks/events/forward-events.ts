/**
 * `teller listen`: forwards a wallet's events to a receiver without a public URL. It is a client of the public API: it
 * long-polls the events and posts each like a deliverer, signed with a secret of its own.
 *
 * One event after the other, in their order. It repeats an event until the receiver answers; any answer will do, so that
 * a receiver under development gets the next event too. When it stops, it names the number to continue from.
 */
import { Agent } from 'undici';
import { OperatorError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { createPoster, type Poster } from '../../outgoing/post.ts';
import { checkUrl, parseExemptions } from '../../outgoing/public-url.ts';
import { resolveByDns } from '../../outgoing/resolve-host.ts';
import { signingKeys } from '../../outgoing/sign.ts';
import { headersSignedBy } from '../delivery/delivery-headers.ts';

const WAIT_SECONDS = 25;
const PAUSE_MS = 1_000;

export type Forwarding = {
  api_url: string;
  api_key: string;
  wallet_id: string;
  forward_to: string;
  signing_secret: string;
  after: number | 'latest';
};

type ListedEvent = { id: string; event: string; sequence: number; body: string };
type Page = { items: ListedEvent[]; next_after: number };
/** `pause_ms` of a page: the service asks for it when too many requests wait. */
type Fetched = { page: Page; pause_ms: number } | { problem: string; pause_ms: number };

/**
 * Forwards events until `signal` aborts; returns the number to continue after. `say` gets lines for a person.
 * @throws OperatorError when the API refuses the request, or `forward_to` is not allowed.
 */
export async function forwardEvents(
  order: Forwarding,
  { clock, say, signal }: { clock: Clock; say: (line: string) => void; signal: AbortSignal },
): Promise<number | 'latest'> {
  const exemptions = parseExemptions([new URL(order.forward_to).host]);
  const checked = checkUrl(order.forward_to, exemptions);
  if ('refused' in checked) throw new OperatorError(`The URL to forward to ${checked.refused}.`);
  const api = new Agent();
  const poster = createPoster({
    exemptions,
    show_exempt_answers: false,
    resolve: resolveByDns,
    clock,
  });
  // Abandons the request under way; the next run sends its event again.
  signal.addEventListener('abort', () => void poster.close(), { once: true });
  const sayOnce = withoutRepetition(say);
  let after = order.after;
  try {
    while (!signal.aborted) {
      const fetched = await fetchEvents(api, order, after, signal);
      if ('problem' in fetched) {
        if (!signal.aborted) sayOnce(`${fetched.problem}; retrying`);
        await clock.sleep(fetched.pause_ms, signal);
        continue;
      }
      const { items, next_after } = fetched.page;
      if (after === 'latest') say(`Waiting for new events after event ${next_after}.`);
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
    if (after !== order.after) say(continueAfter(after));
    throw error;
  } finally {
    await Promise.all([poster.close(), api.destroy()]);
  }
}

/** The option for the next start that misses no event. */
export function continueAfter(number: number | 'latest'): string {
  return `To continue from here: --after ${number}`;
}

/** False when `signal` aborted before there was an answer. */
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

/** Gives the next page, or a problem to retry after; for `latest` only the number of the latest event. @throws OperatorError */
async function fetchEvents(
  api: Agent,
  { api_url, api_key, wallet_id }: Forwarding,
  after: number | 'latest',
  signal: AbortSignal,
): Promise<Fetched> {
  const wait_seconds = after === 'latest' ? 0 : WAIT_SECONDS;
  const { origin, pathname } = new URL(api_url);
  const path = `${pathname.replace(/\/$/, '')}/v1/wallets/${encodeURIComponent(wallet_id)}/events`;
  const headers = { authorization: `Bearer ${api_key}` };
  try {
    const answer = await api.request({
      origin,
      path,
      query: { after, wait_seconds },
      method: 'GET',
      headers,
      signal,
    });
    return readAnswer(api_url, answer.statusCode, answer.headers['retry-after'], await answer.body.text());
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    return { problem: `${api_url} cannot be reached`, pause_ms: PAUSE_MS };
  }
}

function readAnswer(
  api_url: string,
  status: number,
  retry_after: string | string[] | undefined,
  text: string,
): Fetched {
  if (status >= 500) return { problem: `${api_url} answers ${status}`, pause_ms: PAUSE_MS };
  if (status === 429) {
    return { problem: `${api_url} is busy`, pause_ms: (Number(retry_after) || 1) * 1000 };
  }
  const answer = parsed(text);
  if (status === 200 && answer?.data)
    return { page: answer.data, pause_ms: (Number(retry_after) || 0) * 1000 };
  throw new OperatorError(
    answer?.message ? `${api_url}: ${answer.message}` : `${api_url} is not the API of Stellar Teller.`,
  );
}

function parsed(text: string): { message?: string; data?: Page } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null; // for example a web page: the caller reports it
  }
}

/** Drops a line that is the same as the line before: a problem repeats every second. */
function withoutRepetition(say: (line: string) => void): (line: string) => void {
  let last = '';
  return (line) => {
    if (line !== last) say(line);
    last = line;
  };
}
