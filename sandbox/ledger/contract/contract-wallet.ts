import { xdr } from '@stellar/stellar-sdk/base';
import { sameBytes, sha256 } from '../bytes.ts';
import { verifySignature } from '../ed25519.ts';
import type { ScVal } from '../sc-val.ts';
import { accountAddress, bytesOf, fieldsOf } from '../sc-val.ts';
import { notAuthenticated } from './account-signatures.ts';

/**
 * The sandbox's replacement for a smart wallet. A real one is a contract whose code checks signatures. Here the
 * address decides who may sign: it is the address that the account of this key would get by deploying a contract
 * with `salt`.
 */
export function walletContractId(networkId: Uint8Array, ed25519: Uint8Array, salt: Uint8Array): Buffer {
  const fromAddress = { address: accountAddress(ed25519), salt };
  const contractId = { networkId, contractIdPreimage: { type: 0 as const, fromAddress } };
  return sha256(xdr.HashIdPreimage.schema.encode({ type: 8, contractId }));
}

/**
 * Accepts {public_key, salt, signature} if key and salt give the address of the wallet.
 * @throws HostError when the signature does not belong to this wallet
 */
export function checkWalletSignature(
  networkId: Uint8Array,
  contractId: Uint8Array,
  payload: Uint8Array,
  signature: ScVal,
): void {
  const fields = fieldsOf(signature, 'public_key', 'salt', 'signature');
  const key = fields && bytesOf(fields.public_key, 32);
  const salt = fields && bytesOf(fields.salt, 32);
  const bytes = fields && bytesOf(fields.signature, 64);
  if (key === undefined || salt === undefined || bytes === undefined) {
    throw notAuthenticated('the wallet takes a map of public_key, salt and signature');
  }
  if (!sameBytes(walletContractId(networkId, key, salt), contractId)) {
    throw notAuthenticated('public_key and salt are not those of this wallet');
  }
  if (!verifySignature(bytes, payload, key)) throw notAuthenticated('failed ED25519 verification');
}
