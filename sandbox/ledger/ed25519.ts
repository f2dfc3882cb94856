import sodium from 'sodium-native';

const SIGNATURE_BYTES = 64;
const REMEMBERED = 20_000;

/**
 * Results of earlier verifications. A transaction is verified at submission, when it is chosen for a ledger and
 * when it is applied. stellar-core has such a cache too (crypto/SecretKey.cpp). It only saves time.
 */
const results = new Map<string, boolean>();

/** Uses libsodium, as stellar-core does. */
export function verifySignature(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  const key = Buffer.concat([signature, message, publicKey]).toString('latin1');
  const known = results.get(key);
  if (known !== undefined) return known;
  const valid = sodium.crypto_sign_verify_detached(
    Buffer.from(signature),
    Buffer.from(message),
    Buffer.from(publicKey),
  );
  if (results.size >= REMEMBERED) results.clear();
  results.set(key, valid);
  return valid;
}

/** @param secretKey libsodium's: seed and public key */
export function signMessage(message: Uint8Array, secretKey: Uint8Array): Uint8Array {
  const signature = Buffer.alloc(SIGNATURE_BYTES);
  sodium.crypto_sign_detached(signature, Buffer.from(message), Buffer.from(secretKey));
  return signature;
}
