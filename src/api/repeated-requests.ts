/**
 * Requests with an Idempotency-Key that make something: the same again
 * within a day makes nothing more, and gets the first answer.
 *
 * | a crash                                          | leaves                    | the same request again                            |
 * |--------------------------------------------------|---------------------------|---------------------------------------------------|
 * | before the commit of the claim                   | nothing                   | makes it                                          |
 * | after it, before the commit of the change        | in_flight with its lease  | 409 `idempotency_key_in_flight`, then it makes it |
 * | after the change, before its answer is kept      | made, no answer           | 409 `idempotency_answer_lost` after the lease     |
 * | after the answer is kept                         | made, with its answer     | gets the answer                                   |
 * | none, but the answer to the commit is lost       | made, its lease is ended  | 409 `idempotency_answer_lost`, as the first       |
 * | the same, and the database stays away            | made or in_flight         | as after a crash                                  |
 * | none, but the request outlives its lease         | the claim of another one  | one of the two commits, the other rolls back      |
 *
 * The claim is committed before the handler runs. `audited` turns it to `made` in the transaction that makes something, or rolls
 * that transaction back: this alone is what makes two impossible. A request that makes nothing frees its key, and so does one
 * that asks members for approvals: the same request makes it after them.
 *
 * What is shown once is not kept: the kept answer has null in its place.
 *
 * A lease is longer than a client waits for one try: else the next try would end the work of the one before it.
 */
import { hash } from 'node:crypto';
import type { FastifyContextConfig, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { noteClaim } from '../db/claim-of-request.ts';
import {
  type Claim,
  claimRequest,
  type EarlierRequest,
  endClaim,
  keepAnswer,
  type Made,
} from '../db/idempotent-requests.ts';
import type { Deps } from '../deps.ts';
import { parseForStringify, stringify } from '../http/exact-json.ts';
import { readIdempotencyKey } from '../http/idempotency-key.ts';
import { AppError } from '../lib/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Its claim on its Idempotency-Key, until it is answered. */
    claim: Claim | null;
  }
}

/** How long clients wait for an answer, where the route says nothing else. */
const TRY_SECONDS = 30;
const LEASE_BEYOND_TRY_SECONDS = 15;

type RequestDeps = Pick<Deps, 'db' | 'clock'>;

/** Returns a function that lets a route with `makes` obey Idempotency-Keys. */
export function createRepeatedRequests(deps: RequestDeps): (route: RouteOptions) => void {
  return (route) => {
    // After the hooks of the application: rights and body are checked, and a refusal of them claims nothing.
    route.preHandler = [route.preHandler ?? [], claimKey(deps)].flat();
    route.onSend = [route.onSend ?? [], keepFirstAnswer(deps)].flat();
    route.errorHandler = endOnError(deps);
  };
}

function claimKey({ db, clock }: RequestDeps) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const key = readIdempotencyKey(request);
    if (key === null) return;
    const { team_id, params, query, body_hash, routeOptions, log_context } = request;
    const keyed = {
      owner_id: team_id,
      operation: routeOptions.config.operation ?? '',
      key_hash: sha256(key),
      body_hash: sha256(stringify([params, query, body_hash])),
    };
    const lease_ms = leaseSeconds(routeOptions.config) * 1_000;
    const claim = await claimRequest(db, keyed, { now: clock.now(), lease_ms });
    if ('earlier' in claim) return repeatAnswer(reply, claim.earlier);
    request.claim = claim;
    noteClaim(log_context, claim);
  };
}

/** Returns the seconds after which a request with a key may be taken over. */
export function leaseSeconds({ client }: FastifyContextConfig): number {
  const { time_limit_seconds = TRY_SECONDS } = typeof client === 'object' ? client : {};
  return time_limit_seconds + LEASE_BEYOND_TRY_SECONDS;
}

/** @throws AppError 409 when there is no answer to give again */
function repeatAnswer(reply: FastifyReply, earlier: EarlierRequest): FastifyReply {
  const { is_same, lease_left_ms, made, answer } = earlier;
  if (!is_same)
    throw new AppError(
      'idempotency_key_mismatch',
      'This Idempotency-Key belongs to another request of the team, maybe for another wallet: make a new key for this one.',
    );
  if (answer)
    return reply
      .code(answer.status)
      .header('idempotency-replayed', 'true')
      .header('content-type', 'application/json; charset=utf-8')
      .serializer(String)
      .send(answer.text);
  if (made && lease_left_ms <= 0) throw answerLost(made, reply.routeOptions.config);
  throw new AppError(
    'idempotency_key_in_flight',
    'The request with this Idempotency-Key is under way, or a crash has ended it: ask again.',
    { retry_after_seconds: retryAfterSeconds(earlier) },
  );
}

/** Returns a quarter of the time since the claim: soon where most answers come, and not beyond the lease after a crash. */
function retryAfterSeconds({ age_ms, lease_left_ms }: EarlierRequest): number {
  return Math.max(1, Math.ceil(Math.min(age_ms / 4, lease_left_ms) / 1_000));
}

function answerLost(made: Made, { makes }: FastifyContextConfig): AppError {
  const name = [made.kind.replaceAll('_', ' '), made.id ?? []].flat().join(' ');
  const secret = makes?.shown_once.length
    ? ' What it shows once is lost: replace it, with a new Idempotency-Key.'
    : '';
  return new AppError(
    'idempotency_answer_lost',
    `The request with this Idempotency-Key has made this, and its answer was lost: ${name}. Nothing more was made.${secret}`,
    { data: made },
  );
}

function keepFirstAnswer(deps: RequestDeps) {
  return async (request: FastifyRequest, { statusCode: status }: FastifyReply, payload: unknown) => {
    const { claim, routeOptions } = request;
    const shown_once = routeOptions.config.makes?.shown_once ?? [];
    if (claim === null) return payload;
    request.claim = null;
    await recorded(request, async () => {
      if (!claim.made) await endClaim(deps.db, claim, deps.clock.now());
      else await keepAnswer(deps.db, claim, { status, text: withoutSecrets(String(payload), shown_once) });
    });
    return payload;
  };
}

/**
 * Frees the key of a request that has failed; or tells that it has made something all the same: the commit lost its answer. Fastify
 * awaits what this returns, and its type for the option does not say so.
 */
function endOnError({ db, clock }: RequestDeps): (error: Error, request: FastifyRequest) => unknown {
  return async (error: Error, request: FastifyRequest) => {
    const { claim, routeOptions } = request;
    if (claim === null) throw error;
    request.claim = null;
    const found = await recorded(request, () => endClaim(db, claim, clock.now()));
    const made = found ?? claim.made;
    throw made ? answerLost(made, routeOptions.config) : error;
  };
}

/** Records by `work`; returns null where that fails. The answer is for the caller all the same: a repeat finds the lease, or what was made. */
async function recorded<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    request.log.warn({ err: error }, 'the answer to an Idempotency-Key is not recorded');
    return null;
  }
}

/** Returns the answer with null in place of each of these members of its data. */
function withoutSecrets(answer: string, shown_once: readonly string[]): string {
  if (shown_once.length === 0) return answer;
  const { data, ...envelope } = parseForStringify(answer) as { data: object };
  const hidden = Object.fromEntries(shown_once.map((member) => [member, null]));
  return JSON.stringify({ ...envelope, data: { ...data, ...hidden } });
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
