import sodium from 'sodium-native';

const SIGNATURE_BYTES = 64;
const REMEMBERED = 20_000;

/**
 * Verdicts on signatures seen before. A transaction is verified at submission, when the ledger's set is made and
 * when it is applied; stellar-core keeps such a cache too (crypto/SecretKey.cpp). It only saves time.
 */
const verdicts = new Map<string, boolean>();

/** By libsodium, which is also what stellar-core verifies with. */
export function verifySignature(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  const key = Buffer.concat([signature, message, publicKey]).toString('latin1');
  const known = verdicts.get(key);
  if (known !== undefined) return known;
  const valid = sodium.crypto_sign_verify_detached(
    Buffer.from(signature),
    Buffer.from(message),
    Buffer.from(publicKey),
  );
  if (verdicts.size >= REMEMBERED) verdicts.clear();
  verdicts.set(key, valid);
  return valid;
}
