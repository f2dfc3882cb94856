import { xdr } from '@stellar/stellar-sdk/base';
import type { EntryKey } from '../entry.ts';
import { keyString } from '../entry.ts';
import { hasMuxedAddress } from '../muxed-contract.ts';
import { HostError } from './host-error.ts';

/** The entries that an invocation may touch. */
export type Footprint = { read(key: EntryKey): void; write(key: EntryKey): void };

/** The footprint that the transaction declares. Touching any other entry stops the invocation. */
export class DeclaredFootprint implements Footprint {
  readonly #readable: Set<EntryKey>;
  readonly #writable: Set<EntryKey>;

  /** @throws HostError when a key of contract data has a muxed address */
  constructor({ readOnly, readWrite }: xdr.LedgerFootprintWire) {
    if ([...readOnly, ...readWrite].some(hasMuxedAddress)) {
      throw HostError.ofHost('Storage', 'InvalidInput', 'a storage key cannot have a muxed address');
    }
    this.#writable = new Set(readWrite.map(keyString));
    this.#readable = new Set([...readOnly.map(keyString), ...this.#writable]);
  }

  read(key: EntryKey): void {
    if (this.#readable.has(key)) return;
    throw HostError.ofHost('Storage', 'ExceededLimit', `outside of the footprint: ${key}`);
  }

  write(key: EntryKey): void {
    this.read(key);
    if (this.#writable.has(key)) return;
    throw HostError.ofHost('Storage', 'ExceededLimit', `read-only in the footprint: ${key}`);
  }
}

/** Collects the entries that an invocation touches, for simulation. */
export class RecordedFootprint implements Footprint {
  readonly #read = new Set<EntryKey>();
  readonly #written = new Set<EntryKey>();

  read(key: EntryKey): void {
    this.#read.add(key);
  }

  write(key: EntryKey): void {
    this.#written.add(key);
  }

  toXdr(): xdr.LedgerFootprintWire {
    const readOnly = [...this.#read].filter((key) => !this.#written.has(key));
    return { readOnly: readOnly.map(ledgerKey), readWrite: [...this.#written].map(ledgerKey) };
  }
}

function ledgerKey(key: EntryKey): xdr.LedgerKeyWire {
  return xdr.LedgerKey.schema.decode(Buffer.from(key, 'base64'));
}
