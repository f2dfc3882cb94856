/**
 * How many requests a team may make in a minute. Each process counts for itself. `RateLimit-Policy` and `RateLimit` are those
 * of draft-ietf-httpapi-ratelimit-headers-10, which is no RFC yet: programs may take them as advice.
 */
import type { FastifyReply } from 'fastify';
import type { Deps } from '../deps.ts';
import { AppError } from '../lib/errors.ts';
import { createRateQuota } from '../lib/rate-quota.ts';

const WINDOW_SECONDS = 60;

/** Counts a request of the team and sets the headers. @throws AppError 429 `rate_limited` */
export type RequestQuota = (team_id: string, reply: FastifyReply) => void;

/** Makes the quota of a process. Call it once in a process, so that every request of a team is counted together. */
export function createRequestQuota({ clock, config }: Pick<Deps, 'clock' | 'config'>): RequestQuota {
  const quota = config.team_quotas.requests_per_minute;
  const ask = createRateQuota(clock, { quota, window_ms: WINDOW_SECONDS * 1000 });
  return (team_id, reply) => {
    const { exceeded, remaining, reset_seconds } = ask(team_id);
    reply.header('ratelimit-policy', `"team";q=${quota};w=${WINDOW_SECONDS}`);
    reply.header('ratelimit', `"team";r=${remaining};t=${reset_seconds}`);
    if (exceeded)
      throw new AppError('rate_limited', `Your team may make ${quota} requests a minute.`, {
        retry_after_seconds: reset_seconds,
      });
  };
}
