/** Deliveries for fastify, as a plugin with a scope of its own: other routes keep their parser of JSON. */
import type { WebhookHandlerOptions } from './fetch.ts';
import { type VerifiedWebhook, verifyWebhook, WebhookVerificationError } from './verify.ts';

type Request = { headers: Record<string, string | string[] | undefined>; body?: unknown };
type Reply = { code(status: number): Reply; send(payload?: unknown): unknown };
type Parser = (
  request: unknown,
  body: Uint8Array,
  done: (error: Error | null, body?: unknown) => void,
) => void;
/** The parts of an instance of fastify that are needed. */
type Instance = {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(type: string, options: { parseAs: 'buffer' }, parser: Parser): unknown;
  post(path: string, handler: (request: Request, reply: Reply) => Promise<unknown>): unknown;
};

export type WebhookPluginOptions = WebhookHandlerOptions & {
  /** Of the route, for example `/hooks`. */
  path: string;
  onEvent: (delivery: VerifiedWebhook) => unknown;
};

/**
 * `app.register(webhookPlugin, { path, secret, onEvent })` answers POST at `path`: 204 once `onEvent` has ended, which
 * acknowledges the delivery; 401 for a delivery that is refused, 413 for a body beyond the `bodyLimit` of the app. What `onEvent` throws is answered by your error handler,
 * and the service sends the delivery again.
 */
export async function webhookPlugin(scope: Instance, options: WebhookPluginOptions): Promise<void> {
  // A stranger chooses the type of a body, and another parser of the app would give something else than bytes.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  scope.post(options.path, async ({ headers, body }, reply) => {
    let delivery: VerifiedWebhook;
    try {
      delivery = await verifyWebhook(
        headers,
        (body ?? new Uint8Array()) as Uint8Array,
        options.secret,
        options,
      );
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      options.onRefused?.(error);
      return reply.code(401).send();
    }
    await options.onEvent(delivery);
    return reply.code(204).send();
  });
}
