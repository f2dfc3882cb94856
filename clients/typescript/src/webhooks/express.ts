/** Deliveries for express, and for any server with the requests and answers of `node:http`. */
import { readBody } from './body.ts';
import type { WebhookHandlerOptions } from './fetch.ts';
import { type VerifiedWebhook, verifyWebhook, WebhookVerificationError } from './verify.ts';

/** The parts of a request of express or `node:http` that are needed. */
type Request = {
  headers: Record<string, string | string[] | undefined>;
  /** What a parser has put there. */
  body?: unknown;
  rawBody?: unknown;
  readableEnded: boolean;
  [Symbol.asyncIterator](): AsyncIterator<unknown>;
};
type Answer = { statusCode: number; end(): unknown };
type Next = (error?: unknown) => void;

/**
 * A handler for one route. 204 once `onEvent` has ended, which acknowledges the delivery; 401 for a delivery that is
 * refused, 413 for a body of more than 1 MiB; what `onEvent` throws goes to `next`, and the service sends the delivery again.
 *
 * It reads the body itself, or takes the bytes that `express.raw()` has read. Mount it before `express.json()`: what a
 * parser has read cannot be verified, which is an error for `next`.
 */
export function webhookHandler(
  options: WebhookHandlerOptions,
  onEvent: (delivery: VerifiedWebhook) => unknown,
): (request: Request, answer: Answer, next: Next) => Promise<void> {
  return async (request, answer, next) => {
    const end = (status: number): void => {
      answer.statusCode = status;
      answer.end();
    };
    try {
      const bytes = await bytesOf(request);
      if (typeof bytes === 'number') return end(bytes);
      const delivery = await verifyWebhook(request.headers, bytes, options.secret, options).catch(refused);
      if (delivery === null) return end(401);
      await onEvent(delivery);
      end(204);
    } catch (error) {
      next(error);
    }
  };

  function refused(error: unknown): null {
    if (!(error instanceof WebhookVerificationError)) throw error;
    options.onRefused?.(error);
    return null;
  }
}

/** As of readBody. @throws TypeError when a parser has taken the bytes */
async function bytesOf(request: Request): Promise<Uint8Array | 400 | 413> {
  for (const read of [request.rawBody, request.body]) if (read instanceof Uint8Array) return read;
  if (request.readableEnded)
    throw new TypeError('the body was read before: mount this handler before express.json()');
  return readBody(request);
}
