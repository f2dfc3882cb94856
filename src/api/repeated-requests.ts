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
 * | the answer to the commit of the change is lost   | made or in_flight         | as above: only a key in_flight is freed           |
 * | none, but the request outlives its lease         | the claim of another one  | one of the two commits, the other rolls back      |
 *
 * The claim is committed before the handler runs. `audited` turns it to `made` in the transaction that makes something, or rolls
 * that transaction back: this alone is what makes two impossible. A request that makes nothing frees its key, and so does one
 * that asks members for approvals: the same request makes it after them.
 *
 * What is shown once is not kept: the kept answer has null in its place.
 */
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { noteClaim } from '../db/claim-of-request.ts';
import {
  type Claim,
  claimRequest,
  type EarlierRequest,
  freeKey,
  keepAnswer,
} from '../db/idempotent-requests.ts';
import type { Deps } from '../deps.ts';
import { parseForStringify } from '../http/exact-json.ts';
import { readIdempotencyKey } from '../http/idempotency-key.ts';
import { AppError } from '../lib/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Its claim on its Idempotency-Key, until it is answered. */
    claim: Claim | null;
  }
}

/** Most requests take less; after a crash the client asks until the lease is over. */
const RETRY_AFTER_SECONDS = 1;

type RequestDeps = Pick<Deps, 'db' | 'clock'>;

/** Returns a function that lets a route with `makes` obey Idempotency-Keys. */
export function createRepeatedRequests(deps: RequestDeps): (route: RouteOptions) => void {
  return (route) => {
    // After the hooks of the application: rights and body are checked, and a refusal of them claims nothing.
    route.preHandler = [route.preHandler ?? [], claimKey(deps)].flat();
    route.onSend = [route.onSend ?? [], concludeClaim(deps)].flat();
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
      body_hash: sha256(JSON.stringify([params, query, body_hash])),
    };
    const claim = await claimRequest(db, keyed, clock.now());
    if ('earlier' in claim) return repeatAnswer(reply, claim.earlier);
    request.claim = claim;
    noteClaim(log_context, claim);
  };
}

/** @throws AppError 409 when there is no answer to give again */
function repeatAnswer(
  reply: FastifyReply,
  { is_same, has_lease, made, answer }: EarlierRequest,
): FastifyReply {
  if (!is_same)
    throw new AppError(
      'idempotency_key_mismatch',
      'This Idempotency-Key belongs to another request: make a new key for this one.',
    );
  if (answer)
    return reply
      .code(answer.status)
      .header('idempotency-replayed', 'true')
      .header('content-type', 'application/json; charset=utf-8')
      .serializer(String)
      .send(answer.text);
  if (made && !has_lease)
    throw new AppError(
      'idempotency_answer_lost',
      'The request with this Idempotency-Key did what it asks for, and its answer was lost. data names what it made or changed; ' +
        'read it by that id. Nothing more was made.',
      { data: made },
    );
  throw new AppError(
    'idempotency_key_in_flight',
    'The request with this Idempotency-Key is under way, or a crash has ended it: ask again.',
    { retry_after_seconds: RETRY_AFTER_SECONDS },
  );
}

function concludeClaim({ db }: RequestDeps) {
  return async (request: FastifyRequest, { statusCode: status }: FastifyReply, payload: unknown) => {
    const { claim, routeOptions } = request;
    const shown_once = routeOptions.config.makes?.shown_once ?? [];
    if (claim === null) return payload;
    request.claim = null;
    try {
      if (!claim.made) await freeKey(db, claim);
      else if (status < 300)
        await keepAnswer(db, claim, { status, text: withoutSecrets(String(payload), shown_once) });
    } catch (error) {
      // The answer is for the caller all the same. A repeat finds the claim with its lease, or what was made.
      request.log.warn({ err: error }, 'the answer to an Idempotency-Key is not recorded');
    }
    return payload;
  };
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
