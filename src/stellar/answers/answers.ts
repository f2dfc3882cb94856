import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { AnswerTooLarge, type HttpRequest, type HttpResponse, type Transport } from './transport.ts';

/** A source gave no usable answer. Whether the request took effect is unknown. */
export class NoAnswer extends Error {}

/** No answer came. The message may name addresses. */
export class NotReached extends NoAnswer {
  readonly method: string;

  constructor(method: string, cause: Error) {
    super(`${method}: ${cause.message}`, { cause });
    this.method = method;
  }
}

/** A source's answer contradicts itself or cannot be read. It is counted, and treated as no answer. */
export class UnusableAnswer extends NoAnswer {
  readonly method: string;

  constructor(method: string, reason: string, cause?: unknown) {
    super(`${method}: ${reason}`, { cause });
    this.method = method;
  }
}

/** A source's answer is of another chain than the known ledger. It is treated as no answer. */
export class OtherChain extends UnusableAnswer {}

/** How a source is reached, where each request is counted, and the time. */
export type Wire = { transport: Transport; metrics: Pick<Metrics, 'network_requests'>; clock: Clock };

const TIMEOUT_MS = 10_000;
/** The longest answer of this kind is a contract transaction with its meta. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const MAX_PAGE_BYTES = 64 * 1024 * 1024;

/** Sends one request and counts it under `method`. `paged`: the answer may be long. @throws NoAnswer */
export async function ask(
  { transport, metrics }: Pick<Wire, 'transport' | 'metrics'>,
  method: string,
  request: Pick<HttpRequest, 'url' | 'method' | 'body'>,
  { paged = false } = {},
): Promise<HttpResponse> {
  metrics.network_requests.inc({ method });
  const max_bytes = paged ? MAX_PAGE_BYTES : MAX_ANSWER_BYTES;
  try {
    return await transport.send({ ...request, timeout_ms: TIMEOUT_MS, max_bytes });
  } catch (error) {
    if (error instanceof AnswerTooLarge) throw new UnusableAnswer(method, error.message);
    throw new NotReached(method, error as Error);
  }
}

/** A protocol's number in an answer; null when there is none, or no number that one can have. It decides nothing. */
export const protocolNumber = z
  .int()
  .min(1)
  .max(9_999)
  .nullish()
  .catch(null)
  .transform((told) => told ?? null);

/** @throws UnusableAnswer */
export function parseJson(method: string, text: string): unknown {
  return decoding(method, () => JSON.parse(text));
}

/**
 * Decodes base64 strictly. Node skips characters outside base64 and stops at the first "="; another reader may not, so
 * text whose length does not fit is refused. @throws UnusableAnswer
 */
export function xdrBytes(method: string, text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  if (bytes.length !== (text.length / 4) * 3 - padding) throw new UnusableAnswer(method, 'not base64');
  return bytes;
}

/** Checks the shape of an answer: a node is not trusted. @throws UnusableAnswer */
export function checked<T extends z.ZodType>(method: string, value: unknown, shape: T): z.output<T> {
  const parsed = shape.safeParse(value);
  if (!parsed.success) throw new UnusableAnswer(method, z.prettifyError(parsed.error));
  return parsed.data;
}

/** Turns an error of `decode` into UnusableAnswer. @throws UnusableAnswer */
export function decoding<T>(method: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    throw new UnusableAnswer(method, (error as Error).message, error);
  }
}
