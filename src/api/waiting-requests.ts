/** Requests that are answered when the network has an outcome: withdrawals above all. Each team has a share of them. */
import type { RouteOptions } from 'fastify';
import type { Deps } from '../deps.ts';
import { AppError } from '../lib/errors.ts';

const RETRY_AFTER_SECONDS = 1;

/** Returns a function that adds a limit to a route: above the share of its caller's team it answers 429 `too_many_waiting`. */
export function createWaitingRequests({ config }: Pick<Deps, 'config'>): (route: RouteOptions) => void {
  const most = config.team_quotas.waiting;
  const waiting = new Map<string, number>();

  /**
   * Counts a request, or refuses it, before anything is looked up: a refusal starts nothing, and an Idempotency-Key stays free.
   * @throws AppError 429 `too_many_waiting`
   */
  function enter(team_id: string): void {
    const count = waiting.get(team_id) ?? 0;
    if (count >= most)
      throw new AppError(
        'too_many_waiting',
        `Your team has ${most} requests that wait for an outcome; nothing was started.`,
        { retry_after_seconds: RETRY_AFTER_SECONDS },
      );
    waiting.set(team_id, count + 1);
  }

  function leave(team_id: string): void {
    const left = (waiting.get(team_id) ?? 0) - 1;
    if (left > 0) waiting.set(team_id, left);
    else waiting.delete(team_id);
  }

  return (route) => {
    const { handler } = route;
    route.handler = async function (request, reply) {
      const { team_id } = request;
      enter(team_id);
      try {
        return await handler.call(this, request, reply);
      } finally {
        leave(team_id);
      }
    };
  };
}
