import { StrKey, xdr } from '@stellar/stellar-sdk/base';
import { hex } from '../ledger/bytes.ts';

/** The G… address behind an account that may be muxed. */
export function accountAddress(account: xdr.MuxedAccountWire): string {
  return StrKey.encodeEd25519PublicKey(account.type === 0 ? account.ed25519 : account.med25519.ed25519);
}

/** M… (SEP-23) from the key of the account and the id. */
export function muxedAddress({ ed25519, id }: xdr.MuxedAccountMed25519Wire): string {
  const bytes = Buffer.alloc(40);
  bytes.set(ed25519);
  bytes.writeBigUInt64BE(id, 32);
  return StrKey.encodeMed25519PublicKey(bytes);
}

type AccountFields<Name extends string> = { [Key in Name]: string } & {
  [Key in `${Name}_muxed` | `${Name}_muxed_id`]?: string;
};

/**
 * `name`, and for a muxed account `name_muxed` and `name_muxed_id`, a decimal string up to 2^64-1. Horizon leaves
 * out an id of 0 (protocols/horizon: `omitempty` on a number).
 */
export function accountFields<Name extends string>(
  name: Name,
  account: xdr.MuxedAccountWire,
): AccountFields<Name> {
  const fields: Record<string, string> = { [name]: accountAddress(account) };
  if (account.type === 256) {
    fields[`${name}_muxed`] = muxedAddress(account.med25519);
    if (account.med25519.id !== 0n) fields[`${name}_muxed_id`] = `${account.med25519.id}`;
  }
  return fields as AccountFields<Name>;
}

/** G…, T…, X… or P…, depending on the type of the signer. */
export function signerAddress(key: xdr.SignerKeyWire): string {
  if (key.type === 0) return StrKey.encodeEd25519PublicKey(key.ed25519);
  if (key.type === 1) return StrKey.encodePreAuthTx(key.preAuthTx);
  if (key.type === 2) return StrKey.encodeSha256Hash(key.hashX);
  const payload = xdr.SignerKeyEd25519SignedPayload.schema.encode(key.ed25519SignedPayload);
  return StrKey.encodeSignedPayload(payload);
}

/** Hex of the whole ClaimableBalanceID with its type, as Horizon writes balance ids. */
export function balanceIdHex(id: xdr.ClaimableBalanceIdWire): string {
  return hex(xdr.ClaimableBalanceId.schema.encode(id));
}
