import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import type { StellarNode } from '../node.ts';
import type { Collection, HorizonRecord } from './collection.ts';
import type { EventSource } from './event-stream.ts';
import { serveStream } from './event-stream.ts';
import { goJson } from './json.ts';
import type { LedgerWaiters } from './ledger-waiters.ts';
import { EVENT_STREAM, HAL, JSON_TYPE, negotiate } from './negotiate.ts';
import type { ObjectOf } from './objects.ts';
import { halPage } from './page.ts';
import type { PageQuery } from './params.ts';
import { moved, pageQueryOf } from './params.ts';
import type { Problem } from './problem.ts';
import { notAcceptable } from './problem.ts';
import type { HorizonRequest } from './request.ts';
import { horizonRequest } from './request.ts';
import { lastToidOf } from './toid.ts';

export type HorizonContext = {
  /** The node that answers a request: one server may show several nodes. */
  nodeOf: (request: FastifyRequest) => StellarNode;
  waiters: LedgerWaiters;
  log: Log;
};

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Horizon ends a stream of one resource after this many versions of it. */
const OBJECT_STREAM_LIMIT = 10;

/** Answers with the resource. A stream sends each new version of it. */
export function objectHandler(objectOf: ObjectOf, streamable: boolean, context: HorizonContext): Handler {
  return async (request, reply) => {
    const horizon = requestOf(request, context);
    if (!wantsStream(request, streamable)) return sendHal(reply, 200, objectOf(horizon));
    let last = '';
    const versions: EventSource = () => {
      const data = objectOf(horizon);
      const text = goJson(data, 0);
      if (text === last) return [];
      last = text;
      return [{ data }];
    };
    return await stream(reply, versions, OBJECT_STREAM_LIMIT, horizon.node, context);
  };
}

/** Answers with a page of the collection, or streams it from the cursor of the page on. */
export function collectionHandler(collection: Collection, context: HorizonContext): Handler {
  return async (request, reply) => {
    const horizon = requestOf(request, context);
    const asStream = wantsStream(request, true);
    let page = pageQueryOf(horizon);
    const read = collection(horizon);
    if (!asStream) return sendHal(reply, 200, halPage(horizon, page, read(page)));
    const news: EventSource = () => {
      const records = read(page);
      page = moved(page, cursorAfter(page, records, horizon.node));
      return records.map((data) => ({ id: data.paging_token, data }));
    };
    return await stream(reply, news, page.limit, horizon.node, context);
  };
}

/**
 * Where a stream continues. An ascending page that is not full reached the newest record, so the next page need not
 * read those ledgers again.
 */
function cursorAfter(page: PageQuery, records: HorizonRecord[], node: StellarNode): string {
  const end = lastToidOf(node.latest.header.ledgerSeq);
  const sawAll = page.order === 'asc' && records.length < page.limit && end > page.id;
  return sawAll ? `${end}` : (records.at(-1)?.paging_token ?? page.cursor);
}

export function sendHal(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply.code(status).type(`${HAL}; charset=utf-8`).send(goJson(body, 2));
}

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const text = goJson(problem.body(), 2);
  return reply.code(problem.status).type('application/problem+json; charset=utf-8').send(text);
}

export function requestOf(request: FastifyRequest, { nodeOf }: HorizonContext): HorizonRequest {
  const lastEventId = request.headers['last-event-id'];
  // The links must name the node too. The server has removed it from the URL before this.
  const [prefix = ''] = /^\/nodes\/[^/?]+/.exec(request.originalUrl) ?? [];
  return horizonRequest(nodeOf(request), {
    prefix,
    host: request.host,
    url: request.url,
    params: request.params,
    last_event_id: typeof lastEventId === 'string' ? lastEventId : undefined,
  });
}

/** @throws Problem 406 when the client accepts no type that can be given. A HEAD request never gets a stream. */
function wantsStream({ headers, method }: FastifyRequest, streamable: boolean): boolean {
  const type = negotiate(headers.accept, streamable ? [HAL, JSON_TYPE, EVENT_STREAM] : [HAL, JSON_TYPE]);
  if (type === null) throw notAcceptable();
  return type === EVENT_STREAM && method === 'GET';
}

async function stream(
  reply: FastifyReply,
  source: EventSource,
  limit: number,
  node: StellarNode,
  { waiters, log }: HorizonContext,
): Promise<FastifyReply> {
  const { clock } = node.options;
  const headers = reply.getHeaders() as Record<string, string>;
  const begin = () => void reply.hijack(); // a reply has `then`, but nothing to wait for
  await serveStream(reply.raw, source, { limit, headers, waiters, clock, log, begin });
  return reply;
}
