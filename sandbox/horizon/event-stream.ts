import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { goJson } from './json.ts';
import type { LedgerWaiters } from './ledger-waiters.ts';
import { Problem } from './problem.ts';

export type StreamEvent = { id?: string; data: unknown };

/** Returns the events since the last call. */
export type EventSource = () => StreamEvent[];

/** Horizon's connection timeout: it ends every stream, and clients connect again. */
const MAX_STREAM_MS = 55_000;

const HELLO = 'retry: 1000\nevent: open\ndata: "hello"\n\n';
const BYEBYE = 'retry: 10\nevent: close\ndata: "byebye"\n\n';

/**
 * Sends Server-Sent Events, `limit` at most: first those that exist, then those of each new ledger. Like Horizon,
 * it sends nothing while nothing happens.
 * @throws Problem when there is nothing to stream; nothing has been sent then
 */
export async function serveStream(
  response: ServerResponse,
  source: EventSource,
  options: {
    limit: number;
    headers: Record<string, string>;
    waiters: LedgerWaiters;
    clock: Clock;
    log: Log;
    /** Called when the stream is certain to begin. */
    begin: () => void;
  },
): Promise<void> {
  const { waiters, clock, headers } = options;
  const first = source();
  options.begin();
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort());
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    connection: 'keep-alive',
  });
  response.write(HELLO);

  const over = new AbortController();
  const ending = AbortSignal.any([disconnected.signal, over.signal, waiters.stopped]);
  const timeout = clock.sleep(MAX_STREAM_MS, ending).then(() => over.abort());
  const last = await pump(response, source, { ...options, first, ending });
  over.abort();
  await timeout;
  // A client that does not read would not take the closing event, and would delay the stop of the server.
  if (response.writableNeedDrain) response.destroy();
  else response.end(last);
}

type Pump = {
  first: StreamEvent[];
  limit: number;
  ending: AbortSignal;
  waiters: LedgerWaiters;
  log: Log;
};

/** @returns the closing event */
async function pump(response: ServerResponse, source: EventSource, options: Pump): Promise<string> {
  const { ending, waiters, log } = options;
  let left = options.limit;
  let events = options.first;
  for (;;) {
    // Starts to wait before the client has read, so that no ledger is missed in between.
    const nextLedger = waiters.next(ending);
    const text = events.slice(0, left).map(eventText).join('');
    left -= events.length;
    // Waits for a client that does not read, so that unsent events do not fill the memory.
    if (text !== '' && !response.write(text)) await drained(response, ending);
    if (left <= 0 || ending.aborted) return BYEBYE;
    await nextLedger;
    if (ending.aborted) return BYEBYE;
    try {
      events = source();
    } catch (error) {
      if (error instanceof Problem) return errorText(error.message);
      log.error({ err: error }, 'a Horizon stream failed');
      return errorText('Unexpected stream error');
    }
  }
}

async function drained(response: ServerResponse, ending: AbortSignal): Promise<void> {
  try {
    await once(response, 'drain', { signal: ending });
  } catch (error) {
    if (!ending.aborted) throw error;
  }
}

function eventText({ id, data }: StreamEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${goJson(data, 0)}\n\n`;
}

function errorText(message: string): string {
  return `event: error\ndata: ${message}\n\n`;
}
