import type { Socket } from 'node:net';

/** The status line of an informational answer. The answer 101 switches protocols, and cannot be skipped. */
const STATUS_LINE = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r\n]/;
const EXAMPLE = 'HTTP/1.1 100 ';
/** An end of a head can be in two reads of the socket. */
const SPLIT_BYTES = '\r\n\r\n'.length - 1;
const CR = 0x0d;
const LF = 0x0a;
const NOTHING = Buffer.alloc(0);

/**
 * Takes the informational answers out of what is read from the connection, asked for or not: undici ends the connection on a 100
 * that nobody asked for. A 101 stays an error, for what follows is another protocol.
 * Source: RFC 9110, 15.2 and 7.8.
 */
export function skipInformational(socket: Socket): void {
  const read = socket.read.bind(socket);
  const filter = createFilter();
  let written_bytes = 0;
  socket.read = (size?: number): Buffer | null => {
    if (socket.bytesWritten !== written_bytes) filter.expectAnswer(); // another request was sent
    written_bytes = socket.bytesWritten;
    for (;;) {
      const chunk = read(size) as Buffer | null;
      const passed = chunk === null ? null : filter.pass(chunk);
      // All of a read can be informational.
      if (chunk === null || passed !== null) return passed;
    }
  };
}

function createFilter() {
  let state: 'status_line' | 'informational' | 'answer' = 'status_line';
  let held: Buffer = NOTHING;

  function pass(chunk: Buffer): Buffer | null {
    if (state === 'answer') return chunk;
    held = Buffer.concat([held, chunk]);
    for (;;) {
      if (state === 'informational' && !skipHead()) return null;
      const begins = held.findIndex((byte) => byte !== CR && byte !== LF); // empty lines before it, as undici skips them
      held = begins === -1 ? NOTHING : held.subarray(begins);
      const text = held.toString('latin1', 0, EXAMPLE.length);
      if (!STATUS_LINE.test(text + EXAMPLE.slice(text.length))) return passRest();
      if (text.length < EXAMPLE.length) return null; // it may become one
      state = 'informational';
    }
  }

  /** Skips a head. Returns true when all of it has come. */
  function skipHead(): boolean {
    const end = endOfHead(held);
    held = end === null ? held.subarray(-SPLIT_BYTES) : held.subarray(end);
    if (end !== null) state = 'status_line';
    return end !== null;
  }

  function passRest(): Buffer {
    const rest = held;
    held = NOTHING;
    state = 'answer';
    return rest;
  }

  return {
    pass,
    expectAnswer(): void {
      if (state === 'answer') state = 'status_line';
    },
  };
}

/** Returns where the body would begin; null: the head goes on. A line may end with LF alone. */
function endOfHead(bytes: Buffer): number | null {
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    const next = bytes[at + 1] === CR ? at + 2 : at + 1;
    if (bytes[next] === LF) return next + 1;
  }
  return null;
}
