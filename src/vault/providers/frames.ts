/**
 * Messages between the service and the process of the PKCS#11 module, over pipes. A message is its length, the number of its
 * call, a kind, and bytes. Data keys pass here, so what is received is kept in locked memory and wiped; nothing is a string.
 */
import { secureBytes, wipe } from '../master-keys/secure-bytes.ts';

const HEAD_BYTES = 9; // length of the rest, number of the call, kind
const MAX_BYTES = 4096;

export type Message = { call: number; kind: number; bytes: Buffer };

/** Writes a message into new memory. The caller wipes it once it is sent. */
export function frame({ call, kind, bytes }: Message): Buffer {
  const framed = Buffer.alloc(HEAD_BYTES + bytes.length);
  framed.writeUInt32BE(framed.length - 4, 0);
  framed.writeUInt32BE(call, 4);
  framed.writeUInt8(kind, 8);
  bytes.copy(framed, HEAD_BYTES);
  return framed;
}

/**
 * Makes a function that takes chunks, wipes them, and calls `each` for every message that is whole. `bytes` is valid during that
 * call only. The function throws an Error when a message, with its head, has more than 4096 bytes.
 */
export function createReader(each: (message: Message) => void): (chunk: Buffer) => void {
  const received = secureBytes(MAX_BYTES);
  let length = 0;

  function takeWhole(): void {
    let start = 0;
    while (length - start >= HEAD_BYTES) {
      const end = start + 4 + received.readUInt32BE(start);
      if (end > length) break;
      const call = received.readUInt32BE(start + 4);
      each({ call, kind: received.readUInt8(start + 8), bytes: received.subarray(start + HEAD_BYTES, end) });
      start = end;
    }
    received.copyWithin(0, start, length);
    length -= start;
    wipe(received.subarray(length));
  }

  return (chunk) => {
    for (let taken = 0; taken < chunk.length; ) {
      const copied = chunk.copy(received, length, taken);
      if (copied === 0) throw new Error('a message is too long');
      length += copied;
      taken += copied;
      takeWhole();
    }
    chunk.fill(0);
  };
}

/** Joins two parts of a message: the length of the first one (2 bytes), the first one, and the second one. */
export function joinParts(first: Buffer, second: Buffer): Buffer {
  const joined = Buffer.alloc(2 + first.length + second.length);
  joined.writeUInt16BE(first.length, 0);
  first.copy(joined, 2);
  second.copy(joined, 2 + first.length);
  return joined;
}

export function splitParts(bytes: Buffer): [Buffer, Buffer] {
  const end = 2 + bytes.readUInt16BE(0);
  return [bytes.subarray(2, end), bytes.subarray(end)];
}
