/** Reads bodies of deliveries, which anybody may send. */

/** The service sends less than a hundredth of it. */
const MAX_BODY_BYTES = 1_048_576;

/** The bytes of a body, or the status to refuse it with: 413 when they are too many, 400 when the sender has gone. */
export async function readBody(parts: AsyncIterable<unknown>): Promise<Uint8Array | 400 | 413> {
  const read: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of parts) {
      read.push(part as Uint8Array);
      length += (part as Uint8Array).length;
      if (length > MAX_BODY_BYTES) return 413;
    }
  } catch {
    return 400;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of read) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
