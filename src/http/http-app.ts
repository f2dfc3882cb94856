import { isUtf8 } from 'node:buffer';
import { hash, randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import helmet from '@fastify/helmet';
import fastify, { type FastifyError, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import {
  hasZodFastifySchemaValidationErrors,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  describeDatabaseFailure,
  isConnectFailure,
  isConnectionLost,
  isPassing,
  isReferenceGone,
} from '../db/failures.ts';
import { batched } from '../lib/batch.ts';
import { systemClock } from '../lib/clock.ts';
import { AppError, type ErrorCode, type ErrorDetail } from '../lib/errors.ts';
import { isLoopbackName } from '../lib/host-or-block.ts';
import { inTurns } from '../lib/in-parts.ts';
import type { Log } from '../lib/log.ts';
import { type LogContext, withLogContext } from '../lib/log-context.ts';
import { createRepeats } from '../lib/repeats.ts';
import { version } from '../lib/version.ts';
import { NetworkUnavailable } from '../stellar/network-unavailable.ts';
import { stringify } from './exact-json.ts';
import { sayWhatIsWrong } from './issues.ts';
import { JsonSyntaxError, readBody } from './read-json.ts';
import { createUnknownOperations } from './unknown-operations.ts';

z.config({ customError: sayWhatIsWrong });

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the error that was answered; empty for a success. */
    error_code: string;
    log_context: LogContext;
    /** SHA-256 of the bytes of the body, in hex; of no bytes for an empty object. */
    body_hash: string;
  }
}

/** A body of 10,000 rows can have a fault in each. */
const MOST_DETAILS = 1_000;
const BODY_LIMIT_BYTES = 64 * 1024;
const ENTERING_PER_TURN = 25;
/** A load balancer asks them with its own Host, or with none. They tell a stranger nothing. */
const HEALTH_PATHS = ['/healthz', '/readyz'];
const REQUEST_TIMEOUT_MS = 30_000; // time to receive a request; the response to a withdrawal may take longer
/** How often Node looks for requests that are too slow. Its default of 30 s would double the time that they get. */
const TIMEOUT_CHECK_MS = 1_000;

/** Returns the serializer of a response: its schema is a whitelist of members. */
const serializerOf =
  ({ schema }: { schema: unknown }) =>
  (data: unknown) =>
    stringify((schema as z.ZodType).parse(data));

/** Without both, fastify loads compilers of its own. Its types name those, and no others. */
const COMPILERS: object = { buildValidator: () => validatorCompiler, buildSerializer: () => serializerOf };

/**
 * Creates a fastify instance with the rules of every operation: exact integers, strict bodies, response schemas as whitelists, one
 * form of errors, a request id and the version in every response. It has no routes yet.
 */
export function createHttpApp(log: Log, options: { loopback_only: boolean; public_host?: string }) {
  const app = fastify({
    loggerInstance: log.child({ part: 'http' }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: REQUEST_TIMEOUT_MS, connectionsCheckingInterval: TIMEOUT_CHECK_MS },
    genReqId: newRequestId,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger, // the id comes from the context, in the lines of other parts too
    return503OnClosing: false, // `drain` answers them, with our own body
    forceCloseConnections: 'idle',
    frameworkErrors: sendError,
    clientErrorHandler: answerBrokenRequest,
    schemaController: { compilersFactory: COMPILERS },
  }).withTypeProvider<ZodTypeProvider>();

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      const text = utf8(bytes);
      if (text === '') return {};
      const body = await inTurns(readBody(text));
      // No body is the empty object: where it is optional, both are the same request.
      if (Object.keys(body).length > 0) request.body_hash = hash('sha256', bytes);
      return body;
    },
  );
  // Only where the operation takes it. The rest of what a JSON body would say is in the query then.
  app.addContentTypeParser(
    'text/csv',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      request.body_hash = hash('sha256', bytes);
      if (!request.routeOptions.config.takes_csv)
        throw new AppError('unsupported_media_type', 'Send the body as application/json.');
      if (!isUtf8(bytes))
        throw new AppError('invalid_request', 'The CSV is not UTF-8: save it as "CSV UTF-8".');
      return { csv: bytes.toString() };
    },
  );
  // An empty body may have any content type; any other body must be declared as JSON.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, bytes: Buffer) => {
    if (bytes.length === 0) return {};
    throw new AppError('unsupported_media_type', 'Send the body as application/json.');
  });
  app.setErrorHandler(sendError);
  app.decorateRequest('error_code', '');
  app.decorateRequest('body_hash', hash('sha256', ''));
  app.decorateRequest('log_context', null as unknown as LogContext);
  app.addHook('onRequest', (request, _reply, done) => {
    request.log_context = { request_id: request.id };
    withLogContext(request.log_context, done);
  });
  // The parts of a body come from the connection, and so does what runs after them.
  app.addHook('preValidation', (request, _reply, done) => withLogContext(request.log_context, done));
  const unknown = createUnknownOperations();
  app.addHook('onRoute', unknown.note);
  app.setNotFoundHandler(unknown.refuse);

  closeUnusedConnections(app.server, (close) => app.addHook('preClose', close));
  app.register(helmet, { contentSecurityPolicy: { directives: { 'default-src': ["'none'"] } } });
  // Requests are admitted in batches: all requests of one turn of the event loop together would block it.
  const enter = batched<void, void>({ max: ENTERING_PER_TURN, run: async (requests) => requests });
  app.addHook('onRequest', () => enter());
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOf(request));
    if (countHosts(request.raw) > 1)
      throw new AppError('invalid_request', 'The Host header is given more than once.');
    const is_ours = isLoopbackName(request.hostname) || request.hostname === options.public_host;
    if (options.loopback_only && !is_ours && !HEALTH_PATHS.includes(request.url)) {
      // On loopback, another host name can only come from a web page whose name was rebound to this address.
      throw new AppError(
        'misdirected_request',
        'This service answers requests to localhost and PUBLIC_URL only.',
      );
    }
  });
  let draining = false;
  app.addHook('onRequest', async (request) => {
    if (draining && request.url !== '/healthz')
      throw new AppError('service_stopping', 'The service is stopping; nothing was started.', {
        retry_after_seconds: 1,
      });
  });
  // Before a body is read: methods like QUERY would be asked for its content type first.
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) unknown.refuse(request, reply);
  });
  // A missing body is validated as the empty object: it is optional where no field is required.
  app.addHook('preValidation', async (request) => {
    if (request.method !== 'GET') request.body ??= {};
  });
  // No id has a zero character, and PostgreSQL takes no text with one. After the schema: what it refuses is a 400, and what it
  // has turned into an object, like an asset, it has checked.
  app.addHook('preHandler', async (request) => {
    const ids = Object.values(request.params as Record<string, unknown>);
    if (ids.some((id) => typeof id === 'string' && id.includes('\0')))
      throw new AppError('not_found', 'There is nothing at this path: it has a zero character.');
  });
  // A connection kept alive after its last response would delay a stop until the time for open requests is over.
  app.addHook('onSend', async (_request, reply) => {
    if (draining) reply.header('connection', 'close');
  });
  app.addHook('onResponse', async (request, reply) => {
    const line = { method: request.method, path: request.url.split('?')[0], status: reply.statusCode };
    request.log.debug({ ...line, duration_ms: Math.round(reply.elapsedTime) }, 'request');
  });
  return Object.assign(app, {
    /** Answers 503 to every request from now on, but not to /healthz. Call it before `close`, while the listener is still open. */
    drain(): void {
      draining = true;
    },
  });
}

/** Closes connections without any request. Node counts them as busy: a spare one of a browser would delay every stop. */
function closeUnusedConnections(server: Server, beforeClose: (close: () => Promise<void>) => void): void {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  beforeClose(async () => {
    for (const socket of unused) socket.destroy();
  });
}

/** Returns the headers that every answer has, also an answer that is sent before any hook ran. */
function headersOf({ id }: { id: string }): Record<string, string> {
  return { 'x-request-id': id, 'teller-version': version };
}

function newRequestId(): string {
  return `req_${randomUUID()}`;
}

export type HttpApp = ReturnType<typeof createHttpApp>;

/** Counts the Host headers of a request. Node keeps the first of several, and a proxy before the service may have read another one. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
}

function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const known = asAppError(error, request);
  request.error_code = known.code;
  if (known.status >= 500)
    // Of a bad URL or a broken body, the error comes from outside of the context.
    withLogContext(request.log_context ?? { request_id: request.id }, () => {
      // No fault of the service: the withdrawal is accepted and gets its outcome later. The details are for the caller.
      if (known.code === 'outcome_pending') request.log.warn(known.message);
      else if (known.status === 503) tellRefusal(request.log, known, error);
      else request.log.error({ err: error }, 'request failed');
    });
  reply.headers(headersOf(request));
  if (known.retry_after_seconds !== undefined) reply.header('retry-after', known.retry_after_seconds);
  if (known.status === 401) reply.header('www-authenticate', 'Bearer');
  const body = {
    statusCode: known.status,
    message: known.message,
    error: { code: known.code, details: known.details, request_id: request.id },
    data: known.data,
  };
  reply
    .code(known.status)
    .header('content-type', 'application/json; charset=utf-8')
    .serializer(String)
    .send(stringify(body));
}

const refusals = createRepeats(systemClock);

/**
 * Logs refusals that are no fault of the service, after which the client may ask again: one line a minute for each code. An outage
 * refuses thousands of requests.
 */
function tellRefusal(log: FastifyRequest['log'], { code, message }: AppError, error: Error): void {
  const times = refusals(code);
  const cause = error.cause instanceof Error ? error.cause : error;
  if (times > 0) log.warn({ code, times, reason: message, cause: cause.message }, 'requests are refused');
}

/** Decodes UTF-8. @throws JsonSyntaxError for other bytes: replacement characters would change the text. */
function utf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new JsonSyntaxError('is not UTF-8');
  return bytes.toString(); // a byte order mark is kept, which is not valid JSON
}

/**
 * Answers bytes that are not HTTP, which never become a request. The sender still gets the error body, when it can be sent.
 *
 * A connection that sent nothing in its time ends without an answer. Chromium keeps a connection that it opened for a request
 * and did not use. It would take an answer there for the answer to the next request.
 */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const request_id = newRequestId();
  const message = 'The request is not valid HTTP, too large in its head, or too slow.';
  const body = stringify({ statusCode: 400, message, error: { code: 'invalid_request', request_id } });
  const head = [
    'HTTP/1.1 400 Bad Request',
    ...Object.entries(headersOf({ id: request_id })).map(([name, value]) => `${name}: ${value}`),
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function asAppError(error: FastifyError, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof JsonSyntaxError) {
    if (error.member !== null) return invalidRequest([{ path: `/${error.member}`, message: error.message }]);
    return new AppError('invalid_json', `The body ${error.message}.`);
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const { validation, validationContext } = error;
    const details = validation.flatMap((issue) => detailsOf(issue, validationContext, request));
    return invalidRequest(details.slice(0, MOST_DETAILS));
  }
  if (error instanceof NetworkUnavailable) {
    const { message, retry_after_seconds } = error;
    return new AppError('network_unavailable', message, {
      ...(retry_after_seconds !== undefined && { retry_after_seconds }),
      cause: error,
    });
  }
  if (error.code === 'ECONNRESET' && request.raw.destroyed && !request.raw.complete)
    return new AppError('invalid_request', 'The request ended before its body did.');
  if (error.code === 'FST_ERR_BAD_URL')
    return new AppError('not_found', 'There is nothing at this path: it cannot be decoded.');
  const database = databaseUnavailable(error);
  if (database) return database;
  const code = CODE_OF_FASTIFY_ERROR[error.code];
  if (code) return new AppError(code, error.message);
  // A 4xx of fastify itself: a malformed URL or header.
  if (
    error.statusCode &&
    error.statusCode >= 400 &&
    error.statusCode < 500 &&
    error.code?.startsWith('FST_')
  ) {
    return new AppError('invalid_request', error.message);
  }
  return new AppError('internal_error', 'Something went wrong on our side.', { cause: error });
}

const CODE_OF_FASTIFY_ERROR: Record<string, ErrorCode | undefined> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
};

export function invalidRequest(details: ErrorDetail[]): AppError {
  const first = details[0];
  const summary = first
    ? `${first.path.replace(/^\//, '') || 'The body'} ${first.message}`
    : 'The request is not valid';
  return new AppError('invalid_request', `${summary}.`, { details });
}

type ZodIssue = { keyword: string; instancePath: string; message?: string; params?: { keys?: string[] } };

function detailsOf(issue: ZodIssue, context: string | undefined, { query }: FastifyRequest): ErrorDetail[] {
  const path = issue.instancePath === '/' ? '' : issue.instancePath;
  const base = context === 'body' ? path : path.replace(/^\//, '');
  if (issue.keyword === 'unrecognized_keys') {
    const keys = issue.params?.keys ?? [];
    return keys.map((key) => ({
      path: context === 'body' ? `${base}/${key}` : key,
      message: 'is not a known field',
    }));
  }
  // The message of the schema would be about a list, but the caller has only repeated the parameter.
  const is_repeated = context === 'querystring' && Array.isArray((query as Record<string, unknown>)[base]);
  return [
    { path: base, message: is_repeated ? 'is given more than once' : (issue.message ?? 'is not valid') },
  ];
}

function databaseUnavailable(cause: unknown): AppError | null {
  const more = { retry_after_seconds: 5, cause };
  if (isConnectFailure(cause)) {
    const message = `The database ${describeDatabaseFailure(cause)}; nothing was started.`;
    return new AppError('database_unavailable', message, more);
  }
  if (isConnectionLost(cause)) {
    const message =
      'The connection to the database broke. The request may have taken effect: repeat it only with its Idempotency-Key, or check first.';
    return new AppError('database_unavailable', message, more);
  }
  if (isPassing(cause)) {
    const message = 'The database could not record this for the moment; nothing was started.';
    return new AppError('database_unavailable', message, more);
  }
  if (isReferenceGone(cause)) {
    const message =
      'The database no longer has what this request refers to (it was removed in the same moment, or an older copy of the ' +
      'database took over); nothing was started.';
    return new AppError('database_unavailable', message, more);
  }
  return null;
}
