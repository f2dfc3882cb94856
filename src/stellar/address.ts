import { encodeMuxedAccountToAddress, StrKey, xdr } from './protocol/sdk.ts';

/** A payable address: an account, or one of its 2^64 muxed accounts. */
export type Address = { account: string; public_key: Buffer; muxed_id: bigint | null };

/**
 * Reads a G… or M… strkey; null for anything else (other kinds, bad checksum, length or padding bits).
 * Source: SEP-23.
 */
export function parseAddress(text: string): Address | null {
  if (StrKey.isValidEd25519PublicKey(text)) {
    return { account: text, public_key: Buffer.from(StrKey.decodeEd25519PublicKey(text)), muxed_id: null };
  }
  if (!StrKey.isValidMed25519PublicKey(text)) return null;
  const payload = Buffer.from(StrKey.decodeMed25519PublicKey(text)); // 32 bytes of key, 8 of id
  const public_key = payload.subarray(0, 32);
  return { account: accountOf(public_key), public_key, muxed_id: payload.readBigUInt64BE(32) };
}

/** Returns the G… of a 32-byte Ed25519 public key. */
export function accountOf(public_key: Uint8Array): string {
  return StrKey.encodeEd25519PublicKey(Buffer.from(public_key));
}

/** Returns the 32-byte key of a G… address that is known to be valid. */
export function publicKeyOf(account: string): Buffer {
  return Buffer.from(StrKey.decodeEd25519PublicKey(account));
}

/** Returns the muxed account M… with this id on a G… account. */
export function muxedAddress(account: string, id: bigint): string {
  return encodeMuxedAccountToAddress(muxedAccount(publicKeyOf(account), id));
}

export function muxedAccount(public_key: Uint8Array, id: bigint | null): xdr.MuxedAccount {
  if (id === null) return xdr.MuxedAccount.keyTypeEd25519(public_key);
  return xdr.MuxedAccount.keyTypeMuxedEd25519(new xdr.MuxedAccountMed25519({ id, ed25519: public_key }));
}

/** Reads the account and id in an XDR MuxedAccount. */
export function addressOf(muxed: xdr.MuxedAccount): { account: string; muxed_id: bigint | null } {
  if (muxed.type === 'keyTypeEd25519') return { account: accountOf(muxed.ed25519.value), muxed_id: null };
  return { account: accountOf(muxed.med25519.ed25519.value), muxed_id: muxed.med25519.id };
}
