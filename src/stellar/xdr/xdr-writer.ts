import { strict as assert } from 'node:assert';

/**
 * Writes XDR (RFC 4506: big-endian, every item a multiple of four bytes) into one buffer, in the order of the calls.
 * A number outside its type's range throws, and so do more bytes than `capacity`.
 */
export class XdrWriter {
  readonly #bytes: Buffer;
  #end = 0;

  constructor(capacity: number) {
    this.#bytes = Buffer.alloc(capacity);
  }

  uint32(value: number): this {
    this.#end = this.#bytes.writeUInt32BE(value, this.#end);
    return this;
  }

  int64(value: bigint): this {
    this.#end = this.#bytes.writeBigInt64BE(value, this.#end);
    return this;
  }

  uint64(value: bigint): this {
    this.#end = this.#bytes.writeBigUInt64BE(value, this.#end);
    return this;
  }

  /** Writes opaque bytes of fixed length. */
  opaque(bytes: Buffer): this {
    assert(bytes.length % 4 === 0, 'padding is not written');
    assert(this.#end + bytes.length <= this.#bytes.length);
    this.#end += bytes.copy(this.#bytes, this.#end);
    return this;
  }

  written(): Buffer {
    return this.#bytes.subarray(0, this.#end);
  }
}
