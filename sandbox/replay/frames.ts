/**
 * Splits a stream into frames, each after its length (RFC 5531). The top bit marks a complete frame; stellar-core
 * writes only such.
 */
export function* framesOf(stream: Buffer): Generator<Buffer> {
  for (let offset = 0; offset < stream.length; ) {
    const end = offset + 4 + (stream.readUInt32BE(offset) & 0x7fffffff);
    yield stream.subarray(offset + 4, end);
    offset = end;
  }
}
