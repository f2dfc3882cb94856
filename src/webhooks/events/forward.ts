/**
 * `teller listen`: brings a wallet's events to a receiver that has no public URL. A client of the public API, and no
 * part of the service: it long-polls the events and posts each as a deliverer would, signed with a secret of its own.
 *
 * One event after the other, in their order. While the receiver does not answer, the event is tried again; any answer
 * ends it, for a receiver under development shall see the next one too. What was read and not forwarded when it stops
 * is read again from the number that it names.
 */
import { Agent } from 'undici';
import { OperatorError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { headersOf } from '../delivery/headers.ts';
import { createPoster, type Poster } from '../delivery/post.ts';
import { signingKeys } from '../delivery/sign.ts';
import { checkUrl, parseExemptions } from '../endpoints/public-url.ts';
import { resolveByDns } from '../endpoints/resolve.ts';

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
type Fetched = { page: Page } | { problem: string; pause_ms: number };

/**
 * Forwards events until `signal` aborts; gives the number to go on after. `say` gets lines for a person.
 * @throws OperatorError when the API refuses what it is asked, or nothing can be posted to `forward_to`.
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
  // Gives up what is under way; the event is sent again after a start from here.
  signal.addEventListener('abort', () => void poster.close(), { once: true });
  const tell = withoutRepetition(say);
  let after = order.after;
  try {
    while (!signal.aborted) {
      const fetched = await fetchEvents(api, order, after, signal);
      if ('problem' in fetched) {
        if (!signal.aborted) tell(`${fetched.problem}; trying again`);
        await clock.sleep(fetched.pause_ms, signal);
        continue;
      }
      const { items, next_after } = fetched.page;
      if (after === 'latest') say(`Waiting for what comes after event ${next_after}.`);
      for (const event of items) {
        if (!(await forward(poster, order, event, { clock, tell, signal }))) return after;
        after = event.sequence;
      }
      after = next_after;
    }
    return after;
  } catch (error) {
    // As after a stop: who starts again without it gets the next event only, and misses those between unseen.
    if (after !== order.after) say(goOnAfter(after));
    throw error;
  } finally {
    await Promise.all([poster.close(), api.destroy()]);
  }
}

/** What to start with, so that no event is missed. */
export function goOnAfter(number: number | 'latest'): string {
  return `To go on from here: --after ${number}`;
}

/** False when `signal` aborted before there was an answer. */
async function forward(
  poster: Poster,
  order: Forwarding,
  event: ListedEvent,
  { clock, tell, signal }: { clock: Clock; tell: (line: string) => void; signal: AbortSignal },
): Promise<boolean> {
  const body = Buffer.from(event.body);
  const message = { event_id: event.id, sequence: BigInt(event.sequence), body };
  const name = `#${event.sequence} ${event.event} ${event.id}`;
  while (!signal.aborted) {
    const began = clock.now();
    const headers = headersOf(message, began, { current: signingKeys(order.signing_secret), old: [] });
    const result = await poster.post({ url: order.forward_to, headers, body });
    if ('abandoned' in result) break;
    if ('status_code' in result) {
      const took_ms = clock.now().getTime() - began.getTime();
      tell(`${began.toISOString()} ${name} → ${result.status_code} in ${took_ms} ms`);
      return true;
    }
    tell(`${name} → ${result.error}; trying again`);
    await clock.sleep(PAUSE_MS, signal);
  }
  return false;
}

/** From `latest` it only asks where that is. @throws OperatorError */
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
  if (status === 200 && answer?.data) return { page: answer.data };
  throw new OperatorError(
    answer?.message ? `${api_url}: ${answer.message}` : `${api_url} is not the API of a teller.`,
  );
}

function parsed(text: string): { message?: string; data?: Page } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null; // a web page, say: the caller tells it
  }
}

/** The same problem each second is told once. */
function withoutRepetition(say: (line: string) => void): (line: string) => void {
  let last = '';
  return (line) => {
    if (line !== last) say(line);
    last = line;
  };
}
