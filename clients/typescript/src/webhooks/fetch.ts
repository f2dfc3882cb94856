/** Deliveries for whatever has `Request` and `Response`: Next.js, Hono, Deno, Bun, workers. */
import { readBody } from './body.ts';
import {
  type VerifiedWebhook,
  type VerifyOptions,
  verifyWebhook,
  WebhookVerificationError,
} from './verify.ts';

export type WebhookHandlerOptions = VerifyOptions & {
  /** The signing secret of the endpoint, or several while it changes. */
  secret: string | readonly string[];
  /** Called for a delivery that is refused, for your log. */
  onRefused?: (error: WebhookVerificationError) => void;
};

/**
 * A handler of POST requests. 204 once `onEvent` has ended, which acknowledges the delivery; 401 for a delivery that is
 * refused, 413 for a body of more than 1 MiB. What `onEvent` throws passes through, so that the service sends the delivery again.
 */
export function webhookHandler(
  options: WebhookHandlerOptions,
  onEvent: (delivery: VerifiedWebhook) => unknown,
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.bodyUsed) throw new TypeError('the body was read before');
    const bytes = await readBody(partsOf(request));
    if (typeof bytes === 'number') return new Response(null, { status: bytes });
    let delivery: VerifiedWebhook;
    try {
      delivery = await verifyWebhook(request.headers, bytes, options.secret, options);
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      options.onRefused?.(error);
      return new Response(null, { status: 401 });
    }
    await onEvent(delivery);
    return new Response(null, { status: 204 });
  };
}

async function* partsOf({ body }: Request): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body?.getReader();
  try {
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {};
      if (value) yield value;
      if (done) return;
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}
