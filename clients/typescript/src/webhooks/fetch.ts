/** Deliveries for whatever has `Request` and `Response`: Next.js, Hono, Deno, Bun, workers. */
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
 * refused. What `onEvent` throws passes through, so that the service sends the delivery again.
 */
export function webhookHandler(
  options: WebhookHandlerOptions,
  onEvent: (delivery: VerifiedWebhook) => unknown,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const bytes = await request.arrayBuffer();
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
