import { xdr } from '@stellar/stellar-sdk/base';
import { sameBytes, sha256 } from '../bytes.ts';
import { verifySignature } from '../ed25519.ts';
import type { ScVal } from '../sc-val.ts';
import { accountAddress, bytesOf, fieldsOf } from '../sc-val.ts';
import { notAuthenticated } from './account-signatures.ts';

/**
 * The network's stand-in for a smart wallet. A real one is a contract whose own code checks signatures; here the
 * address itself says who may sign: it is what the account of this key would get by deploying a contract with `salt`.
 */
export function walletContractId(networkId: Uint8Array, ed25519: Uint8Array, salt: Uint8Array): Buffer {
  const fromAddress = { address: accountAddress(ed25519), salt };
  const contractId = { networkId, contractIdPreimage: { type: 0 as const, fromAddress } };
  return sha256(xdr.HashIdPreimage.schema.encode({ type: 8, contractId }));
}

/**
 * Takes {public_key, salt, signature}, where key and salt give the wallet's address.
 * @throws HostError when the signature is not one of this wallet
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
