import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';

/** An answer other than success: `{"error": {"code", "message"}}` with a message for people. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function refusalHandler(log: Log) {
  return (error: unknown, _request: FastifyRequest, reply: FastifyReply) => {
    const { status, code, message } = asRefusal(error);
    if (status >= 500) log.error({ err: error }, 'the sandbox page’s request failed');
    return reply.code(status).send({ error: { code, message } });
  };
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const status = (error as { statusCode?: unknown }).statusCode; // errors of fastify itself
  if (typeof status === 'number' && status < 500) {
    return new Refusal(status, 'bad_request', (error as Error).message);
  }
  return new Refusal(500, 'internal_error', 'The sandbox had an internal error.');
}
