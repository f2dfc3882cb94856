/** Answers as CSV, which may be longer than the memory takes. */
import { TellerConnectionError, TellerTimeoutError, UnexpectedAnswerError } from './errors.ts';
import { after, endedBy, joined } from './retries.ts';

/**
 * A CSV: `for await (const text of csv)` reads part after part, as they arrive, and `text()` everything. A line may begin in one
 * part and end in the next. Each reading sends a new request. A CSV that is cut ends with an error, never silently.
 */
export class Csv implements AsyncIterable<string> {
  readonly #read: () => Promise<AsyncIterable<string>>;

  /** `read`: asks for it. */
  constructor(read: () => Promise<AsyncIterable<string>>) {
    this.#read = read;
  }

  async text(): Promise<string> {
    let text = '';
    for await (const part of this) text += part;
    return text;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    yield* await this.#read();
  }
}

/** `limit_ms`: for each part. @throws TellerConnectionError when the connection ends before the text; the reason of `signal` */
export async function* readText(
  body: ReadableStream<Uint8Array>,
  limit_ms: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    for (;;) {
      const { done, value } = await nextOf(reader, limit_ms, signal);
      const text = decoded(decoder, value, done);
      if (text !== '') yield text;
      if (done) return;
    }
  } finally {
    // A reader that stops early must not leave the rest on the connection.
    await reader.cancel().catch(() => undefined);
  }
}

type Decoder = InstanceType<typeof TextDecoder>;

function decoded(decoder: Decoder, bytes: Uint8Array | undefined, is_last: boolean): string {
  try {
    return decoder.decode(bytes, { stream: !is_last });
  } catch {
    throw new UnexpectedAnswerError('The CSV is no UTF-8.', { status: 200, text: '', request_id: null });
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function nextOf(reader: Reader, limit_ms: number, signal: AbortSignal | undefined) {
  const limit = after(limit_ms);
  try {
    return await endedBy(() => reader.read(), joined(signal, limit));
  } catch (error) {
    signal?.throwIfAborted();
    if (limit.aborted)
      throw new TellerTimeoutError(`No more of the CSV in ${limit_ms} ms.`, { cause: error });
    throw new TellerConnectionError('The connection ended before the CSV.', { cause: error });
  }
}
