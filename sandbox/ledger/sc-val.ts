import { xdr } from '@stellar/stellar-sdk/base';
import { base64 } from './bytes.ts';

/** Makes, reads and compares contract values (SCVal). */
export type ScVal = xdr.ScValWire;
export type ScAddress = xdr.ScAddressWire;

export const VOID: ScVal = { type: 1 };

export const uint64 = (u64: bigint): ScVal => ({ type: 5, u64 });
export const symbol = (name: string): ScVal => ({ type: 15, sym: new xdr.XdrString(name) });
export const text = (value: string): ScVal => ({ type: 14, str: new xdr.XdrString(value) });
export const addressValue = (address: ScAddress): ScVal => ({ type: 18, address });

export function i128(value: bigint): ScVal {
  return { type: 10, i128: { hi: BigInt.asIntN(64, value >> 64n), lo: BigInt.asUintN(64, value) } };
}

export function i128Of(value: ScVal | undefined): bigint | undefined {
  return value?.type === 10 ? (value.i128.hi << 64n) | value.i128.lo : undefined;
}

/** A struct as contracts store it: a map with symbols as keys, in their order. */
export function struct(fields: Record<string, ScVal>): ScVal {
  const names = Object.keys(fields).sort();
  return { type: 17, map: names.map((name) => ({ key: symbol(name), val: fields[name] as ScVal })) };
}

/** The fields of a struct with exactly these names; undefined for any other value. */
export function fieldsOf<Name extends string>(
  value: ScVal | undefined,
  ...names: Name[]
): Record<Name, ScVal> | undefined {
  if (value?.type !== 17 || value.map === null || value.map.length !== names.length) return undefined;
  const fields = new Map(
    value.map.map(({ key, val }) => [key.type === 15 ? key.sym.toString() : undefined, val]),
  );
  if (!names.every((name) => fields.has(name))) return undefined;
  return Object.fromEntries(fields) as Record<Name, ScVal>;
}

export function bytesOf(value: ScVal, length: number): Uint8Array | undefined {
  return value.type === 13 && value.bytes.length === length ? value.bytes : undefined;
}

export function accountAddress(ed25519: Uint8Array): Extract<ScAddress, { type: 0 }> {
  return { type: 0, accountId: { type: 0, ed25519 } };
}

export function sameAddress(a: ScAddress, b: ScAddress): boolean {
  return encoded(a) === encoded(b);
}

function encoded(address: ScAddress): string {
  return base64(xdr.ScAddress.schema.encode(address));
}
